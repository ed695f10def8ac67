"""Texts near a text, everyday sentences, and the groups they come in."""

from __future__ import annotations

import random
import re
from itertools import islice
from pathlib import Path

import pytest
from transformers import PreTrainedTokenizerFast

from pipelines.training.batches import Position, buckets
from pipelines.training.everyday import DEBATE, FRAMES, Everyday
from pipelines.training.groups import GroupPlan, Groups, whole_groups
from pipelines.training.lexicon import Lexicon
from pipelines.training.variants import Variants, join, split

PLAN = GroupPlan(seed=3, tokens=64, longest=32, lines=15, everyday=3, size=3, words=2)
FEW_FRAMES = """
[lists]
who = ["teacher", "farmer", "angry child"]
tool = ["hammer", "axe"]
mend = ["repair", "break", "look at"]
[classes]
human = [18]
[[frame]]
says = ["{who:a} is {mend:ing} {tool:a}.", "the {tool} was {mend:en} by {who2:a}", "{human:s} {mend:ed} it"]
"""


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    """Frames whose words the small WordNet knows, or need not know."""
    path = tmp_path / "frames.toml"
    path.write_text(FEW_FRAMES, encoding="utf-8")
    return path


@pytest.fixture
def groups(lines: list[str], lexicon: Lexicon, frames: Path) -> Groups:
    """Groups of the forty lines."""
    return Groups(lines, lexicon, PLAN, frames=[frames])


def test_joining_undoes_splitting() -> None:
    for text in ("Don't stop, please!", "It costs £3.50 (or less).", "a well-known road"):
        assert join(split(text)).replace(" ", "") == text.replace(" ", "")
    assert join(split("Don't stop, please!")) == "Don't stop, please!"


def test_a_replaced_word_keeps_its_form_and_article(lexicon: Lexicon) -> None:
    variants, rng = Variants(lexicon), random.Random(1)
    made = {join(variants.replace(split("a teacher"), rng) or []) for _ in range(40)}
    assert made == {"an instructor", "a person", "a farmer", "a child"}
    made = {join(variants.replace(split("farmers"), rng) or []) for _ in range(40)}
    assert made == {"people", "persons", "teachers", "children"} - {"people"}


def test_a_claim_is_denied_and_a_denial_is_taken_away(lexicon: Lexicon) -> None:
    variants, rng = Variants(lexicon), random.Random(1)
    denied = {join(variants.deny(split("Roads are old"), rng) or []) for _ in range(20)}
    assert denied == {"Roads are not old", "Roads are never old"}
    assert variants.deny(split("Roads are not old"), rng) == ["Roads", "are", "old"]
    assert variants.deny(split("Old roads"), rng) is None


def test_variants_are_new_different_and_repeatable(lexicon: Lexicon) -> None:
    variants, text = Variants(lexicon), "The old farmer will repair 3 roads near the tree."
    made = variants.near(text, 6, random.Random(5))
    assert made == variants.near(text, 6, random.Random(5))
    assert 4 <= len(made) == len(set(made)) <= 6
    assert text not in made


def test_a_group_of_everyday_sentences_comes_from_one_frame(lexicon: Lexicon, frames: Path) -> None:
    everyday = Everyday(lexicon, frames)
    rng = random.Random(2)
    shapes = (
        r"An? (teacher|farmer|angry child) is (repairing|breaking|looking at) an? (hammer|axe)\.",
        r"The (hammer|axe) was (repaired|broken|looked at) by an? (teacher|farmer|angry child)",
        r"(Teachers|Farmers|Children|Persons|Instructors) (repaired|broke|looked at) it",
    )
    for _ in range(50):
        group = everyday.group(4, rng)
        assert len(group) == len(set(group))
        for sentence in group:
            assert any(re.fullmatch(shape, sentence) for shape in shapes), sentence


def test_every_shipped_frame_can_be_said(lexicon: Lexicon) -> None:
    everyday, rng = Everyday(lexicon, FRAMES, DEBATE), random.Random(3)
    for frame in everyday.frames:
        everyday.frames = [frame]
        slots = {slot for says in frame for slot in re.findall(r"\{([a-z]+)", says)}
        unknown = slots - everyday.lists.keys() - everyday.classes.keys()
        assert not unknown
        if all(slot in everyday.lists for slot in slots):
            assert all("{" not in text for text in everyday.group(20, rng))


def test_lines_that_share_a_telling_word_are_together(groups: Groups) -> None:
    tied = groups.tied(["one lane road", "a red bridge", "the lane is wet", "no answer here"])
    assert ["one lane road", "the lane is wet"] in tied
    assert sorted(line for group in tied for line in group) == sorted(
        ["one lane road", "a red bridge", "the lane is wet", "no answer here"]
    )


def test_a_stream_of_groups_goes_on_from_any_position(
    groups: Groups, tokenizer: PreTrainedTokenizerFast
) -> None:
    backend = tokenizer.backend_tokenizer
    whole = list(islice(groups.stream(backend, Position()), 60))
    assert whole[-1][0].epoch > 0
    for stop in (1, 7, 30, 59):
        resumed = groups.stream(backend, whole[stop - 1][0])
        assert list(islice(resumed, 60 - stop)) == whole[stop:]


def test_batches_hold_whole_groups_of_about_the_limit() -> None:
    groups = [[[1] * 5, [1] * 6], [[2] * 4], [[3] * 9, [3] * 9, [3] * 9], [[4] * 2]]
    batches = list(whole_groups(groups, 14))
    assert [[text[0] for text in batch] for batch in batches] == [[1, 1, 2], [3, 3], [4]]


def test_buckets_keep_every_text_and_pad_little() -> None:
    batch = [[7] * length for length in (3, 30, 4, 3, 28, 4, 29, 5, 60)]
    parts = list(buckets(batch, waste=0.1, least=0))
    assert sorted(map(len, (text for part in parts for text in part))) == sorted(map(len, batch))
    assert len(parts) > 1
    for part in parts:
        real, padded = sum(map(len, part)), len(part) * max(map(len, part))
        assert padded - real <= 0.1 * padded
