"""What is refused before a query is evaluated, and what is not refused by mistake."""

from __future__ import annotations

from contextlib import suppress

import pytest

from ontology.errors import QueryRefused
from ontology.guard import MAX_BYTES, check
from ontology.lexer import tokens
from ontology.vocab import DATA

BASE = "https://example.org/base/"
ELSEWHERE = "<http://127.0.0.1:1/sparql>"


def refused(query: str) -> QueryRefused:
    with pytest.raises(QueryRefused) as error:
        check(query, base=BASE)
    return error.value


SERVICES = [
    f"SELECT * {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT * {{ service silent {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT * {{ SERVICESILENT{ELSEWHERE}{{ ?s ?p ?o }} }}",
    f"SELECT * {{ SeRvIcE#comment\n{ELSEWHERE}#{{\n{{ ?s ?p ?o }} }}",
    "SELECT * { SERVICE ?where { ?s ?p ?o } }",
    "PREFIX e: <http://127.0.0.1:1/> SELECT * { SERVICE e:x { ?s ?p ?o } }",
    "PREFIX : <http://127.0.0.1:1/> SELECT * { SERVICE:x { ?s ?p ?o } }",
    "PREFIX s: <http://127.0.0.1:1/> SELECT * { services:x { ?s ?p ?o } }",
    "PREFIX s: <http://127.0.0.1:1/> SELECT * { services:x#c\n { ?s ?p ?o } }",
    f"SELECT * {{ ?s ?p trueSERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT * {{ ?s ?p 1SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT * {{ ?s ?p 1.5e3SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f'SELECT * {{ ?s ?p "x"SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}',
    f"SELECT * {{ {{ SELECT * {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }} }} }}",
    f"ASK {{ FILTER EXISTS {{ SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }} }}",
    f"SELECT * {{ ?s ?p ?o }} # \rSERVICE {ELSEWHERE} {{ ?a ?b ?c }}",
    f'SELECT * {{ ?a ?b ?c FILTER(?a<?b#>"""\n)SERVICE {ELSEWHERE}{{ ?s ?p ?o }} #"""\n }}',
    f"SELECT * {{ ?s ?p ?o . graph\nSERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT * {{ ?s ?p data:graph SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f"SELECT * {{ \\u0053ERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}",
    f'SELECT * {{ ?s ?p "a\\u0022 . SERVICE {ELSEWHERE} {{ ?s ?p ?o }} }}',
]


@pytest.mark.parametrize("query", SERVICES)
def test_service_is_refused_in_every_dress(query: str) -> None:
    assert refused(query).status == 400


@pytest.mark.parametrize(
    "query",
    [
        'SELECT * { ?s ?p "SERVICE" }',
        'SELECT * { ?s ?p """a SERVICE\nfor "all" """ }',
        "SELECT * { ?s ?p ?o } # no SERVICE here",
        "SELECT * { ?s ?p <http://example.org/SERVICE> }",
        "SELECT ?service ?x { ?service ?p ?x }",
        "SELECT * { ?s ?p ?service . { ?service ?q ?x } }",
        "SELECT * { ?s data:service ?x . { ?x ?y ?z } }",
        "PREFIX services: <urn:s:> SELECT * { ?s ?p services:bus . OPTIONAL { ?s ?q ?r } }",
        "PREFIX services: <urn:s:> SELECT * { GRAPH services:g { ?s ?p ?o } }",
        "PREFIX services: <urn:s:> SELECT * { ?s a services:bus }",
        'SELECT * { ?s ?p "caf\\u00e9" FILTER(?a < 3 && ?b > 4) }',
        "SELECT * { ?s (data:a|^data:b)/data:c* ?o } ORDER BY DESC(?o) LIMIT 5",
        "ASK{}",
        "SELECT?s{?s?p?o}",
        "CONSTRUCT { <a> <b> 42 } WHERE {}",
        "BASE <http://x/> PREFIX y: <z#> DESCRIBE y:a ?b { ?b ?c ?d }",
        'SELECT (COUNT(*) AS ?insert) { ?s ?load ?drop FILTER(REGEX(?load, "^a.*\\\\d")) }',
    ],
)
def test_harmless_queries_pass(query: str) -> None:
    assert check(query, base=BASE).text == query.replace("# no SERVICE here", " " * 17)


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <a> <b> <c> }",
        "DELETE WHERE { ?s ?p ?o }",
        "LOAD <file:///etc/passwd>",
        "load <http://127.0.0.1:1/x>",
        "CLEAR ALL",
        "DROP GRAPH <g>",
        "PREFIX x: <y> WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "ASK {} ; INSERT DATA { <a> <b> <c> }",
    ],
)
def test_updates_are_refused_as_such(update: str) -> None:
    assert refused(update).status == 403


