"""The gold files are sound: spans lie in their texts, parts are split by id, no text is in both."""

from __future__ import annotations

import hashlib

from tests.pipelines.stages.gold import assertion_cases, matching_cases


def _part(number: str) -> str:
    return "dev" if hashlib.sha256(number.encode()).digest()[0] % 2 == 0 else "held"


def test_assertion_cases_are_split_by_the_hash_of_their_number() -> None:
    cases = assertion_cases()
    assert len(cases) >= 220
    assert all(case.part == _part(case.id.partition(".")[0]) for case in cases)
    texts = {p: {case.text for case in cases if case.part == p} for p in ("dev", "held")}
    assert not texts["dev"] & texts["held"]


def test_a_case_holds_one_judgement_a_term() -> None:
    cases = assertion_cases()
    assert len({(case.text, case.start) for case in cases}) == len(cases)
    assert {case.expected.get("experiencer") for case in cases} >= {"patient", "family", "other"}


def test_matching_spans_lie_in_their_texts_and_name_concepts_of_the_vocabulary() -> None:
    cases = matching_cases()
    assert len(cases) >= 150
    for case in cases:
        assert case.part == _part(case.id)
        assert not case.wrong(case.expected)
        for start, end, concept in (*case.expected, *case.forbidden, *case.allowed):
            assert 0 <= start < end <= len(case.text), case.id
            assert concept in case.vocabulary, case.id
            assert case.text[start:end] == case.text[start:end].strip(), case.id
        assert not {*case.expected} & {*case.forbidden}, case.id
