"""Results as N-Quads: the mapping from plain records to Web Annotation, PROV-O and SKOS.

Each statement is written into a named graph (one a run, a collection, a label set, an ontology
version; quotes and superseded results in graphs of their own) and, where a query without ``GRAPH``
is to see it, into the default graph too. The default graph is a real set, so that a triple which
two runs share counts once, and its speed does not depend on the number of runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from ontology import terms
from ontology.errors import OntologyError
from ontology.graph import (
    GraphCollection,
    GraphDocument,
    GraphModel,
    GraphRun,
    GraphSnapshot,
    TaggedRecord,
)
from ontology.result_quads import ResultTriples
from ontology.terms import iri, moment, text
from ontology.vocab import DATA, DCAT, DCT, FLO, FOAF, OWL, PROV, RDF, SKOS
from ontology.vocabulary_quads import ontology_triples

_A = f" <{RDF}type> "


@dataclass(slots=True)
class GraphNames:
    """What became of the named graphs: filled while the quads stream past.

    ``private`` graphs hold words of private collections; ``superseded`` ones old results.
    """

    seen: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)
    superseded: set[str] = field(default_factory=set)


def nquads(snapshot: GraphSnapshot, names: GraphNames | None = None) -> Iterator[str]:
    """Yield the whole graph as N-Quads, some lines at a time, each chunk ending with a newline.

    Raises OntologyError for a result of an unknown run.
    """
    names = GraphNames() if names is None else names
    collections = {each.id: each for each in snapshot.collections}
    runs = {each.id: each for each in snapshot.runs}
    for collection in snapshot.collections:
        yield _place(_collection(collection), terms.collection(collection.id), names)
    yield from _runs(snapshot, names)
    used: set[str] = set()
    labels: dict[tuple[str, str], None] = {}
    for item in chain(snapshot.documents, snapshot.results):
        if isinstance(item, GraphDocument):
            yield _place(_document(item), terms.collection(item.collection_id), names)
            continue
        run = runs.get(item.run_id)
        if run is None:
            raise OntologyError(
                f"result {item.id} names run {item.run_id}, which is not among the "
                f"{len(runs)} runs given; expected every run of the results. "
                "Try: florilegium db check"
            )
        owner = collections.get(run.collection_id)
        yield from _result(item, private=owner is not None and owner.text_private, names=names)
        used.update(tag.iri for tag in item.tags)
        labels.update(((label.set, label.label), None) for label in item.labels)
    yield from _label_sets(labels, names)
    yield from _ontologies(snapshot, used, names)


def _place(triples: list[str], graph: str, names: GraphNames, *, default: bool = True) -> str:
    """Return the triples in the named graph and, where asked, in the default graph."""
    if not triples:
        return ""
    names.seen.add(graph)
    tail = f" <{graph}> .\n"
    lines = tail.join(triples) + tail
    return lines + " .\n".join(triples) + " .\n" if default else lines


def _collection(each: GraphCollection) -> list[str]:
    subject = iri(terms.collection(each.id))
    rights = "text: private" if each.text_private else "text: open"
    triples = [
        f"{subject}{_A}<{DCAT}Dataset>",
        f"{subject} <{DCT}title> {text(each.title or each.name)}",
        f"{subject} <{DCT}identifier> {text(each.name)}",
        f"{subject} <{DCT}accessRights> {text(rights)}",
    ]
    if each.licence:
        term = iri(each.licence) if each.licence.startswith("http") else text(each.licence)
        triples.append(f"{subject} <{DCT}license> {term}")
    if each.created:
        triples.append(f"{subject} <{DCT}created> {moment(each.created)}")
    return triples


def _document(each: GraphDocument) -> list[str]:
    subject = iri(terms.document(each.id))
    triples = [
        f"{subject}{_A}<{FOAF}Document>",
        f"{subject} <{DCT}identifier> {text(each.key)}",
        f"{subject} <{DCT}isPartOf> {iri(terms.collection(each.collection_id))}",
        f"{subject} <{FLO}sha256> {text(each.sha256)}",
    ]
    if each.question:
        triples.append(f"{subject} <{FLO}question> {text(each.question)}")
    if each.locator:
        triples.append(f"{subject} <{FLO}locator> {text(each.locator)}")
    if each.language:
        triples.append(f"{subject} <{DCT}language> {text(each.language)}")
    if each.created:
        triples.append(f"{subject} <{DCT}created> {moment(each.created)}")
    return triples


def _runs(snapshot: GraphSnapshot, names: GraphNames) -> Iterator[str]:
    versions = {each.sha256: each for each in snapshot.ontologies}
    for run in snapshot.runs:
        triples = _run(run)
        for sha256 in run.ontologies:
            known = versions.get(sha256)
            used = terms.ontology_version(known.id, sha256) if known else f"urn:sha256:{sha256}"
            triples.append(f"{iri(terms.run(run.id))} <{PROV}used> {iri(used)}")
        yield _place(triples, terms.run(run.id), names)
        if run.model:
            yield _place(_model(run.model), terms.MODELS, names)


def _run(each: GraphRun) -> list[str]:
    subject = iri(terms.run(each.id))
    triples = [
        f"{subject}{_A}<{PROV}Activity>",
        f"{subject} <{PROV}used> {iri(terms.collection(each.collection_id))}",
        f"{subject} <{FLO}recipe> {text(each.recipe)}",
        f"{subject} <{FLO}status> {text(each.state)}",
    ]
    if each.fingerprint:
        triples.append(f"{subject} <{FLO}fingerprint> {text(each.fingerprint)}")
    if each.started:
        triples.append(f"{subject} <{PROV}startedAtTime> {moment(each.started)}")
    if each.ended:
        triples.append(f"{subject} <{PROV}endedAtTime> {moment(each.ended)}")
    if each.software:
        agent = iri(f"{DATA}software-{terms.slug(each.software)}")
        triples += [
            f"{subject} <{PROV}wasAssociatedWith> {agent}",
            f"{agent}{_A}<{PROV}SoftwareAgent>",
            f"{agent} <{DCT}title> {text(each.software)}",
        ]
    if each.model:
        triples.append(f"{subject} <{PROV}used> {_model_iri(each.model)}")
    return triples


def _model_iri(each: GraphModel) -> str:
    return iri(f"{DATA}model-{terms.slug(each.id)}-{each.sha256[:12]}")


def _model(each: GraphModel) -> list[str]:
    subject = _model_iri(each)
    triples = [
        f"{subject}{_A}<{PROV}Entity>",
        f"{subject} <{DCT}title> {text(each.id)}",
        f"{subject} <{FLO}sha256> {text(each.sha256)}",
    ]
    if each.revision:
        triples.append(f"{subject} <{OWL}versionInfo> {text(each.revision)}")
    if each.licence:
        triples.append(f"{subject} <{DCT}license> {text(each.licence)}")
    return triples


def _result(record: TaggedRecord, *, private: bool, names: GraphNames) -> Iterator[str]:
    """Yield one result: statements to the run's graph, quotes to the graph beside it."""
    graph = terms.run(record.run_id)
    if not record.current:
        graph = terms.superseded(graph)
        names.superseded.update((graph, terms.quotes(graph)))
    statements, spoken = ResultTriples(record).triples()
    yield _place(statements, graph, names, default=record.current)
    quoted = terms.quotes(graph)
    yield _place(spoken, quoted, names, default=record.current and not private)
    if private and spoken:
        names.private.update((quoted, terms.PRIVATE_TEXT))
        if record.current:
            yield _place(spoken, terms.PRIVATE_TEXT, names, default=False)


def _ontologies(snapshot: GraphSnapshot, used: set[str], names: GraphNames) -> Iterator[str]:
    """Yield each version; a concept that an earlier version showed stays in its own graph."""
    shown: dict[str, set[str]] = {}
    for ontology in snapshot.ontologies:
        graph = terms.ontology_version(ontology.id, ontology.sha256)
        before = shown.setdefault(ontology.id, set())
        for concept, triples in ontology_triples(ontology, used):
            yield _place(triples, graph, names, default=concept not in before)
        before.update(ontology.concepts)


def _label_sets(labels: dict[tuple[str, str], None], names: GraphNames) -> Iterator[str]:
    for name, label in sorted(labels):
        scheme, concept = terms.label_set(name), iri(terms.label(name, label))
        yield _place(
            [
                f"{iri(scheme)}{_A}<{SKOS}ConceptScheme>",
                f"{iri(scheme)} <{DCT}title> {text(name)}",
                f"{concept}{_A}<{SKOS}Concept>",
                f"{concept} <{SKOS}prefLabel> {text(label)}",
                f"{concept} <{SKOS}inScheme> {iri(scheme)}",
            ],
            scheme,
            names,
        )
