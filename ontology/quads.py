"""Results as N-Quads: the mapping from plain records to Web Annotation, PROV-O and SKOS.

Each statement is written into a named graph (one a run, a collection, a label set, an ontology
version; quotes and superseded results in graphs of their own) and, where a query without ``GRAPH``
is to see it, into the default graph too. The default graph is a real set, so that a triple which
two runs share counts once, and its speed does not depend on the number of runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ontology import terms
from ontology.errors import OntologyError
from ontology.graph import (
    GraphCollection,
    GraphDocument,
    GraphLabel,
    GraphModel,
    GraphRun,
    GraphSnapshot,
    GraphTag,
    TaggedRecord,
)
from ontology.terms import boolean, decimal, integer, iri, moment, text
from ontology.vocab import DATA, DCAT, DCT, FLO, FOAF, ITSRDF, OA, OWL, PROV, RDF, SKOS
from ontology.vocabulary_quads import ontology_triples

_A = f" <{RDF}type> "
_TRUE = boolean(True)
_FALSE = boolean(False)
_ASSERTIONS = (
    ("negated", "Negated"),
    ("possible", "Uncertain"),
    ("hypothetical", "Hypothetical"),
    ("historical", "Historical"),
)


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
    for document in snapshot.documents:
        yield _place(_document(document), terms.collection(document.collection_id), names)
    used: set[str] = set()
    labels: dict[tuple[str, str], None] = {}
    for record in snapshot.results:
        run = runs.get(record.run_id)
        if run is None:
            raise OntologyError(
                f"result {record.id} names run {record.run_id}, which is not among the "
                f"{len(runs)} runs given; expected every run of the results. "
                "Try: florilegium db check"
            )
        owner = collections.get(run.collection_id)
        yield from _result(record, private=owner is not None and owner.text_private, names=names)
        used.update(tag.iri for tag in record.tags)
        labels.update(((label.set, label.label), None) for label in record.labels)
    yield from _label_sets(labels, names)
    for ontology in snapshot.ontologies:
        graph = terms.ontology_version(ontology.id, ontology.sha256)
        for triples in ontology_triples(ontology, used):
            yield _place(triples, graph, names)


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
    statements, spoken = _Result(record).triples()
    yield _place(statements, graph, names, default=record.current)
    quoted = terms.quotes(graph)
    yield _place(spoken, quoted, names, default=record.current and not private)
    if private and spoken:
        names.private.update((quoted, terms.PRIVATE_TEXT))
        if record.current:
            yield _place(spoken, terms.PRIVATE_TEXT, names, default=False)


class _Result:
    """The triples of one result; spans met twice are written once."""

    def __init__(self, record: TaggedRecord) -> None:
        self.record = record
        self.document = iri(terms.document(record.document_id))
        self.run = iri(terms.run(record.run_id))
        self.out: list[str] = []
        self.spoken: list[str] = []
        self.spans: dict[tuple[int, int], str] = {}

    def triples(self) -> tuple[list[str], list[str]]:
        """Return the statements, and apart from them the quotes."""
        record = self.record
        self.out.append(f"{self.document} <{FLO}status> {text(record.outcome)}")
        if record.reason:
            self.out.append(f"{self.document} <{FLO}reason> {text(record.reason)}")
        for sentence in record.sentences:
            span = self.span(sentence.start, sentence.end, None)
            self.out += [
                f"{span}{_A}<{FLO}Sentence>",
                f"{span} <{FLO}order> {integer(sentence.order)}",
            ]
        for number, tag in enumerate(record.tags, 1):
            self.tag(number, tag)
        for number, label in enumerate(record.labels, 1):
            self.label(number, label)
        if record.summary:
            self.summary()
        return self.out, self.spoken

    def span(self, start: int, end: int, words: str | None) -> str:
        """Return the span's IRI; write it, and its quote where given, at the first meeting."""
        local = f"{self.record.document_id}-{start}-{end}"
        known = self.spans.get((start, end))
        if known is None:
            span, position = iri(f"{DATA}span-{local}"), iri(f"{DATA}position-{local}")
            self.out += [
                f"{span}{_A}<{OA}SpecificResource>",
                f"{span} <{OA}hasSource> {self.document}",
                f"{span} <{OA}hasSelector> {position}",
                f"{position}{_A}<{OA}TextPositionSelector>",
                f"{position} <{OA}start> {integer(start)}",
                f"{position} <{OA}end> {integer(end)}",
            ]
            known = self.spans[start, end] = span
        if words:
            quote = iri(f"{DATA}quote-{local}")
            self.spoken += [
                f"{known} <{OA}hasSelector> {quote}",
                f"{quote}{_A}<{OA}TextQuoteSelector>",
                f"{quote} <{OA}exact> {text(words)}",
            ]
        return known

    def annotation(self, subject: str, motive: str, target: str, score: float) -> None:
        """Write what every annotation says."""
        self.out += [
            f"{subject}{_A}<{OA}Annotation>",
            f"{subject} <{OA}motivatedBy> <{OA}{motive}>",
            f"{subject} <{OA}hasTarget> {target}",
            f"{subject} <{FLO}inDocument> {self.document}",
            f"{subject} <{ITSRDF}taConfidence> {decimal(score)}",
            f"{subject} <{PROV}wasGeneratedBy> {self.run}",
        ]

    def tag(self, number: int, tag: GraphTag) -> None:
        """Write one concept found in the text."""
        subject = iri(f"{DATA}tag-{self.record.id}-{number}")
        self.annotation(subject, "identifying", self.span(tag.start, tag.end, tag.text), tag.score)
        self.out += [
            f"{subject} <{OA}hasBody> {iri(tag.iri)}",
            f"{subject} <{FLO}method> {_method(tag.method)}",
            f"{subject} <{FLO}displayed> {_TRUE if tag.displayed else _FALSE}",
        ]
        self.out += [f"{subject} <{FLO}assertion> <{FLO}{each}>" for each in _assertions(tag)]
        if tag.experiencer:
            self.out.append(f"{subject} <{FLO}experiencer> {text(tag.experiencer)}")
        if tag.cue:
            self.out.append(f"{subject} <{FLO}cue> {text(tag.cue)}")

    def label(self, number: int, label: GraphLabel) -> None:
        """Write one label of a label set."""
        subject = iri(f"{DATA}labelling-{self.record.id}-{number}")
        target = self.document
        if label.end > label.start:
            target = self.span(label.start, label.end, label.text)
        self.annotation(subject, "classifying", target, label.score)
        self.out += [
            f"{subject} <{OA}hasBody> {iri(terms.label(label.set, label.label))}",
            f"{subject} <{FLO}method> {_method(label.method)}",
        ]
        if label.stance:
            self.out.append(f"{subject} <{FLO}stance> {text(label.stance)}")

    def summary(self) -> None:
        """Write the summary and its sentences."""
        subject = iri(f"{DATA}summary-{self.record.id}")
        self.out += [
            f"{subject}{_A}<{FLO}Summary>",
            f"{subject}{_A}<{PROV}Entity>",
            f"{subject} <{PROV}wasDerivedFrom> {self.document}",
            f"{subject} <{PROV}wasGeneratedBy> {self.run}",
        ]
        for each in self.record.summary:
            highlight = iri(f"{DATA}highlight-{self.record.id}-{each.rank}")
            span = self.span(each.start, each.end, each.text)
            self.annotation(highlight, "highlighting", span, each.score)
            self.out += [
                f"{subject} <{DCT}hasPart> {highlight}",
                f"{highlight} <{FLO}rank> {integer(each.rank)}",
            ]


def _assertions(tag: GraphTag) -> list[str]:
    """Return the assertions that hold; none when nothing was assessed."""
    values = {name: getattr(tag, key) for key, name in _ASSERTIONS}
    if all(value is None for value in values.values()):
        return []
    return [name for name, value in values.items() if value] or ["Affirmed"]


def _method(name: str) -> str:
    """Return ``flo:`` and the name in capitals-and-lower case: ``zero-shot`` is flo:ZeroShot."""
    words = re.findall(r"[A-Za-z0-9]+", name) or ["unknown"]
    return f"<{FLO}{''.join(word[:1].upper() + word[1:] for word in words)}>"


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
