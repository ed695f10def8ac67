"""Which of overlapping matches are displayed."""

from __future__ import annotations

from ontology.index.types import Match, Span


def with_display(found: list[Span]) -> list[Match]:
    """Mark the longest of overlapping matches, the leftmost of equally long ones."""
    found.sort(key=lambda each: (each[0], -each[1]))
    matches: list[Match] = []
    cluster: list[Span] = []
    reach = -1
    for each in [*found, (len(found) and found[-1][1] + 1, 0, ())]:
        if cluster and (each[0] >= reach or not each[2]):
            matches.extend(_display_cluster(cluster))
            cluster = []
        cluster.append(each)
        reach = max(reach, each[1])
    return matches


def _display_cluster(
    cluster: list[Span],
) -> list[Match]:
    if len(cluster) == 1:
        start, end, concepts = cluster[0]
        return [Match(start, end, concepts, True)]
    kept: list[tuple[int, int]] = []
    for start, end, _ in sorted(cluster, key=lambda each: (each[0] - each[1], each[0])):
        if all(end <= left or start >= right for left, right in kept):
            kept.append((start, end))
    shown = set(kept)
    return [Match(start, end, concepts, (start, end) in shown) for start, end, concepts in cluster]
