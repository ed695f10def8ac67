"""Assertion on cases written by somebody else before the rules, and its speed.

Of the held-out part of the cases only counts are printed. Speed: the abstracts of the HPO gold
standard corpus, matched and assessed; and assertion alone on a long text full of cues.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import asdict

from ontology.index import LabelIndex
from pipelines.segment import segment, segment_all
from pipelines.stages.assertion import assert_tags, bundled_rules
from pipelines.stages.tag import tag
from pipelines.types import Segment, Tag
from tests.bench.concepts import gsc, hpo
from tests.bench.measure import evaluation_data, gemm_gflops, print_row
from tests.pipelines.stages.gold import AssertionCase, assertion_cases


def main() -> None:
    """Print the rows."""
    _cases()
    print_row("assertion: calibration", gemm_gflops=gemm_gflops(1))
    _long_text()
    _abstracts()


def _cases() -> None:
    texts: dict[str, list[AssertionCase]] = defaultdict(list)
    for case in assertion_cases():
        texts[case.text].append(case)
    right: dict[str, list[bool]] = defaultdict(list)
    for text, some in texts.items():
        tags = [_tag(text, case.start, case.end) for case in some]
        for case, found in zip(some, assert_tags(text, segment(text), tags), strict=True):
            good = not case.wrong(asdict(found))
            for part in ("all", case.part, "hard" if case.hard else "plain"):
                right[part].append(good)
    for part, answers in right.items():
        print_row(
            "assertion: cases",
            data=part,
            rows=len(answers),
            right=sum(answers),
            accuracy=sum(answers) / len(answers),
            wanted=0.95 if part == "all" else None,
        )


def _long_text() -> None:
    """A megabyte of clauses in one sentence, a tag in each: the work grows with the text only."""
    unit = "no fever, mother had cough but history of gout if pain, "
    for repeats in (2_000, 20_000):
        text = unit * repeats
        places = [unit.index(word) for word in ("fever", "cough", "gout", "pain")]
        tags = [
            _tag(text, n * len(unit) + place, n * len(unit) + place + 4)
            for n in range(repeats)
            for place in places
        ]
        start = time.process_time()
        assert_tags(text, (Segment(0, len(text), 0),), tags)
        seconds = time.process_time() - start
        print_row(
            "assertion: one endless sentence",
            characters=len(text),
            tags=len(tags),
            cpu_seconds=seconds,
            megabytes_per_second=len(text) / 1e6 / seconds,
        )


def _abstracts() -> None:
    texts = [abstract.text for abstract in gsc(evaluation_data())]
    index = LabelIndex.build([hpo()])
    list(segment_all(texts[:1]))
    bundled_rules()
    start = time.process_time()
    sentences = list(segment_all(texts))
    cut = time.process_time()
    tags = [tag(text, index) for text in texts]
    matched = time.process_time()
    found = [assert_tags(*each) for each in zip(texts, sentences, tags, strict=True)]
    end = time.process_time()
    print_row(
        "assertion: abstracts",
        data="HPO gold standard corpus",
        rows=len(texts),
        tags=sum(map(len, found)),
        cpu_seconds=end - start,
        segment_seconds=cut - start,
        match_seconds=matched - cut,
        assert_seconds=end - matched,
        wanted_seconds=2.0,
    )


def _tag(text: str, start: int, end: int) -> Tag:
    return Tag("urn:x", "x", "x", start, end, text[start:end], 1.0, "label", "cases")


if __name__ == "__main__":
    main()
