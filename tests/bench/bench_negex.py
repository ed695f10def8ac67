"""Negation, history and experiencer on the NegEx half at hand, beside a regular expression.

negspaCy and medSpaCy's ConText are rows as well where ``make bench-peer NAME=negex`` has installed
them: given the same sentences and the same conditions, scored here.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence

from pipelines.segment import segment_all
from pipelines.stages.assertion import assert_tags, bundled_rules
from pipelines.types import Tag
from tests.bench.measure import evaluation_data, gemm_gflops, print_row
from tests.bench.negex import Condition, agreement, conditions
from tests.bench.peers.apart import ask

Answer = Sequence[bool | None]
"""Negated, historical, somebody else's; ``None``: the method does not say."""

PEERS = {"negspacy": "negspacy_negation", "medspacy": "medspacy_context"}

_BEFORE = re.compile(
    r"\b(?:no|not|without|denie[sd]|denying|negative for|absence of|free of|rule[sd]? out|never)\b"
    r"(?:(?!\b(?:but|however|except|although|which|who|secondary to|due to)\b)[^.;:])*$",
    re.I,
)
_AFTER = re.compile(
    r"^[^.;:,]*\b(?:(?:was|were|is|are) (?:ruled out|negative|absent)|resolved)\b", re.I
)
_PAST = re.compile(
    r"\b(?:history|previous(?:ly)?|prior|past|status post|s/p|old|ago|former)\b", re.I
)
_KIN = re.compile(r"\b(?:mother|father|brother|sister|family|aunt|uncle|son|daughter)\b", re.I)


def main() -> None:
    """Print one row for each method and attribute."""
    rows = conditions(evaluation_data())
    print_row("negex: calibration", gemm_gflops=gemm_gflops(1))
    start = time.process_time()
    bundled_rules()
    print_row("negex: rules compiled", seconds=time.process_time() - start)
    methods: dict[str, Callable[[Sequence[Condition]], list[Answer]]] = {
        "regular expression": _regex,
        "florilegium": _ours,
    }
    for name, method in methods.items():
        method(rows[:20])  # what is loaded once
        wall, cpu = time.perf_counter(), time.process_time()
        found = method(rows)
        costs = {
            "seconds": time.perf_counter() - wall,
            "cpu_seconds": time.process_time() - cpu,
        }
        _print(name, rows, found, costs)
    items = [{"text": row.sentence, "start": row.start, "end": row.end} for row in rows]
    for peer, module in PEERS.items():
        if reply := ask(peer, module, items):
            _print(peer, rows, reply.answers, reply.costs, version=reply.version)


def _print(
    name: str,
    rows: Sequence[Condition],
    found: Sequence[Answer],
    costs: Mapping[str, float],
    **values: str,
) -> None:
    gold = [
        (row.negation == "Negated", row.temporality == "Historical", row.experiencer != "Patient")
        for row in rows
    ]
    for place, (attribute, wanted) in enumerate(
        {"negation": 0.985, "history": 0.72, "experiencer": None}.items()
    ):
        kept = [
            (g[place], said)
            for row, g, f in zip(rows, gold, found, strict=True)
            if (said := f[place]) is not None
            and (attribute != "history" or row.temporality != "Not particular")
        ]
        if not kept:
            continue
        scored = agreement(kept)
        print_row(
            f"negex: {attribute}",
            data="NegEx half, repeats removed",
            method=name,
            rows=len(kept),
            **scored._asdict(),
            **costs,
            **values,
            wanted=wanted if name == "florilegium" else None,
        )


def _ours(rows: Sequence[Condition]) -> list[Answer]:
    """Segment and assess; a condition that is possible is not negated."""
    found: list[Answer] = []
    sentences = segment_all([row.sentence for row in rows])
    for row, segments in zip(rows, sentences, strict=True):
        words = row.sentence[row.start : row.end]
        tag = Tag("urn:x", "x", words, row.start, row.end, words, 1.0, "label", "negex")
        (tag,) = assert_tags(row.sentence, segments, [tag])
        negated = bool(tag.negated) and not tag.possible
        found.append((negated, bool(tag.historical), tag.experiencer != "patient"))
    return found


def _regex(rows: Sequence[Condition]) -> list[Answer]:
    """The floor: cue words before, after and anywhere."""
    found: list[Answer] = []
    for row in rows:
        before, after = row.sentence[: row.start], row.sentence[row.end :]
        negated = bool(_BEFORE.search(before) or _AFTER.search(after))
        around = before + " " + after
        found.append((negated, bool(_PAST.search(around)), bool(_KIN.search(around))))
    return found


if __name__ == "__main__":
    main()
