"""Codebooks with their versions and themes, and the statements coded with them, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ontology import terms
from ontology.annotations import A, OnDocument, method
from ontology.graph import GraphCodebook, GraphCodebookVersion, GraphCoding, GraphTheme
from ontology.hierarchy import upwards
from ontology.named_graphs import GraphNames, Lines
from ontology.terms import iri, moment, text
from ontology.vocab import DATA, DCT, FLO, OA, OWL, PROV, SKOS


def in_codebook(id: int, *, private: bool) -> Lines:
    """Return an empty sheet for a codebook's graph."""
    graph = terms.codebook(id)
    return Lines(graph, terms.quotes(graph), private)


def codebook_quads(each: GraphCodebook, *, private: bool, names: GraphNames) -> Iterator[str]:
    """Yield a codebook, its versions and the themes of the present one.

    Labels and definitions of themes are made from what documents say: of a private collection they
    are words, and the theme shows its number instead.
    """
    lines = in_codebook(each.id, private=private)
    subject = iri(terms.codebook(each.id))
    lines.say(f"{subject}{A}<{SKOS}ConceptScheme>")
    lines.say(f"{subject} <{DCT}title> {text(each.name)}")
    lines.say(f"{subject} <{DCT}isPartOf> {iri(terms.collection(each.collection_id))}")
    if each.question:
        lines.say(f"{subject} <{FLO}question> {text(each.question)}")
    before = ""
    for version in each.versions:
        before = _version(each.id, version, before, lines)
        if version.number == each.version:
            lines.say(f"{subject} <{FLO}codebookVersion> {before}")
    parents = {t.id: () if t.parent_id is None else (t.parent_id,) for t in each.themes}
    for theme in each.themes:
        _theme(theme, subject, list(upwards(parents, theme.id)), lines)
    yield from lines.placed(names)


def _version(codebook: int, each: GraphCodebookVersion, before: str, lines: Lines) -> str:
    """Write a version that followed ``before``, if any; return its term."""
    subject = iri(terms.codebook_version(codebook, each.number))
    whole = iri(terms.codebook(codebook))
    lines.say(f"{subject}{A}<{PROV}Entity>")
    lines.say(f"{subject} <{OWL}versionInfo> {text(str(each.number))}")
    lines.say(f"{subject} <{PROV}specializationOf> {whole}")
    if before:
        lines.say(f"{subject} <{PROV}wasRevisionOf> {before}")
    lines.say(f"{subject} <{FLO}action> {text(each.action)}")
    if each.author:
        lines.say(f"{subject} <{DCT}creator> {text(each.author)}")
    lines.say(f"{subject} <{DCT}created> {moment(each.created)}")
    if each.signed_off_by:
        lines.say(f"{subject} <{FLO}signedOffBy> {text(each.signed_off_by)}")
    return subject


def _theme(each: GraphTheme, scheme: str, within: list[int], lines: Lines) -> None:
    subject = iri(terms.theme(each.id))
    shown = f"Theme {each.id}" if lines.private else each.label or f"Theme {each.id}"
    lines.say(f"{subject}{A}<{FLO}Theme>")
    lines.say(f"{subject}{A}<{SKOS}Concept>")
    lines.say(f"{subject} <{FLO}displayLabel> {text(shown)}")
    lines.say(f"{subject} <{SKOS}prefLabel> {text(each.label or shown)}", words=True)
    if each.description:
        lines.say(f"{subject} <{SKOS}definition> {text(each.description)}", words=True)
    lines.say(f"{subject} <{SKOS}inScheme> {scheme}")
    lines.say(f"{subject} <{FLO}themeKind> {text(each.kind)}")
    if each.concept:
        lines.say(f"{subject} <{SKOS}closeMatch> {iri(each.concept)}")
    if each.parent_id in within:
        lines.say(f"{subject} <{SKOS}broader> {iri(terms.theme(each.parent_id or 0))}")
    for above in within:
        lines.say(f"{subject} <{FLO}within> {iri(terms.theme(above))}")


def coding_quads(
    document: int,
    codings: Sequence[GraphCoding],
    *,
    private: bool,
    names: GraphNames,
) -> Iterator[str]:
    """Yield the statements of one document that are coded with themes, by codebook."""
    sheets: dict[int, OnDocument] = {}
    for each in codings:
        sheet = sheets.get(each.codebook_id)
        if sheet is None:
            lines = in_codebook(each.codebook_id, private=private)
            sheet = sheets[each.codebook_id] = OnDocument(document, lines)
        _coding(each, sheet)
    for sheet in sheets.values():
        yield from sheet.lines.placed(names)


def _coding(each: GraphCoding, sheet: OnDocument) -> None:
    subject = f"<{DATA}coding-{each.id}>"
    target = sheet.document
    if each.end > each.start:
        target = sheet.span(each.start, each.end, each.text)
    version = iri(terms.codebook_version(each.codebook_id, each.since))
    sheet.annotation(subject, "classifying", target, each.score)
    sheet.lines.out.append(
        f"{subject} <{OA}hasBody> {iri(terms.theme(each.theme_id))} .\n"
        f"{subject} <{FLO}method> {method(each.method)} .\n"
        f"{subject} <{FLO}codebookVersion> {version} .\n"
    )
    if each.stance:
        sheet.lines.say(f"{subject} <{FLO}stance> {text(each.stance)}")
