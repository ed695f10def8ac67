"""What reviewers decide about one document, as lines: decisions, and what they put in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ontology import terms
from ontology.annotations import A, OnDocument
from ontology.graph import DocumentRecord, GraphCodebook, GraphDecision, TaggedRecord
from ontology.named_graphs import GraphNames, Lines
from ontology.terms import boolean, iri, moment, text
from ontology.vocab import DATA, DCT, FLO, OA, PROV

_VERDICTS = {"accepted": "Accepted", "rejected": "Rejected", "corrected": "Corrected"}
_MOTIVES = {"tag": "identifying", "label": "classifying", "theme": "classifying"}
_PERSON = f"<{FLO}Person>"
_TRUE = boolean(True)

Thing = tuple[str, str, str, int, int]
"""Kind, scheme, item and place of what a decision is about; no scheme for a tag."""
Themes = Mapping[tuple[int, str, str], int]
"""Collection, codebook and theme key to theme."""


def themes_by_key(codebooks: Sequence[GraphCodebook]) -> Themes:
    """Return how decisions name themes."""
    return {
        (book.collection_id, book.name, theme.key): theme.id
        for book in codebooks
        for theme in book.themes
    }


def review_quads(
    record: DocumentRecord,
    themes: Themes,
    *,
    private: bool,
    names: GraphNames,
) -> Iterator[str]:
    """Yield the decisions about one document, those that still stand apart from earlier ones."""
    targets = list(resolved(record, themes))
    for stands in (True, False):
        deciding = [each for each in targets if each[0].current is stands]
        if not deciding:
            continue
        graph = terms.REVIEWS if stands else terms.superseded(terms.REVIEWS)
        quotes = f"{terms.quotes(graph)}-{record.document.collection_id}"
        lines = Lines(graph, quotes, private, stands)
        sheet = _Sheet(OnDocument(record.document.id, lines), record.document.collection_id, themes)
        for decision, target in deciding:
            sheet.decision(decision, target)
        yield from lines.placed(names)


def resolved(record: DocumentRecord, themes: Themes) -> Iterator[tuple[GraphDecision, str | None]]:
    """Yield each decision with the local name of the annotation that it is about.

    That is what the document's current result says about the same thing, else what the result
    says that the person saw. None: its place alone is left, or the person added it.
    """
    if not record.decisions:
        return
    shown = {each.id: _annotations(each) for each in record.results}
    current: dict[Thing, str] = {}
    for result in record.results:
        if result.current:
            current.update(shown[result.id])
    current.update(_codings(record, themes))
    for each in record.decisions:
        yield each, _target(each, current, shown.get(each.result_id or 0, {}))


def reviewed(decisions: Sequence[GraphDecision]) -> Iterator[tuple[str, str, str]]:
    """Yield kind, scheme and item of everything that reviewers put in a machine's place."""
    for each in decisions:
        if each.verdict == "corrected" and each.replacement is not None:
            yield each.kind, each.replacement.scheme, each.replacement.item
        elif each.verdict == "added":
            yield each.kind, each.scheme, each.item


