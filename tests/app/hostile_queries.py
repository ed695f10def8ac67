"""Queries that want what they may not have, and queries that cost more than they may."""

from __future__ import annotations

BOMBS = {
    "a product of four patterns": (
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    ),
    "a product that never has a row": (
        "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a = ?l && ?d = 1 && ?g = 2) }"
    ),
    "five million rows": "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 5000000",
    "five million triples": (
        "CONSTRUCT { ?a ?b ?f } WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } LIMIT 5000000"
    ),
    "everything in order": (
        "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY DESC(STR(?c)) ?f ?i"
    ),
    "everything distinct": "SELECT DISTINCT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "everything in one string": (
        "SELECT (GROUP_CONCAT(?c) AS ?all) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    ),
    "a string that doubles": (
        "SELECT (STRLEN(?s) AS ?n) { BIND('0123456789' AS ?a0) "
        + " ".join(f"BIND(CONCAT(?a{n}, ?a{n}) AS ?a{n + 1})" for n in range(34))
        + " BIND(?a34 AS ?s) }"
    ),
    "a string that REPLACE blows up": (
        "SELECT (STRLEN(?s) AS ?n) { BIND('xxxxxxxxxxxxxxxxxxxxxxxx' AS ?a0) "
        + " ".join(
            f"BIND(REPLACE(?a{n}, 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx') AS ?a{n + 1})"
            for n in range(8)
        )
        + " BIND(?a8 AS ?s) }"
    ),
    "an enormous regular expression": (
        "SELECT * { ?a ?b ?c FILTER(REGEX(STR(?c), '((a{1,900}){1,900}){1,900}')) }"
    ),
    "a regular expression that goes back": (
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i "
        "FILTER(REGEX(CONCAT(STR(?c), STR(?f)), '^(([a-z0-9:/])+.)+[A-Z]([a-z])+$')) }"
    ),
    "a path over everything": "SELECT (COUNT(*) AS ?n) { ?a (!<x:1>)* ?b . ?c (!<x:2>)* ?d }",
    "a path of paths": (
        "SELECT (COUNT(*) AS ?n) { ?a (((<http://x/next>*)*)*/((<http://x/next>+)*)+)* ?b . "
        "?b (^<http://x/next>|<http://x/next>)* ?c . ?c (<http://x/next>*/^<http://x/next>*)* ?d }"
    ),
    "long alternatives in a path": (
        "SELECT (COUNT(*) AS ?n) { ?a ("
        + "|".join(f"<http://x/next>/<http://x/p{n}>?" for n in range(90))
        + ")* ?b . ?c (!<x:1>)* ?d . ?e ?f ?g }"
    ),
    "what is not there of everything": (
        "SELECT * { ?a ?b ?c . ?d ?e ?f FILTER NOT EXISTS { ?c ?p ?f . ?q ?r ?s . ?t ?u ?v "
        "FILTER(?v = 1 && ?s = 2) } FILTER(?a = 1) }"
    ),
    "ten thousand values squared": (
        "SELECT (COUNT(*) AS ?n) { "
        + " ".join(
            f"VALUES ?v{place} {{ {' '.join(str(n) for n in range(1500))} }}" for place in range(5)
        )
        + " }"
    ),
}
"""Each may be answered, refused or stopped, but in time."""

BRACKETS = {
    "round": "SELECT * { FILTER(" + "(" * 10_000 + "1" + ")" * 10_000 + ") }",
    "curly": "SELECT * " + "{" * 10_000 + "}" * 10_000,
    "square": "SELECT * { ?s ?p " + "[ ?p " * 10_000 + "1" + "]" * 10_000 + " }",
    "left open": "ASK " + "{" * 10_000,
    "in a path": "ASK { ?s " + "(" * 10_000 + "<p:p>" + ")*" * 10_000 + " ?o }",
    "lists": "ASK { ?s ?p " + "( " * 10_000 + ")" * 10_000 + " }",
    "quoted triples": "ASK { " + "<< " * 10_000 + "?s ?p ?o" + " >>" * 10_000 + " ?p ?o }",
    "signs": "SELECT (" + "-" * 10_000 + "1 AS ?n) {}",
    "exclamations": "ASK { FILTER(" + "!" * 10_000 + "true) }",
    "commas": "ASK { FILTER(1 IN (" + ",".join("1" for _ in range(20_000)) + ")) }",
    "ands": "ASK { FILTER(" + "&&".join("1" for _ in range(20_000)) + ") }",
    "unions": "ASK { " + "UNION".join("{}" for _ in range(8_000)) + " }",
    "optionals": "ASK { " + "OPTIONAL{}" * 6_000 + " }",
    "minuses": "ASK { " + "MINUS{}" * 8_000 + " }",
}
"""No query that people write. None may end the service."""


