"""One result as triples: tags, labels and summary as Web Annotations on spans of the document."""

from __future__ import annotations

import re

from ontology import terms
from ontology.graph import GraphLabel, GraphTag, TaggedRecord
from ontology.terms import boolean, decimal, integer, iri, text
from ontology.vocab import DATA, DCT, FLO, ITSRDF, OA, PROV, RDF

_A = f" <{RDF}type> "
_TRUE = boolean(True)
_FALSE = boolean(False)
_ASSERTIONS = (
    ("negated", "Negated"),
    ("possible", "Uncertain"),
    ("hypothetical", "Hypothetical"),
    ("historical", "Historical"),
)


class ResultTriples:
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
            if tag.cue_start is not None and tag.cue_end is not None:
                span = self.span(tag.cue_start, tag.cue_end, tag.cue)
                self.out.append(f"{subject} <{FLO}cueSpan> {span}")

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
