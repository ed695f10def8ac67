"""Sets small enough to ship: hashed n-grams, cues, blends, and a fine-tuned last layer."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipelines.learn.blend import WithBlend
from pipelines.learn.candidates import CANDIDATES, FLOOR
from pipelines.learn.cues import cue_names, cue_table
from pipelines.learn.features import text_table
from pipelines.learn.groups import group_rows
from pipelines.learn.hashed import WithHashed
from pipelines.learn.labeller import Labeller
from pipelines.learn.prototypes import describe
from pipelines.learn.read_texts import label_texts
from pipelines.learn.scorer import Prepared
from pipelines.learn.train import train
from pipelines.learn.trained import load_trained, save_trained
from pipelines.learn.tunable import Tuning
from pipelines.learn.tuned import WithTuned
from tests.pipelines.learn.coded import WordCounts, themes

ENCODER = WordCounts()
HASHED = "hashed"


def prepared(*, both: bool = True) -> Prepared:
    examples = themes(both=both)
    table = text_table(examples.texts, examples.questions, ENCODER)
    nothing = [""] * len(examples.labels)
    described = describe(nothing, nothing, ENCODER)
    return Prepared.of(table, examples.codes(), group_rows(examples.rows), described)


@pytest.fixture(scope="module")
def shipped():
    return train(
        "themes",
        themes(),
        ENCODER,
        seeds=(0,),
        candidates={FLOOR: CANDIDATES[FLOOR], HASHED: WithHashed(columns=1 << 12)},
        settled=HASHED,
    )


def test_a_settled_candidate_runs_and_the_floor_is_reported_beside_it(shipped):
    assert shipped.report["chosen"] == HASHED
    assert {one["name"] for one in shipped.report["candidates"]} == {HASHED, FLOOR}
    text = "The bus was late again. Plant more trees there."
    (labels,) = label_texts(Labeller(shipped, ENCODER), [(text, "")])
    assert {label.label for label in labels if label.assigned} == {"Buses", "Trees"}


def test_a_shipped_set_holds_no_word_of_its_examples(shipped, tmp_path):
    save_trained(shipped, tmp_path / "set")
    data = b"".join(path.read_bytes() for path in (tmp_path / "set").iterdir()).lower()
    assert not [w for w in (b"permits", b"shade", b"kerb", b"felled", b"school") if w in data]
    texts = [row.text for row in themes().rows]
    none = [""] * len(texts)
    loaded = load_trained(tmp_path / "set")
    np.testing.assert_allclose(
        Labeller(loaded, ENCODER).probabilities(texts, none),
        Labeller(shipped, ENCODER).probabilities(texts, none),
        atol=5e-3,
    )


def test_weights_are_the_straight_kernel_written_out():
    ready = prepared()
    candidate = WithHashed(ridge=0.5, columns=1 << 16)
    scorer, unseen = candidate.fit(ready)
    without = candidate.fit(ready)[0].score(ready.table.take(np.arange(5)))
    np.testing.assert_allclose(scorer.score(ready.table)[:5], without, atol=1e-5)
    assert ((unseen > 0) == ready.codes).mean() > 0.8


def test_a_blend_is_the_mean_of_its_parts_log_odds(tmp_path):
    ready = prepared()
    parts = (CANDIDATES["words and vectors"], WithHashed(columns=1 << 12))
    scorer, unseen = WithBlend(parts).fit(ready)
    expected = np.mean(
        [
            np.clip(part.score(ready.table) * c.slopes + c.offsets, -8.0, 8.0)
            for part, c in scorer.parts
        ],
        axis=0,
    )
    np.testing.assert_allclose(scorer.score(ready.table), expected, atol=1e-4)
    assert unseen.shape == ready.codes.shape
    trained = train("both", themes(), ENCODER, seeds=(0,), candidates={"blend": WithBlend(parts)})
    save_trained(trained, tmp_path / "set")
    np.testing.assert_allclose(
        load_trained(tmp_path / "set").scorer.score(ready.table),
        trained.scorer.score(ready.table),
        atol=2e-2,
    )


def test_cues_are_counted_once_each_and_the_first_counts_most():
    names = cue_names("richness")
    table = cue_table(
        "richness", ["I agree.", "We paid £14 and then £20 in 2019.", "£1 £2 £3 £4 £5"]
    )
    money = table[:, names.index("money")]
    assert money[0] == 0.0
    assert 0.0 < money[1] < money[2] == pytest.approx(1.0)
    assert table[1, names.index("year")] > 0
    assert table[0, names.index("verdict")] > 0
    assert cue_table("", ["a"]).shape == (1, 0)


@pytest.mark.parametrize("name", ["richness", "kind"])
def test_every_cue_is_a_pattern_that_does_not_match_nothing(name):
    assert len(cue_names(name)) > 10
    assert not cue_table(name, [""]).any()


@pytest.mark.parametrize("both", [True, False], ids=["several labels", "one label"])
def test_a_fine_tuned_layer_learns_and_scores_a_text_alike_in_any_company(both):
    examples = themes(both=both)
    examples = replace(examples, rows=examples.rows[::3])
    table = text_table(examples.texts, examples.questions, ENCODER)
    nothing = [""] * len(examples.labels)
    ready = Prepared.of(
        table,
        examples.codes(),
        group_rows(examples.rows),
        describe(nothing, nothing, ENCODER),
    )
    scorer, unseen = WithTuned(Tuning(epochs=5, rate=1e-3, tokens=12)).fit(ready)
    known = ~np.isnan(unseen).any(axis=1)
    assert 0 < known.sum() < len(unseen)
    scores = scorer.score(table)
    assert scores[ready.codes].mean() > scores[~ready.codes].mean() + 1.0
    some = np.array([3, 11, 7])
    np.testing.assert_array_equal(scorer.score(table.take(some)), scores[some])


def test_the_gold_of_richness_has_both_sides_and_shares_no_text_with_the_examples():
    from pipelines.training.set_examples import richness

    gold = read_gold("richness")
    learnt = {row.text for row in richness(Path()).rows}
    assert len(gold) > 200
    assert not learnt & {text for text, _ in gold}


def read_gold(name: str) -> list[tuple[str, str]]:
    path = Path(__file__).parent / "gold" / f"{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["text"], row["labels"]) for row in csv.DictReader(file)]
