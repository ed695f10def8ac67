"""One-byte encodings told apart by real sentences."""

from __future__ import annotations

import pytest

from pipelines.readers.text.alphabets import Choice, Evidence, choose

SENTENCES = [
    "The café costs £5 – “too much”, they said. We’d rather walk.",
    "I don’t agree. It’s too dear: £25 a month.",
    "“Keep it” – that’s what everyone said… Señor Müller paid £20.",
    "L’été dernier, les élèves étaient très fâchés à Orléans.",
    "Die Straße müßte für Fußgänger schöner werden.",
    "Y Cyngor – mae’r ysgol wedi cau ym Môn ac yn Sir Gâr.",
    "Åse bor på Øya. Søren spiser rødgrød.",
    "• first point\n• second point, at 20°C\n• the third one isn’t needed",
    "ÉCOLE MATERNELLE DE LA VALLÉE",
    "The councillor’s plan, the residents’ view and the ‘consultation’ don’t match",
]


def _written(codecs: list[str]) -> list[tuple[str, str]]:
    """Return every sentence with each of ``codecs`` that has all its characters."""
    return [
        (sentence, codec)
        for sentence in SENTENCES
        for codec in codecs
        if sentence.encode(codec, "ignore").decode(codec) == sentence
    ]


@pytest.mark.parametrize(
    ("sentence", "codec"), _written(["cp1252", "mac_roman", "cp850", "cp437", "iso8859_15"])
)
def test_a_western_sentence_is_read_right_from_every_code_page(sentence: str, codec: str) -> None:
    content = sentence.encode(codec)
    assert content.decode(_chosen(content).codec) == sentence


@pytest.mark.parametrize("codec", ["cp1250", "iso8859_2"])
def test_a_polish_sentence_is_read_right(codec: str) -> None:
    content = "Zażółć gęślą jaźń, proszę państwa. Wszyscy są przeciwko temu.".encode(codec)
    assert _chosen(content).codec == codec


@pytest.mark.parametrize(("sentence", "codec"), _written(["cp1252"]))
def test_windows_1252_is_no_guess(sentence: str, codec: str) -> None:
    assert _chosen(sentence.encode(codec)).doubt == ""


def test_another_code_page_is_said_to_be_a_guess() -> None:
    doubt = _chosen("It isn’t £5 but “free”".encode("mac_roman")).doubt
    assert "guessed from its letters and marks: mac roman" in doubt


def test_a_single_byte_without_a_meaning_is_windows_1252_in_doubt() -> None:
    choice = _chosen(b"libr\xf7ary")
    assert choice.codec == "cp1252"
    assert "in doubt" in choice.doubt


def _chosen(content: bytes) -> Choice:
    evidence = Evidence()
    evidence.add(content)
    return choose(evidence)
