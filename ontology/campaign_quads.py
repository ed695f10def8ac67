"""Campaigns and who belongs to them, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ontology import terms
from ontology.annotations import A
from ontology.graph import GraphCampaign, GraphMembership
from ontology.named_graphs import GraphNames, Lines
from ontology.terms import boolean, decimal, iri, moment, text
from ontology.vocab import DATA, DCT, FLO

COUNTED_ONCE = frozenset({"campaign", "copy"})
"""Kinds of campaign whose documents say one thing several times."""


def campaign_quads(each: GraphCampaign, *, private: bool, names: GraphNames) -> Iterator[str]:
    """Yield a campaign, in the graph of its collection's campaigns; its template with the words."""
    lines = _in_campaigns(each.collection_id, private=private)
    subject = iri(terms.campaign(each.id))
    lines.say(f"{subject}{A}<{FLO}Campaign>")
    lines.say(f"{subject} <{FLO}campaignKind> {text(each.kind)}")
    lines.say(f"{subject} <{DCT}isPartOf> {iri(terms.collection(each.collection_id))}")
    if each.method:
        lines.say(f"{subject} <{DCT}description> {text(each.method)}")
    if each.question:
        lines.say(f"{subject} <{FLO}question> {text(each.question)}")
    if each.created:
        lines.say(f"{subject} <{DCT}created> {moment(each.created)}")
    if each.template:
        lines.say(f"{subject} <{FLO}template> {text(each.template)}", words=True)
    yield from lines.placed(names)


def membership_quads(
    document: int,
    memberships: Sequence[GraphMembership],
    campaigns: Mapping[int, GraphCampaign],
    names: GraphNames,
) -> Iterator[str]:
    """Yield the campaigns that one document belongs to."""
    subject = iri(terms.document(document))
    for each in memberships:
        campaign = campaigns[each.campaign_id]
        lines = _in_campaigns(campaign.collection_id, private=False)
        whole = iri(terms.campaign(campaign.id))
        member = f"<{DATA}membership-{campaign.id}-{document}>"
        lines.out.append(
            f"{whole} <{DCT}hasPart> {subject} .\n"
            f"{member}{A}<{FLO}Membership> .\n"
            f"{member} <{FLO}campaign> {whole} .\n"
            f"{member} <{FLO}inDocument> {subject} .\n"
            f"{member} <{FLO}likeness> {decimal(each.likeness)} .\n"
            f"{member} <{FLO}exact> {boolean(each.exact)} .\n"
        )
        if campaign.kind in COUNTED_ONCE:
            lines.say(f"{subject} <{FLO}inCampaign> {whole}")
        yield from lines.placed(names)


def _in_campaigns(collection: int, *, private: bool) -> Lines:
    graph = terms.campaigns(collection)
    return Lines(graph, terms.quotes(graph), private)
