"""One result as lines: tags, labels and summary as Web Annotations on spans of the document."""

from __future__ import annotations

from collections.abc import Iterator

from ontology import terms
from ontology.annotations import A, OnDocument, method
from ontology.graph import GraphLabel, GraphTag, TaggedRecord
from ontology.named_graphs import GraphNames, Lines
from ontology.terms import boolean, decimal, integer, iri, text
from ontology.vocab import DATA, DCT, FLO, ITSRDF, OA, PROV

_TRUE = boolean(True)
_FALSE = boolean(False)
_WITH_CELLS = frozenset({"failed", "parked", "partial", "skipped"})
"""Outcomes whose reason may repeat what stands in the document or its row."""


def result_quads(record: TaggedRecord, *, private: bool, names: GraphNames) -> Iterator[str]:
    """Yield one result: statements to the run's graph, words to the graph beside it.

    Sentences of a result that another has replaced are left out.
    """
    graph = terms.run(record.run_id)
    if not record.current:
        graph = terms.superseded(graph)
    lines = Lines(graph, terms.quotes(graph), private, record.current)
    ResultLines(record, lines).write()
    yield from lines.placed(names)


class ResultLines(OnDocument):
    """The statements of one result."""

    __slots__ = ("record", "run")

    def __init__(self, record: TaggedRecord, lines: Lines) -> None:
        super().__init__(record.document_id, lines)
        self.record = record
        self.run = iri(terms.run(record.run_id))

    def write(self) -> None:
        """Write everything the result says."""
        record, lines = self.record, self.lines
        lines.say(f"{self.document} <{FLO}status> {text(record.outcome)}")
        if record.reason:
            hidden = lines.private and record.outcome in _WITH_CELLS
            lines.say(f"{self.document} <{FLO}reason> {text(record.reason)}", words=hidden)
        if lines.shown:
            for sentence in record.sentences:
                span = self.span(sentence.start, sentence.end, None)
                lines.out.append(
                    f"{span}{A}<{FLO}Sentence> .\n{span} <{FLO}order> {integer(sentence.order)} .\n"
                )
        for number, tag in enumerate(record.tags, 1):
            self.tag(number, tag)
        for number, label in enumerate(record.labels, 1):
            self.label(number, label)
        if record.summary:
            self.summary()

    def tag(self, number: int, tag: GraphTag) -> None:
        """Write one concept found in the text."""
        subject = f"<{DATA}tag-{self.record.id}-{number}>"
        lines = self.lines
        span = self.span(tag.start, tag.end, tag.text)
        lines.out.append(
            f"{subject}{A}<{OA}Annotation> .\n"
            f"{subject} <{OA}motivatedBy> <{OA}identifying> .\n"
            f"{subject} <{OA}hasTarget> {span} .\n"
            f"{subject} <{FLO}inDocument> {self.document} .\n"
            f"{subject} <{ITSRDF}taConfidence> {decimal(tag.score)} .\n"
            f"{subject} <{PROV}wasGeneratedBy> {self.run} .\n"
            f"{subject} <{OA}hasBody> {iri(tag.iri)} .\n"
            f"{subject} <{FLO}method> {method(tag.method)} .\n"
            f"{subject} <{FLO}displayed> {_TRUE if tag.displayed else _FALSE} .\n"
        )
        for each in assertions(tag):
            lines.out.append(f"{subject} <{FLO}assertion> <{FLO}{each}> .\n")
        if tag.experiencer:
            lines.say(f"{subject} <{FLO}experiencer> {text(tag.experiencer)}")
        if tag.cue:
            lines.say(f"{subject} <{FLO}cue> {text(tag.cue)}", words=True)
            if tag.cue_start is not None and tag.cue_end is not None:
                span = self.span(tag.cue_start, tag.cue_end, tag.cue)
                lines.say(f"{subject} <{FLO}cueSpan> {span}")

    def label(self, number: int, label: GraphLabel) -> None:
        """Write one label of a label set."""
        subject = f"<{DATA}labelling-{self.record.id}-{number}>"
        target = self.document
        if label.end > label.start:
            target = self.span(label.start, label.end, label.text)
        self.annotation(subject, "classifying", target, label.score)
        self.lines.out.append(
            f"{subject} <{PROV}wasGeneratedBy> {self.run} .\n"
            f"{subject} <{OA}hasBody> {iri(terms.label(label.set, label.label))} .\n"
            f"{subject} <{FLO}method> {method(label.method)} .\n"
        )
        if label.stance:
            self.lines.say(f"{subject} <{FLO}stance> {text(label.stance)}")

    def summary(self) -> None:
        """Write the summary and its sentences."""
        subject = f"<{DATA}summary-{self.record.id}>"
        self.lines.out.append(
            f"{subject}{A}<{FLO}Summary> .\n"
            f"{subject}{A}<{PROV}Entity> .\n"
            f"{subject} <{PROV}wasDerivedFrom> {self.document} .\n"
            f"{subject} <{PROV}wasGeneratedBy> {self.run} .\n"
        )
        for each in self.record.summary:
            highlight = f"<{DATA}highlight-{self.record.id}-{each.rank}>"
            span = self.span(each.start, each.end, each.text)
            self.annotation(highlight, "highlighting", span, each.score)
            self.lines.out.append(
                f"{highlight} <{PROV}wasGeneratedBy> {self.run} .\n"
                f"{subject} <{DCT}hasPart> {highlight} .\n"
                f"{highlight} <{FLO}rank> {integer(each.rank)} .\n"
            )


def assertions(tag: GraphTag) -> list[str]:
    """Return the assertions that hold; none when nothing was assessed."""
    negated, possible = tag.negated, tag.possible
    hypothetical, historical = tag.hypothetical, tag.historical
    if negated is possible is hypothetical is historical is None:
        return []
    found = []
    if negated:
        found.append("Negated")
    if possible:
        found.append("Uncertain")
    if hypothetical:
        found.append("Hypothetical")
    if historical:
        found.append("Historical")
    return found or ["Affirmed"]
