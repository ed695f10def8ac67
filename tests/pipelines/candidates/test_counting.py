"""Counting: exact where memory suffices, bounded and honest where it does not."""

from __future__ import annotations

from collections.abc import Callable

from pipelines.candidates import count
from pipelines.candidates.counting import Place

TEXTS = [
    (1, "The dropped kerb is missing. A dropped kerb helps."),
    (2, "Please add dropped kerbs at the junction."),
    (3, "The junction has no kerb."),
]


def opened(texts: list[tuple[int, str]]) -> Callable[[], list[tuple[int, str]]]:
    return lambda: texts


def test_forms_of_one_word_are_counted_together_with_documents_and_places() -> None:
    tally = count(opened(TEXTS)).tallies["dropped kerb"]
    assert (tally.count, tally.documents) == (3, 2)
    assert tally.forms == {"dropped kerb": 2, "dropped kerbs": 1}
    assert tally.places == [Place(1, 4, 16), Place(2, 11, 24)]
    assert TEXTS[1][1][11:24] == "dropped kerbs"


def test_what_a_concept_covers_is_not_counted_unless_it_is_part_of_something_longer() -> None:
    texts = [(n, "The bus stop. A floating bus stop.") for n in (1, 2)]

    def covered(text: str) -> list[tuple[int, int]]:
        return [(at, at + 8) for at in range(len(text)) if text.startswith("bus stop", at)]

    tallies = count(opened(texts), covered=covered).tallies
    assert tallies["floating bus stop"].count == 2
    assert "bus stop" not in tallies


def test_places_are_in_the_text_as_it_is_stored() -> None:
    text = "<p>Caf&eacute; &amp; zebra&nbsp;crossing</p>"
    tally = count(opened([(1, text), (2, text)])).tallies["zebra crossing"]
    (place, _) = tally.places
    assert text[place.start : place.end] == "zebra&nbsp;crossing"


def test_a_full_table_drops_what_is_rare_and_says_so() -> None:
    texts = [(n, f"The towpath gate. Unique{n}word only{n}here.") for n in range(400)]
    small = count(opened(texts), table=100)
    assert small.lost_below > 0
    whole = count(opened(texts))
    assert whole.lost_below == 0
    often = {k: t.count for k, t in whole.tallies.items() if t.count > small.lost_below}
    assert often == {"towpath": 400, "towpath gate": 400, "gate": 400}
    assert {key: small.tallies[key].count for key in often} == often


def test_the_same_texts_give_the_same_counts() -> None:
    assert count(opened(TEXTS)).tallies == count(opened(TEXTS)).tallies
