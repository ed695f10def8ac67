"""The whole pipeline on the real model: pure, complete, and unmoved by one bad document."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from ontology.index import LabelIndex, Match
from ontology.model import Concept, Label, Ontology
from pipelines.errors import PipelineError
from pipelines.pipeline import Pipeline
from pipelines.recipes import load_recipe
from pipelines.stages.encode import Encoder
from pipelines.stages.vectors import Vectors
from pipelines.types import Document, DocumentResult, Outcome

TEXTS = (
    "The bus lane is a good idea. But the number 7 is always late, and parking costs too much!",
    "Agreed.",
    "Close the road outside the school.\n- speeding cars\n- no crossing\n\nMy son was nearly hit.",
    "I object. I object. I object. This is a waste of money, i.e. our money.",
    "   ",
    "",
    "Ambulances must get through 🚑 — ask the café owner, Mr. O'Neill.",
    "Same words twice.",
    "Same words twice.",
    "\ufeff\u200b",
    "x" * 3000,
    "Buses, buses and more buses. " * 120,
)


def index_of(*names: str) -> LabelIndex:
    concepts = {
        f"urn:{n}": Concept(f"urn:{n}", f"x:{n}", n, (Label(n, "en", "pref"),)) for n in names
    }
    return LabelIndex.build([Ontology("o", "", "", "", "turtle", "0", concepts)])


@pytest.fixture(scope="module")
def pipeline(encoder: Encoder) -> Pipeline:
    return Pipeline(load_recipe("consultation"), encoder, index=index_of("bus lane", "parking"))


def documents(texts: Sequence[str] = TEXTS) -> list[Document]:
    return [Document(f"d{i}", text) for i, text in enumerate(texts)]


def test_every_span_quotes_the_text(pipeline: Pipeline) -> None:
    for document, result in zip(documents(), pipeline.process(documents()), strict=True):
        found = (*result.summary, *result.labels, *result.tags)
        assert all(document.text[item.start : item.end] == item.text for item in found)


def test_blank_texts_are_empty_and_the_rest_processed(pipeline: Pipeline) -> None:
    outcomes = [result.outcome for result in pipeline.process(documents())]
    blank = {4, 5, 9}
    assert [i for i, o in enumerate(outcomes) if o is Outcome.EMPTY] == sorted(blank)
    assert all(o is Outcome.PROCESSED for i, o in enumerate(outcomes) if i not in blank)


def test_every_stage_leaves_its_results(pipeline: Pipeline) -> None:
    result = pipeline.process(documents()[:1])[0]
    assert len(result.sentences) == 2
    assert len(result.summary) == 2
    assert [tag.text for tag in result.tags] == ["bus lane", "parking"]
    assert {label.label for label in result.labels if label.assigned} >= {
        "Buses and public transport"
    }


def test_document_alone_has_the_result_it_has_in_a_batch(pipeline: Pipeline) -> None:
    together = pipeline.process(documents())
    alone = [pipeline.process([document])[0] for document in documents()]
    assert alone == together


def test_order_of_a_batch_does_not_matter(pipeline: Pipeline) -> None:
    before = pipeline.process(documents())
    order = random.Random(5).sample(range(len(TEXTS)), len(TEXTS))
    after = pipeline.process([documents()[place] for place in order])
    assert after == [before[place] for place in order]


def test_two_loads_of_the_model_agree(pipeline: Pipeline, encoder: Encoder) -> None:
    again = Pipeline(pipeline.recipe, Encoder(encoder.spec), index=index_of("bus lane", "parking"))
    assert again.process(documents()) == pipeline.process(documents())


def test_general_recipe_gives_no_labels(encoder: Encoder) -> None:
    result = Pipeline(load_recipe(), encoder).process(documents()[:1])[0]
    assert result.labels == ()
    assert result.tags == ()
    assert result.summary


def test_no_documents_give_no_results(pipeline: Pipeline) -> None:
    assert pipeline.process([]) == []


class Broken:
    """An encoder and index that fail on one word, and encode the rest as ones."""

    dimensions = 4

    def encode(self, texts: Sequence[str]) -> Vectors:
        if any("poison" in text for text in texts):
            raise ValueError(f"cannot encode {texts}")
        return np.full((len(texts), 4), 0.5, np.float32)

    def find(self, text: str, mechanisms: object, *, short_forms: object = None) -> list[Match]:
        if "curse" in text:
            raise PipelineError("the index of 'o' is closed; add it again")
        return []


def broken() -> Pipeline:
    return Pipeline(load_recipe(), Broken(), index=Broken())


def test_failing_document_leaves_the_others_alone() -> None:
    results = broken().process(documents(["Fine one.", "A poison pill.", "Fine two."]))
    assert [r.outcome for r in results] == [Outcome.PROCESSED, Outcome.PARTIAL, Outcome.PROCESSED]
    assert results[0].summary
    assert results[2].summary


def test_reason_names_the_stage_and_never_the_text() -> None:
    (result,) = broken().process(documents(["A poison pill."]))
    assert result.reason.startswith("encode: ValueError in test_pipeline.py:")
    assert "poison" not in result.reason


def test_reason_keeps_our_own_words() -> None:
    (result,) = broken().process(documents(["A curse."]))
    assert (result.outcome, result.reason) == (
        Outcome.PARTIAL,
        "tag: the index of 'o' is closed; add it again",
    )


def test_document_with_nothing_done_is_failed() -> None:
    (result,) = broken().process(documents(["A poison curse."]))
    assert result.outcome is Outcome.FAILED
    assert result.reason.startswith("encode: ValueError")
    assert "tag: " in result.reason


def test_segment_that_fails_fails_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise MemoryError

    monkeypatch.setattr("pipelines.pipeline.segment", refuse)
    (result,) = broken().process(documents(["Any text."]))
    assert (result.outcome, result.reason.split(" in ")[0]) == (
        Outcome.FAILED,
        "segment: MemoryError",
    )


def test_what_is_kept_apart_is_skipped_with_its_reason(pipeline: Pipeline) -> None:
    apart = Document("d", TEXTS[0], aside="preview submission: Status is “Survey Preview”")
    result = pipeline.process([apart])[0]
    assert result.outcome is Outcome.SKIPPED
    assert result.reason == apart.aside
    assert result == DocumentResult(result.outcome, result.reason)


def test_nothing_is_an_answer_or_empty_by_the_question(pipeline: Pipeline) -> None:
    good, better, attached = pipeline.process(
        [
            Document("a", "Nothing", question="What was good?"),
            Document("b", "Nothing", question="What could we do better?"),
            Document("c", "See attached.", question="What could we do better?"),
        ]
    )
    assert good.outcome is Outcome.EMPTY
    assert "nothing" in good.reason
    assert better.outcome is Outcome.PROCESSED
    assert attached.outcome is Outcome.EMPTY
    assert "refers" in attached.reason


def test_none_in_a_clinical_note_says_something(encoder: Encoder) -> None:
    clinical = Pipeline(load_recipe("clinical"), encoder)
    note, blank = clinical.process(
        [Document("a", "None.", question="ALLERGIES"), Document("b", "")]
    )
    assert note.outcome is Outcome.PROCESSED
    assert blank.outcome is Outcome.EMPTY


def test_another_language_has_no_english_results(pipeline: Pipeline) -> None:
    welsh = "Rwy'n cefnogi'r cynllun parking hwn yn gryf oherwydd y bydd yn helpu pobl leol."
    result = pipeline.process([Document("d", welsh)])[0]
    assert result.outcome is Outcome.OTHER_LANGUAGE
    assert "Welsh" in result.reason
    assert result == DocumentResult(result.outcome, result.reason)


def test_spans_found_in_the_view_stand_on_the_stored_text(pipeline: Pipeline) -> None:
    plain = "The bus lane & the parking charge are unfair. I shop here every week.\nStop it."
    stored = (
        "<p>The bus lane &amp; the <b>parking</b> charge are unfair. I shop here every week."
        "_x000D_\n</p>Stop it."
    )
    one, other = pipeline.process([Document("a", plain), Document("b", stored)])
    assert [tag.text for tag in other.tags] == ["bus lane", "parking"]
    assert [stored[s.start : s.end] for s in other.sentences] == [
        "The bus lane &amp; the <b>parking</b> charge are unfair.",
        "I shop here every week.",
        "Stop it.",
    ]
    found = (*other.summary, *other.labels, *other.tags)
    assert all(stored[item.start : item.end] == item.text for item in found)
    assert [label.label for label in one.labels] == [label.label for label in other.labels]
    assert [label.score for label in one.labels] == [label.score for label in other.labels]
