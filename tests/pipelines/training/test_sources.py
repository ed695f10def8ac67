from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from transformers import BertTokenizerFast

from pipelines.training import corpus, debian_text, open_sets
from pipelines.training.errors import MissingSource
from pipelines.training.sources import SOURCES, Source


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_wordnet_gives_definitions_words_and_examples(tmp_path: Path) -> None:
    write(
        tmp_path / "usr/share/wordnet/data.noun",
        "  1 This software and database is being provided | to you\n"
        '00 03 n 02 cutting_edge 0 vanguard 0 000 | the position of greatest advancement; "the'
        ' leading edge of technology"\n'
        "01 03 n 01 lane 0 000 | a narrow way or road\n",
    )
    assert list(debian_text.wordnet(tmp_path)) == [
        "cutting edge, vanguard: the position of greatest advancement",
        "the leading edge of technology",
        "a narrow way or road",
    ]


def test_dictionary_gives_the_indented_text_without_link_marks(tmp_path: Path) -> None:
    path = tmp_path / "usr/share/dictd/jargon.dict.dz"
    path.parent.mkdir(parents=True)
    entry = "blue wire\n n.\n\n    [IBM] Patch wires added to {circuit boards}. They last.\n"
    path.write_bytes(gzip.compress(entry.encode()))
    assert [line for line in debian_text.dictionary(tmp_path) if line] == [
        "Patch wires added to circuit boards.",
        "They last.",
    ]


def test_pages_lose_code_and_menus() -> None:
    page = (
        "<nav><p>Home</p></nav><h1>Sound</h1><p>Press <b>Mute</b>. It stops.</p>"
        "<pre>sudo mute</pre><ul><li>Or unplug it.</li></ul>"
    )
    assert list(debian_text.page_sentences(page)) == [
        "Sound",
        "Press Mute.",
        "It stops.",
        "Or unplug it.",
    ]


def test_a_package_without_its_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingSource, match="usr/share/wordnet"):
        list(debian_text.wordnet(tmp_path))


def test_turns_lose_the_speaker() -> None:
    dialogue = "Doctor: How are you? Any pain?\n[patient] no , just tired ."
    assert list(open_sets.turns(dialogue)) == ["How are you?", "Any pain?", "no, just tired."]


def test_comments_flagged_as_identifying_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path / "consultation/nhs_fft_pxtextmining/v6framework_230831.csv",
        "FFT answer,Person identifiable info?\n"
        "The staff were kind.,\nNurse Example was kind.,Yes\nDid not answer,\n",
    )
    assert set(open_sets.nhs_comments(tmp_path)) == {"The staff were kind."}


def test_only_texts_of_the_train_part_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "consultation/ibm_kpa_2021"
    write(folder / "arguments_train.csv", "arg_id,argument,topic,stance\n0,roads matter,Tax,1\n")
    write(folder / "arguments_dev.csv", "arg_id,argument,topic,stance\n0,unseen,Tax,1\n")
    write(folder / "key_points_train.csv", "key_point_id,key_point\n0,a key point\n")
    assert list(open_sets.key_point_arguments(tmp_path)) == ["roads matter"]


def test_an_open_set_needs_the_variable(tmp_path: Path) -> None:
    polis = next(source for source in SOURCES if source.name == "polis")
    with pytest.raises(MissingSource, match="FLORILEGIUM_EVAL_DATA"):
        corpus.locate(polis, tmp_path, None)


def test_every_source_names_its_licence_once() -> None:
    assert all(source.licence and source.origin for source in SOURCES)
    assert len({source.name for source in SOURCES}) == len(SOURCES)


def test_a_stage_may_show_a_source_more_often(
    tmp_path: Path, tokenizer: BertTokenizerFast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "load_tokenizer", lambda: tokenizer)
    sources = tuple(
        Source(name, name, "none", False, lambda root, name=name: iter([f"a {name} of our own"]))
        for name in ("sentence", "question")
    )
    lines, parts = corpus.build(
        sources, work=tmp_path, eval_data=tmp_path, seed=1, times={"question": 3}
    )
    assert sorted(lines) == ["a question of our own"] * 3 + ["a sentence of our own"]
    assert [part.lines for part in parts] == [1, 1]
