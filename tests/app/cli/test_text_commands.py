"""``tag``, ``classify``, ``summarise`` and ``embed``: one text or a batch, nothing stored."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.app.conftest import call, spawn

TEXT = "We need a zebra crossing by the school. The bus is late. Parking permits cost too much."


@pytest.fixture
def batch(tmp_path):
    path = tmp_path / "batch.ndjson"
    lines = [
        json.dumps({"id": 1, "text": TEXT}),
        "{broken",
        json.dumps({"id": 3, "text": ""}),
        json.dumps({"id": 4}),
        json.dumps({"id": 5, "text": TEXT}),
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _lines(answer):
    return [json.loads(line) for line in answer.out.strip().splitlines()]


def test_a_batch_keeps_the_order_and_reports_bad_lines_with_exit_3(batch, tmp_path):
    answer = call("--home", tmp_path / "h", "summarise", "--batch", batch, "--sentences", "1")
    lines = _lines(answer)
    assert answer.code == 3
    assert [line["id"] for line in lines] == [1, None, 3, 4, 5]
    assert ["error" in line for line in lines] == [False, True, False, True, False]
    assert lines[2]["sentences"] == []
    for sentence in lines[0]["sentences"]:
        assert TEXT[sentence["start"] : sentence["end"]] == sentence["text"]
    assert lines[0]["sentences"] == lines[4]["sentences"]
    assert not (tmp_path / "h").exists()


def test_classify_gives_every_label_best_first(batch, tmp_path):
    lines = _lines(
        call("--home", tmp_path / "h", "classify", "--set", "consultation", "--batch", batch)
    )
    labels = lines[0]["labels"]
    assert [label["score"] for label in labels] == sorted(
        (label["score"] for label in labels), reverse=True
    )
    assert set(lines[0]["assigned"]) <= {label["label"] for label in labels}
    for label in labels:
        assert TEXT[label["start"] : label["end"]] == label["text"]


def test_classify_takes_labels_from_a_file(tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("label,description\nBuses,Buses and public transport\nFood,Meals and cooking\n")
    source = tmp_path / "in.ndjson"
    source.write_text(json.dumps({"id": "a", "text": "The bus never comes on time."}) + "\n")
    answer = call("classify", "--labels", file, "--batch", source)
    assert answer.code == 0
    assert [label["label"] for label in _lines(answer)[0]["labels"]] == ["Buses", "Food"]


def test_tag_finds_ad_hoc_terms_in_any_case_with_offsets(tmp_path):
    source = tmp_path / "in.ndjson"
    text = "ZEBRA crossing here; a zebra Crossing there. Crossings nowhere."
    record = {"id": "a", "text": text, "terms": ["Zebra crossing", "here"]}
    source.write_text(json.dumps(record) + "\n")
    answer = call("tag", "--batch", source)
    assert answer.code == 0
    tags = _lines(answer)[0]["tags"]
    assert [(text[t["start"] : t["end"]], t["label"]) for t in tags] == [
        ("ZEBRA crossing", "Zebra crossing"),
        ("here", "here"),
        ("zebra Crossing", "Zebra crossing"),
    ]


def test_tag_of_an_argument_against_a_workspace_ontology(demo_home):
    answer = call("--home", demo_home, "tag", TEXT, "--ontology", "council", "--json")
    tags = answer.json["tags"]
    assert tags
    for tag in tags:
        assert TEXT[tag["start"] : tag["end"]] == tag["text"]


def test_embed_writes_one_normalised_row_a_record(batch, tmp_path):
    out = tmp_path / "v.npy"
    answer = call("embed", "--batch", batch, "--out", out, "--json")
    assert answer.code == 3
    vectors = np.load(out)
    assert vectors.shape[0] == 5
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors[0], vectors[4])
    np.testing.assert_allclose(np.linalg.norm(vectors[[0, 4]], axis=1), 1, atol=1e-5)
    assert not vectors[1].any()


def test_summarise_reads_a_file_and_prints_its_own_sentences(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    answer = call("summarise", tmp_path / "a.txt", "--sentences", "2", "--json")
    assert answer.code == 0
    found = answer.json["sentences"]
    assert [sentence["rank"] for sentence in found] == [1, 2]
    assert all(TEXT[s["start"] : s["end"]] == s["text"] for s in found)


def test_a_line_that_is_not_utf8_is_an_error_of_its_own(tmp_path):
    source = tmp_path / "in.ndjson"
    source.write_bytes(
        b'\xef\xbb\xbf{"id": 1, "text": "here", "terms": ["here"]}\r\n'
        b'{"id": 2, "text": "caf\xe9"}\n'
        b'{"id": NaN, "text": "x"}\n'
        b'{"id": 4, "text": "half \\ud800"}\n'
        b'{"id": 5, "text": "x", "error": "not ours"}\n'
    )
    answer = call("tag", "--batch", source)
    assert answer.code == 3
    lines = _lines(answer)
    assert [line["id"] for line in lines] == [1, None, None, 4, 5]
    assert [line.get("error") for line in lines] == [
        None,
        "line 2 is not UTF-8 at its byte 22",
        "line 3 is not JSON: NaN is not a JSON value",
        "line 4: half of a surrogate pair at character 5",
        None,
    ]


def test_ad_hoc_terms_may_be_short_in_capitals_or_without_a_letter(tmp_path):
    source = tmp_path / "in.ndjson"
    text = "UK and uk, 5G, in 2024: C++ and c (x)."
    terms = ["UK", "5G", "2024", "C++", "(x)"]
    source.write_text(json.dumps({"id": 1, "text": text, "terms": terms}) + "\n")
    (line,) = _lines(call("tag", "--batch", source))
    found = [text[t["start"] : t["end"]] for t in line["tags"]]
    assert found == ["UK", "uk", "5G", "2024", "C++", "(x)"]


def test_text_on_standard_input_that_is_not_utf8_exits_2(tmp_path):
    answer = spawn("summarise", "-", stdin=(_put(tmp_path / "a", b"caf\xe9")).open("rb"))
    assert answer.code == 2
    assert "not UTF-8" in answer.err
    assert "iconv" in answer.err


def test_vectors_go_to_a_folder_that_is_there(batch, tmp_path):
    answer = call("embed", "--batch", batch, "--out", tmp_path / "nowhere" / "v.npy")
    assert answer.code == 2
    assert "nowhere" in answer.err


def _put(path, data):
    path.write_bytes(data)
    return path


def test_tag_says_what_the_text_says_of_it(tmp_path):
    rules = tmp_path / "cues.toml"
    rules.write_text('[[rule]]\nsets = "negated"\nphrases = ["nae"]\n', "utf-8")
    text = "Nae fever. His mother had asthma."
    source = tmp_path / "in.ndjson"
    source.write_text(json.dumps({"text": text, "terms": ["fever", "asthma"]}) + "\n", "utf-8")
    (line,) = _lines(call("tag", "--batch", source, "--rules", rules))
    fever, asthma = line["tags"]
    assert (fever["negated"], fever["cue"], fever["experiencer"]) == (True, "Nae", "patient")
    assert (asthma["negated"], asthma["experiencer"]) == (False, "family")
    assert text[asthma["cue_start"] : asthma["cue_end"]] == asthma["cue"]


def test_tag_refuses_rules_that_are_not_there(tmp_path):
    source = tmp_path / "in.ndjson"
    source.write_text('{"text": "a"}\n', "utf-8")
    answer = call("tag", "--batch", source, "--rules", tmp_path / "none.toml")
    assert answer.code == 78
    assert "none.toml" in answer.err


@pytest.mark.parametrize("term", [".*", "\U0001f600", "\ud800x"])
def test_an_ad_hoc_term_that_no_text_can_hold_is_an_error_of_its_record(tmp_path, term):
    source = tmp_path / "in.ndjson"
    records = [{"id": 1, "text": "a b", "terms": ["a", term]}, {"id": 2, "text": "b", "terms": "b"}]
    records.append({"id": 3, "text": "b", "terms": ["b"]})
    source.write_text("".join(json.dumps(each) + "\n" for each in records))
    answer = call("tag", "--batch", source)
    assert answer.code == 3
    first, second, third = _lines(answer)
    assert "cannot be found, expected a letter or a digit" in first["error"]
    assert "expected a list of non-empty strings" in second["error"]
    assert [tag["text"] for tag in third["tags"]] == ["b"]