@dataclass(slots=True)
class _Sheet:
    on: OnDocument
    collection_id: int
    themes: Themes

    def decision(self, each: GraphDecision, target: str | None) -> None:
        """Write a decision, and what the reviewer put in place."""
        on, lines = self.on, self.on.lines
        subject = f"<{DATA}review-{each.id}>"
        place = self.place(each.start, each.end, each.text) if target is None else _term(target)
        verdict = _VERDICTS.get(each.verdict, "Added")
        lines.out.append(
            f"{subject}{A}<{OA}Annotation> .\n"
            f"{subject}{A}<{FLO}ReviewDecision> .\n"
            f"{subject} <{OA}motivatedBy> <{OA}assessing> .\n"
            f"{subject} <{OA}hasTarget> {place} .\n"
            f"{subject} <{OA}hasBody> <{FLO}{verdict}> .\n"
            f"{subject} <{FLO}inDocument> {on.document} .\n"
            f"{subject} <{DCT}creator> {text(each.reviewer)} .\n"
            f"{subject} <{DCT}created> {moment(each.created)} .\n"
        )
        about = self.body(each.kind, each.scheme, each.item)
        if about is not None:
            lines.say(f"{subject} <{DCT}subject> {about}")
        if each.reason:
            lines.say(f"{subject} <{FLO}reason> {text(each.reason)}", words=lines.private)
        if each.verdict == "added":
            span = self.place(each.start, each.end, each.text)
            self.decided(each, span, each.scheme, each.item)
        elif each.verdict == "corrected" and each.replacement is not None:
            new = each.replacement
            span = self.place(new.start, new.end, new.text)
            decided = self.decided(each, span, new.scheme, new.item)
            if target is not None and decided:
                lines.say(f"{decided} <{PROV}wasRevisionOf> {_term(target)}")

    def place(self, start: int, end: int, words: str) -> str:
        """Return the span, or the document where there is none."""
        return self.on.span(start, end, words) if end > start else self.on.document

    def decided(self, each: GraphDecision, span: str, scheme: str, item: str) -> str:
        """Write what holds by a person's word; nothing where its theme is no more."""
        body = self.body(each.kind, scheme, item)
        if body is None and each.kind != "summary":
            return ""
        subject = f"<{DATA}decided-{each.id}>"
        lines = self.on.lines
        self.on.annotation(subject, _MOTIVES.get(each.kind, "highlighting"), span, 1.0)
        lines.out.append(
            f"{subject} <{FLO}method> {_PERSON} .\n"
            f"{subject} <{FLO}displayed> {_TRUE} .\n"
            f"{subject} <{DCT}creator> {text(each.reviewer)} .\n"
            f"{subject} <{DCT}created> {moment(each.created)} .\n"
        )
        if body is not None:
            lines.say(f"{subject} <{OA}hasBody> {body}")
        return subject

    def body(self, kind: str, scheme: str, item: str) -> str | None:
        """Return the concept, label or theme."""
        match kind:
            case "tag":
                return iri(item)
            case "label":
                return iri(terms.label(scheme, item))
            case "theme":
                theme = self.themes.get((self.collection_id, scheme, item))
                return None if theme is None else iri(terms.theme(theme))
        return None


def _term(local: str) -> str:
    return f"<{DATA}{local}>"


def _annotations(record: TaggedRecord) -> dict[Thing, str]:
    """Return what a result says about each thing; a label is found without its place too."""
    found: dict[Thing, str] = {}
    for number, label in enumerate(record.labels, 1):
        subject = f"labelling-{record.id}-{number}"
        found.setdefault(("label", label.set, label.label, 0, 0), subject)
        found["label", label.set, label.label, label.start, label.end] = subject
    for number, tag in reversed(list(enumerate(record.tags, 1))):
        found["tag", "", tag.iri, tag.start, tag.end] = f"tag-{record.id}-{number}"
    for each in record.summary:
        found["summary", "", "", each.start, each.end] = f"highlight-{record.id}-{each.rank}"
    return found


def _codings(record: DocumentRecord, themes: Themes) -> dict[Thing, str]:
    keys = {theme: (book, key) for (_, book, key), theme in themes.items()}
    return {
        ("theme", *keys[each.theme_id], each.start, each.end): f"coding-{each.id}"
        for each in record.codings
        if each.theme_id in keys
    }


def _target(
    each: GraphDecision, current: Mapping[Thing, str], seen: Mapping[Thing, str]
) -> str | None:
    """Return the annotation decided about: the current one, else the one that the person saw."""
    scheme = each.scheme if each.kind in ("label", "theme") else ""
    item = "" if each.kind == "summary" else each.item
    things: list[Thing] = [(each.kind, scheme, item, each.start, each.end)]
    if each.kind == "label":
        things.append(("label", scheme, item, 0, 0))
    if each.verdict == "added":
        return None
    for shown in (current, seen):
        for thing in things:
            if thing in shown:
                return shown[thing]
    return None
