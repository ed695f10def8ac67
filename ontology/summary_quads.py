"""Summaries of groups of documents, and the sentences of documents in them, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ontology import terms
from ontology.annotations import A, OnDocument
from ontology.collection_quads import in_collection
from ontology.graph import GraphCollection, GraphGroupHighlight, GraphGroupSummary
from ontology.named_graphs import GraphNames
from ontology.terms import integer, iri, moment, text
from ontology.vocab import DATA, DCT, FLO, PROV


def summary_quads(
    each: GraphGroupSummary, owner: GraphCollection, names: GraphNames
) -> Iterator[str]:
    """Yield a group's summary, in its collection's graph; what it was asked for with the words."""
    lines = in_collection(owner)
    subject = iri(terms.group_summary(each.id))
    source = terms.collection(each.collection_id)
    if each.theme_id is not None:
        source = terms.theme(each.theme_id)
    lines.say(f"{subject}{A}<{FLO}Summary>")
    lines.say(f"{subject}{A}<{PROV}Entity>")
    lines.say(f"{subject} <{FLO}summaryKind> {text(each.kind)}")
    lines.say(f"{subject} <{DCT}isPartOf> {iri(terms.collection(each.collection_id))}")
    lines.say(f"{subject} <{PROV}wasDerivedFrom> {iri(source)}")
    lines.say(f"{subject} <{DCT}created> {moment(each.created)}")
    if each.respondent:
        lines.say(f"{subject} <{FLO}respondent> {iri(DATA + each.respondent)}")
    if each.question:
        lines.say(f"{subject} <{FLO}question> {text(each.question)}")
    if each.query:
        lines.say(f"{subject} <{FLO}query> {text(each.query)}", words=True)
    yield from lines.placed(names)


def highlight_quads(
    document: int,
    highlights: Sequence[GraphGroupHighlight],
    owner: GraphCollection,
    names: GraphNames,
) -> Iterator[str]:
    """Yield one document's sentences in summaries of groups."""
    if not highlights:
        return
    sheet = OnDocument(document, in_collection(owner))
    for each in highlights:
        whole = iri(terms.group_summary(each.summary_id))
        subject = f"<{DATA}grouphighlight-{each.summary_id}-{each.rank}>"
        span = sheet.span(each.start, each.end, each.text)
        sheet.annotation(subject, "highlighting", span, each.score)
        sheet.lines.out.append(
            f"{whole} <{DCT}hasPart> {subject} .\n"
            f"{subject} <{FLO}rank> {integer(each.rank)} .\n"
            f"{subject} <{FLO}role> {text(each.role)} .\n"
        )
        if each.stance:
            sheet.lines.say(f"{subject} <{FLO}stance> {text(each.stance)}")
    yield from sheet.lines.placed(names)