def reaching(url: str) -> dict[str, str]:
    """Return queries that would ask ``url``, in many spellings; every one is to be refused."""
    block = f"<{url}> {{ ?s ?p ?o }}"
    return {
        "plain": f"SELECT * {{ SERVICE {block} }}",
        "silent": f"SELECT * {{ SERVICE SILENT {block} }}",
        "lower case": f"SELECT * {{ service silent {block} }}",
        "mixed case": f"SELECT * {{ sErViCe {block} }}",
        "escaped": f"SELECT * {{ \\u0053ERVICE {block} }}",
        "escaped in the middle": f"SELECT * {{ SE\\u0052VIC\\u0045 {block} }}",
        "escaped in long": f"SELECT * {{ \\U00000053ERVICE {block} }}",
        "a comment between": f"SELECT * {{ SERVICE # here\n# and here\n SILENT #\n{block} }}",
        "no space": f"SELECT * {{ SERVICE<{url}>{{ ?s ?p ?o }} }}",
        "joined to a word": f"SELECT * {{ FILTER(true)SERVICE{block} }}",
        "after a number": f"SELECT * {{ ?a ?b 1SERVICE {block} }}",
        "a variable": f"SELECT * {{ VALUES ?u {{ <{url}> }} SERVICE ?u {{ ?s ?p ?o }} }}",
        "a prefixed name": f"PREFIX e: <{url}> SELECT * {{ SERVICE e: {{ ?s ?p ?o }} }}",
        "a prefix that says it": f"PREFIX services: <{url}> SELECT * {{ services: {{ ?s ?p ?o }} }}",
        "in a subquery": f"SELECT * {{ {{ SELECT * {{ {{ SERVICE {block} }} }} }} }}",
        "in EXISTS": f"SELECT * {{ FILTER EXISTS {{ SERVICE {block} }} }}",
        "in NOT EXISTS in a bind": f"SELECT * {{ BIND(NOT EXISTS {{ SERVICE {block} }} AS ?x) }}",
        "in MINUS": f"SELECT * {{ ?a ?b ?c MINUS {{ SERVICE {block} }} }}",
        "in OPTIONAL": f"ASK {{ OPTIONAL {{ SERVICE {block} }} }}",
        "in UNION": f"ASK {{ {{}} UNION {{ SERVICE {block} }} }}",
        "in GRAPH": f"ASK {{ GRAPH ?g {{ SERVICE {block} }} }}",
        "in DESCRIBE": f"DESCRIBE ?s {{ SERVICE {block} }}",
        "in CONSTRUCT": f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ SERVICE {block} }}",
        "in HAVING": f"SELECT ?a {{ ?a ?b ?c }} GROUP BY ?a HAVING(EXISTS {{ SERVICE {block} }})",
        "after a string with a quote": f"SELECT * {{ ?a ?b 'it\\'s' . SERVICE {block} }}",
        "after a string with a hash": f'SELECT * {{ ?a ?b "#" . SERVICE {block} }}',
        "after an IRI with a hash": f"SELECT * {{ <http://x/#a> ?b ?c . SERVICE {block} }}",
        "LOAD": f"LOAD <{url}>",
        "LOAD SILENT INTO": f"LOAD SILENT <{url}> INTO GRAPH <http://x/g>",
        "LOAD after a query": f"ASK {{}} ; LOAD <{url}>",
        "INSERT with SERVICE": f"INSERT {{ ?s ?p ?o }} WHERE {{ SERVICE {block} }}",
    }


UPDATES = (
    "INSERT DATA { <a:a> <a:b> <a:c> }",
    "DELETE WHERE { ?s ?p ?o }",
    "DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }",
    "WITH <a:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "CLEAR ALL",
    "clear silent default",
    "DROP GRAPH <a:g>",
    "CREATE GRAPH <a:g>",
    "COPY DEFAULT TO <a:g>",
    "MOVE <a:g> TO DEFAULT",
    "ADD <a:g> TO <a:h>",
    "PREFIX a: <b:c> # INSERT\n insert data { a:a a:b a:c }",
    "ASK {} ; CLEAR ALL",
)

HARMLESS = (
    "SELECT ('SERVICE <http://x/> { }' AS ?s) {}",
    'SELECT ("""LOAD <http://x/> ; CLEAR ALL""" AS ?s) {}',
    "SELECT * { ?s <http://x/SERVICE> ?o } # SERVICE <http://x/> {}",
    "SELECT ?service ?load { ?service ?load ?insert }",
    "PREFIX service: <http://x/> SELECT * { service:desk ?p ?o }",
    "PREFIX e: <http://x/> SELECT * { e:SERVICE e:LOAD e:INSERT }",
    "SELECT * { ?s ?p 'service'@en }",
)
"""They say the words and mean no harm: every one is answered."""


def elsewhere(url: str) -> dict[str, str]:
    """Return queries over data that lie elsewhere; they see an empty graph or are refused."""
    return {
        "FROM http": f"SELECT * FROM <{url}> {{ ?s ?p ?o }}",
        "FROM NAMED http": f"SELECT * FROM NAMED <{url}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
        "FROM file": "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }",
        "FROM NAMED file": "SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }",
        "FROM FILE": "SELECT * FROM <FILE:/etc/passwd> { ?s ?p ?o }",
        "FROM a prefix": "PREFIX f: <file:///etc/> SELECT * FROM f:passwd { ?s ?p ?o }",
        "FROM a base": "BASE <file:///etc/> SELECT * FROM <passwd> { ?s ?p ?o }",
        "GRAPH http": f"SELECT * {{ GRAPH <{url}> {{ ?s ?p ?o }} }}",
        "GRAPH file": "SELECT * { GRAPH <file:///etc/passwd> { ?s ?p ?o } }",
    }
