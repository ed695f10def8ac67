"""Which of overlapping matches are displayed."""

from __future__ import annotations

from collections.abc import Iterator

from ontology.index.types import Match, Span


def with_display(found: list[Span]) -> list[Match]:
    """Mark the longest of overlapping matches, the leftmost of equally long ones.

    Matches of the same words are displayed together.
    """
    found.sort(key=lambda each: (each.start, -each.end))
    matches: list[Match] = []
    cluster: list[Span] = []
    reach = -1
    for each in found:
        if cluster and each.start >= reach:
            matches.extend(_display_cluster(cluster))
            cluster = []
        cluster.append(each)
        reach = max(reach, each.end)
    matches.extend(_display_cluster(cluster))
    return matches


def _display_cluster(cluster: list[Span]) -> Iterator[Match]:
    kept: list[tuple[int, int]] = []
    for each in sorted(cluster, key=lambda each: (each.start - each.end, each.start)):
        if all(each.end <= left or each.start >= right for left, right in kept):
            kept.append((each.start, each.end))
    shown = set(kept)
    for start, end, concepts, method, score in cluster:
        yield Match(start, end, concepts, (start, end) in shown, method, score)
