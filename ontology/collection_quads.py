"""Collections, their documents, and the runs over them, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ontology import terms
from ontology.annotations import A
from ontology.graph import GraphCollection, GraphDocument, GraphModel, GraphRun
from ontology.model import Ontology
from ontology.named_graphs import GraphNames, Lines
from ontology.terms import day, integer, iri, moment, text
from ontology.vocab import DATA, DCAT, DCT, FLO, FOAF, OWL, PROV


def collection_quads(each: GraphCollection, names: GraphNames) -> Iterator[str]:
    """Yield a collection's description, in the collection's graph."""
    lines = in_collection(each)
    subject = iri(terms.collection(each.id))
    rights = "text: private" if each.text_private else "text: open"
    lines.say(f"{subject}{A}<{DCAT}Dataset>")
    lines.say(f"{subject} <{DCT}title> {text(each.title or each.name)}")
    lines.say(f"{subject} <{DCT}identifier> {text(each.name)}")
    lines.say(f"{subject} <{DCT}accessRights> {text(rights)}")
    if each.licence:
        lines.say(f"{subject} <{DCT}license> {_named(each.licence)}")
    if each.rights:
        lines.say(f"{subject} <{DCT}rights> {_named(each.rights)}")
    if each.created:
        lines.say(f"{subject} <{DCT}created> {moment(each.created)}")
    yield from lines.placed(names)


def in_collection(each: GraphCollection) -> Lines:
    """Return an empty sheet for a collection's graph."""
    graph = terms.collection(each.id)
    return Lines(graph, terms.quotes(graph), each.text_private)


def document_quads(each: GraphDocument, owner: GraphCollection, names: GraphNames) -> Iterator[str]:
    """Yield a document's description, in its collection's graph.

    Why a document is kept apart names cells of its row, and so goes with the words.
    """
    lines = in_collection(owner)
    subject = iri(terms.document(each.id))
    lines.out.append(
        f"{subject}{A}<{FOAF}Document> .\n"
        f"{subject} <{DCT}identifier> {text(each.key)} .\n"
        f"{subject} <{DCT}isPartOf> {iri(terms.collection(each.collection_id))} .\n"
        f"{subject} <{FLO}sha256> {text(each.sha256)} .\n"
    )
    if each.question:
        lines.say(f"{subject} <{FLO}question> {text(each.question)}")
    if each.locator:
        lines.say(f"{subject} <{FLO}locator> {text(each.locator)}")
    if each.language:
        lines.say(f"{subject} <{DCT}language> {text(each.language)}")
    if each.created is not None:
        year = each.created if isinstance(each.created, int) else each.created.year
        lines.say(f"{subject} <{DCT}created> {day(each.created)}")
        lines.say(f"{subject} <{FLO}year> {integer(year)}")
    if each.read:
        lines.say(f"{subject} <{DCT}dateSubmitted> {moment(each.read)}")
    if each.respondent:
        lines.say(f"{subject} <{FLO}respondent> {iri(DATA + each.respondent)}")
    if each.aside:
        lines.say(f"{subject} <{FLO}keptApart> {text(each.aside)}", words=True)
    for flag in each.flags:
        lines.say(f"{subject} <{FLO}flag> {text(flag)}")
    yield from lines.placed(names)


def run_quads(each: GraphRun, versions: Mapping[str, Ontology], names: GraphNames) -> Iterator[str]:
    """Yield a run with its plan and software in the run's graph, its model in that of models."""
    subject, graph = iri(terms.run(each.id)), terms.run(each.id)
    lines = Lines(graph, terms.quotes(graph), private=False)
    lines.say(f"{subject}{A}<{PROV}Activity>")
    lines.say(f"{subject} <{PROV}used> {iri(terms.collection(each.collection_id))}")
    lines.say(f"{subject} <{FLO}recipe> {text(each.recipe)}")
    lines.say(f"{subject} <{FLO}status> {text(each.state)}")
    if each.started:
        lines.say(f"{subject} <{PROV}startedAtTime> {moment(each.started)}")
    if each.ended:
        lines.say(f"{subject} <{PROV}endedAtTime> {moment(each.ended)}")
    for sha256 in each.ontologies:
        known = versions.get(sha256)
        used = terms.ontology_version(known.id, sha256) if known else f"urn:sha256:{sha256}"
        lines.say(f"{subject} <{PROV}used> {iri(used)}")
    if each.model:
        lines.say(f"{subject} <{PROV}used> {_model_iri(each.model)}")
    _associate(each, subject, lines)
    yield from lines.placed(names)
    if each.model:
        yield names.place("".join(_model(each.model)), terms.MODELS)


def _associate(each: GraphRun, subject: str, lines: Lines) -> None:
    """Write who ran the run by which plan."""
    association = iri(f"{DATA}association-{each.id}")
    if each.software or each.fingerprint:
        lines.say(f"{subject} <{PROV}qualifiedAssociation> {association}")
        lines.say(f"{association}{A}<{PROV}Association>")
    if each.software:
        agent = iri(f"{DATA}software-{terms.slug(each.software)}")
        lines.say(f"{subject} <{PROV}wasAssociatedWith> {agent}")
        lines.say(f"{association} <{PROV}agent> {agent}")
        lines.say(f"{agent}{A}<{PROV}SoftwareAgent>")
        lines.say(f"{agent} <{DCT}title> {text(each.software)}")
    if each.fingerprint:
        plan = iri(terms.plan(each.fingerprint))
        lines.say(f"{subject} <{FLO}fingerprint> {text(each.fingerprint)}")
        lines.say(f"{association} <{PROV}hadPlan> {plan}")
        lines.say(f"{plan}{A}<{PROV}Plan>")
        lines.say(f"{plan} <{DCT}title> {text(each.recipe)}")
        lines.say(f"{plan} <{FLO}sha256> {text(each.fingerprint)}")


def _model_iri(each: GraphModel) -> str:
    return iri(f"{DATA}model-{terms.slug(each.id)}-{each.sha256[:12]}")


def _model(each: GraphModel) -> Iterator[str]:
    subject = _model_iri(each)
    yield f"{subject}{A}<{PROV}Entity> .\n"
    yield f"{subject} <{DCT}title> {text(each.id)} .\n"
    yield f"{subject} <{FLO}sha256> {text(each.sha256)} .\n"
    if each.revision:
        yield f"{subject} <{OWL}versionInfo> {text(each.revision)} .\n"
    if each.licence:
        yield f"{subject} <{DCT}license> {_named(each.licence)} .\n"


def _named(value: str) -> str:
    """Return an IRI where the value is one, words otherwise."""
    return iri(value) if value.startswith(("http://", "https://")) else text(value)