def test_files_in_from_are_refused() -> None:
    assert "file" in str(refused("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }"))
    assert "file" in str(refused("BASE <file:///etc/> ASK FROM NAMED <passwd> { ?s ?p ?o }"))


def test_from_clauses_are_resolved() -> None:
    found = check(
        "BASE <http://x/> PREFIX g: <sub/> SELECT * FROM <a> FROM NAMED g:b FROM run:3 { ?s ?p ?o }",
        base=BASE,
    )
    assert found.default_graphs == ("http://x/a", f"{DATA}run-3")
    assert found.named_graphs == ("http://x/sub/b",)


def test_without_from_there_is_no_dataset() -> None:
    found = check("SELECT * { ?s ?p ?o }", base=BASE)
    assert (found.default_graphs, found.named_graphs) == (None, None)


@pytest.mark.parametrize(
    ("query", "form"),
    [("ask {}", "ask"), ("PREFIX a: <b> Select * {}", "select"), ("DESCRIBE <a>", "describe")],
)
def test_the_form_is_told(query: str, form: str) -> None:
    assert check(query, base=BASE).form == form


@pytest.mark.parametrize("query", ["", "hello", "FROM <a> SELECT * {}", "?x", "# only a comment"])
def test_other_texts_are_no_query(query: str) -> None:
    assert "expected SELECT" in str(refused(query))


def test_long_queries_are_refused() -> None:
    assert refused("ASK {} #" + "x" * MAX_BYTES).status == 413


@pytest.mark.parametrize("bracket", ["{", "(", "["])
def test_deep_nesting_is_refused(bracket: str) -> None:
    assert "deep" in str(refused("SELECT * { " + bracket * 10_000))
    assert "signs" in str(refused("SELECT * { FILTER(" + "!" * 10_000 + "?x) }"))


def test_brackets_in_strings_do_not_count() -> None:
    check('ASK { ?s ?p "' + "(" * 5000 + '" }', base=BASE)


@pytest.mark.parametrize("query", ['ASK { ?s ?p "open }', "ASK { ?s ?p \\ }", "ASK { ?s ?p `x` }"])
def test_what_is_no_token_is_refused_with_its_place(query: str) -> None:
    assert "character" in str(refused(query))


@pytest.mark.parametrize(
    "text",
    [
        "service" * 9000,
        "service " * 8000,
        "service:" * 8000,
        "a-" * 32_000,
        "a." * 32_000,
        '"' * 64_000,
        "<" * 64_000,
        "'''" * 21_000,
        "\\u" * 32_000,
        "?" * 64_000,
        "#" * 64_000,
        ":" + "a." * 31_000,
        "service" + " " * 60_000,
        "@a" * 30_000,
        "<a\\u00e9" * 8_000,
    ],
)
def test_an_odd_long_text_is_checked_to_its_end(text: str) -> None:
    with suppress(QueryRefused):
        check("SELECT * { " + text, base=BASE)


def test_tokens_keep_their_places() -> None:
    query = 'SELECT ?x { ?x <urn:a#b> "c # d"@en-GB ; ex:e_f.g 1.5e3 . } # end'
    assert all(query[each.start : each.end] == each.text for each in tokens(query))
    assert [each.kind for each in tokens(query)] == [
        "word",
        "variable",
        "mark",
        "variable",
        "iri",
        "string",
        "language",
        "mark",
        "name",
        "number",
        "mark",
        "mark",
    ]


READS_LIKE_SERVICE = "SELECT ('SERVICE <http://x/> { ?s ?p ?o }' AS ?words) { <http://x/#a> ?p ?o }"


def test_a_string_may_say_service_and_is_left_to_a_process_without_sockets() -> None:
    assert check(READS_LIKE_SERVICE, base=BASE).quotes_service
    assert not check("SELECT ('our SERVICE desk' AS ?words) {}", base=BASE).quotes_service


@pytest.mark.parametrize(
    "query",
    [
        "ASK { FILTER(?a<?b&&'>'='x') SERVICE <http://x/> { ?s ?p 'z' } FILTER('='='=') }",
        "ASK { FILTER(?a<?b&&'>') SERVICE <http://x/> { ?s ?p '' } }",
        'ASK { FILTER(?a<?b#>"""\n) SERVICE <http://x/> { ?s ?p ?o } #"""\n }',
        "ASK { FILTER(?a<<http://x/'>) SERVICE <http://x/> { ?s ?p <x:'> } }",
        "ASK { FILTER(1<ex:b#>'''\n) SERVICE <http://x/> { ?s ?p ?o } #'''\n }",
    ],
)
def test_no_string_is_believed_where_a_less_than_sign_may_be_one(query: str) -> None:
    with pytest.raises(QueryRefused):
        check(query, base=BASE)
