"""What of a store hangs on a document, and what belongs to the small tables.

A document's part: statements whose subject or object is the document, something that is in it
(``flo:inDocument``), has it as source or was derived from it, or a selector of such a span. The
small tables' part: what describes collections, runs, models, codebooks with their themes, campaigns
and summaries of groups, without the statements that name one document's things. Both parts are
written anew by every partial snapshot, so that taking the old part out and putting the new one in
leaves what a fresh build has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from ontology import terms
from ontology.vocab import DATA, DCAT, DCT, FLO, OA, PROV, RDF, SKOS

if TYPE_CHECKING:
    import pyoxigraph as ox

    Node: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

_HANGING = (f"{FLO}inDocument", f"{OA}hasSource", f"{PROV}wasDerivedFrom")
_SELECTOR = f"{OA}hasSelector"
_PART = f"{DCT}hasPart"
_BODY = f"{OA}hasBody"
_WITHIN = f"{FLO}within"
_SCHEME = f"{SKOS}inScheme"
_LABEL_SETS = f"{DATA}labels-"
_CLASSES = (
    (f"{DCAT}Dataset", f"{DATA}collection-"),
    (f"{FLO}Summary", f"{DATA}collection-"),
    (f"{PROV}Activity", f"{DATA}run-"),
    (f"{PROV}Association", f"{DATA}run-"),
    (f"{PROV}SoftwareAgent", f"{DATA}run-"),
    (f"{PROV}Plan", f"{DATA}run-"),
    (f"{PROV}Entity", terms.MODELS),
    (f"{SKOS}ConceptScheme", f"{DATA}codebook-"),
    (f"{PROV}Entity", f"{DATA}codebook-"),
    (f"{FLO}Theme", f"{DATA}codebook-"),
    (f"{FLO}Campaign", f"{DATA}campaigns-"),
)
"""The classes of the small tables, and how the graphs begin in which they are theirs."""


def document_part(store: ox.Store, id: int) -> Iterator[ox.Quad]:
    """Yield what hangs on the document ``id``, in all graphs; some statements twice."""
    import pyoxigraph as ox

    document = ox.NamedNode(terms.document(id))
    owned: set[Node] = {document}
    for name in _HANGING:
        found = store.quads_for_pattern(None, ox.NamedNode(name), document, None)
        owned.update(quad.subject for quad in found)
    selector = ox.NamedNode(_SELECTOR)
    for thing in list(owned):
        selected = store.quads_for_pattern(_subject(thing), selector, None, None)
        owned.update(quad.object for quad in selected)
    for thing in owned:
        yield from store.quads_for_pattern(_subject(thing), None, None, None)
    part = ox.NamedNode(_PART)
    for thing in owned:
        yield from store.quads_for_pattern(None, part, thing, None)


def small_part(store: ox.Store) -> Iterator[ox.Quad]:
    """Yield what describes the small tables, in all graphs; some statements twice."""
    import pyoxigraph as ox

    kind, part = ox.NamedNode(f"{RDF}type"), ox.NamedNode(_PART)
    described = {
        quad.subject
        for name, beginning in _CLASSES
        for quad in store.quads_for_pattern(None, kind, ox.NamedNode(name), None)
        if isinstance(quad.graph_name, ox.NamedNode)
        and quad.graph_name.value.startswith(beginning)
        and _is_group(quad)
    }
    for subject in described:
        for quad in store.quads_for_pattern(subject, None, None, None):
            if quad.predicate != part:
                yield quad


def _is_group(quad: ox.Quad) -> bool:
    """Tell a summary of a group, or anything else, from a document's own summary."""
    return not str(quad.subject).startswith(f"<{DATA}summary-")


def no_longer_used(
    store: ox.Store, removed: Iterable[ox.Quad], added: Iterable[ox.Quad]
) -> Iterator[ox.Quad]:
    """Yield what says of concepts and labels that they are in use, where they no longer are.

    ``store`` is as it will be without ``removed`` and with ``added``. A concept loses its closure,
    a label its description, a label set without labels its own.
    """
    import pyoxigraph as ox

    body, within = ox.NamedNode(_BODY), ox.NamedNode(_WITHIN)
    now = {quad.object for quad in added if quad.predicate == body}
    gone = {quad.object for quad in removed if quad.predicate == body} - now
    schemes: set[Node] = set()
    for thing in gone:
        if next(store.quads_for_pattern(None, body, thing, None), None) is not None:
            continue
        if not isinstance(thing, ox.NamedNode):
            continue
        if thing.value.startswith(f"{DATA}label-"):
            for quad in store.quads_for_pattern(thing, None, None, None):
                if quad.predicate.value == _SCHEME:
                    schemes.add(quad.object)
                yield quad
        elif not thing.value.startswith(f"{DATA}theme-"):
            yield from store.quads_for_pattern(thing, within, None, None)
    for scheme in schemes:
        labels = store.quads_for_pattern(None, ox.NamedNode(_SCHEME), scheme, None)
        if all(quad.subject in gone and not _in_use(store, quad.subject) for quad in labels):
            yield from store.quads_for_pattern(_subject(scheme), None, None, None)


def _in_use(store: ox.Store, thing: Node) -> bool:
    import pyoxigraph as ox

    return next(store.quads_for_pattern(None, ox.NamedNode(_BODY), thing, None), None) is not None


def _subject(thing: Node) -> ox.NamedNode | ox.BlankNode | ox.Triple:
    """Return ``thing`` as a subject; what hangs on a document is never a literal."""
    import pyoxigraph as ox

    assert not isinstance(thing, ox.Literal)
    return thing
