"""``ask``: spans and sentences with document and offsets, the model named, no answer allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.conftest import call
from tests.pipelines.stages.named import save_named


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with a collection ``letters`` that was read but not processed."""
    folder = tmp_path_factory.mktemp("ask")
    texts = {
        "bus": "I live on the hill. The number 7 bus never comes on time.",
        "library": "The library closes at noon on Saturdays. The staff are kind.",
        "parking": "Parking at the hospital costs 40 pounds a month.",
    }
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    files = [folder / f"{name}.txt" for name in texts]
    home = folder / "home"
    answer = call("--home", home, "--quiet", "ingest", *files, "--collection", "letters")
    assert answer.code == 0, answer.err
    return home


def test_best_sentence_is_found_with_its_place_and_the_model(collection: Path) -> None:
    answer = call("--home", collection, "ask", "letters", "Is the bus late?", "--json")
    assert answer.code == 0, answer.err
    found = answer.json
    assert found["model"] == "florilegium-albert"
    assert found["kind"] == "sentences"
    assert found["searched"]["documents"] == 3
    best = found["answers"][0]
    assert set(best) == {"document", "start", "end", "text", "score"}
    assert best["text"] == "The number 7 bus never comes on time."
    shown = call("--home", collection, "document", best["document"], "--json").json
    assert shown["text"][best["start"] : best["end"]] == best["text"]


def test_limit_is_kept_and_people_can_read_it(collection: Path) -> None:
    answer = call("--home", collection, "ask", "letters", "Is the bus late?", "--limit", "1")
    assert answer.code == 0
    assert "never comes on time" in answer.out
    assert "library closes" not in answer.out
    assert "best sentences by florilegium-albert" in answer.err


def test_processed_documents_answer_by_their_stored_sentences(tmp_path: Path) -> None:
    file = tmp_path / "letters.csv"
    rows = ("The number 7 bus never comes on time. I walk.", "n/a", "The library closes at noon.")
    cells = "".join(f'{number},"{text}"\n' for number, text in enumerate(rows))
    file.write_text("id,What could be better?\n" + cells, "utf-8")
    home = tmp_path / "home"
    ran = call("--home", home, "--quiet", "run", file, "--collection", "letters")
    assert ran.code == 0, ran.err
    answer = call("--home", home, "ask", "letters", "Is the bus late?", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["answers"][0]["text"] == "The number 7 bus never comes on time."
    assert answer.json["searched"]["sentences"] == 3
    assert "n/a" not in {one["text"] for one in answer.json["answers"]}


def test_question_answering_model_is_used_where_there_is_one(
    collection: Path, tmp_path: Path
) -> None:
    folder = save_named(tmp_path / "squad", head="QuestionAnswering")
    arguments = ("--home", collection, "ask", "letters", "When does the library close?", "--json")
    answer = call(*arguments, "--model", folder)
    assert answer.code == 0, answer.err
    found = answer.json
    assert (found["model"], found["kind"]) == ("squad", "spans")
    assert found["searched"]["passages"] >= 3
    for one in found["answers"]:
        shown = call("--home", collection, "document", one["document"], "--json").json
        assert shown["text"][one["start"] : one["end"]] == one["text"]
        assert one["score"] > 0.5
    added = call("--home", collection, "models", "add", folder, "--id", "mine")
    assert added.code == 0
    assert call(*arguments).json["model"] == "mine"
    assert call(*arguments, "--model", "florilegium-albert").json["kind"] == "sentences"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("letters", " "), 2),
        (("letters", "Why?", "--model", "nobody"), 69),
        (("letters", "Why?", "--model", "albert-base-v2-squad2"), 69),
        (("nothing", "Why?"), None),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(
    collection: Path, arguments: tuple[str, ...], code: int | None
) -> None:
    answer = call("--home", collection, "ask", *arguments)
    assert answer.code == code or (code is None and answer.code in (2, 78))
    assert answer.err.startswith("Error: ")
    assert "Unexpected" not in answer.err


def test_model_for_another_task_is_refused(collection: Path, tmp_path: Path) -> None:
    folder = save_named(tmp_path / "plain")
    answer = call("--home", collection, "ask", "letters", "Why?", "--model", folder)
    assert answer.code == 78
    assert "no question-answering head" in answer.err
