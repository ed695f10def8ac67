"""Garbled texts are flagged and kept."""

from __future__ import annotations

import pytest

from pipelines.garbled import flags_of, is_garbled


@pytest.mark.parametrize(
    "text", ["It wasnâ€™t clear", "costs Â£5 a day", "CafÃ© culture", "the sign says \ufffd10"]
)
def test_wrongly_decoded_text_is_garbled(text: str) -> None:
    assert is_garbled(text)
    assert flags_of(text) == ("garbled",)


@pytest.mark.parametrize(
    "text",
    [
        "It wasn’t clear",
        "costs £5 a day",
        "Café culture",
        "plain",
        "naïve “quotes” – dashes…",
        "🙂",
    ],
)
def test_sound_text_is_not(text: str) -> None:
    assert flags_of(text) == ()


def test_a_cell_of_exactly_a_programs_limit_was_cut() -> None:
    assert flags_of("x" * 32_767, cell=True) == ("cut",)
    assert flags_of("x" * 255, cell=True) == ("cut",)
    assert flags_of("x" * 254, cell=True) == ()
    assert flags_of("x" * 32_767) == ()
