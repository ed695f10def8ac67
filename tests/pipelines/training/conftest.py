"""A tiny random teacher, a tiny tokenizer and a tiny corpus: real components, made small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertModel, BertTokenizerFast

from pipelines.training.batches import BatchPlan
from pipelines.training.initialise import StudentShape
from pipelines.training.lexicon import Lexicon
from pipelines.training.recipe import Recipe, Schedule

TEXT = "the council should repair old roads and plant more trees near our school today"


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Run on one thread: for products this small, threads only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def lines() -> list[str]:
    """Forty different short texts."""
    words = TEXT.split()
    return [" ".join([*words[i % 7 : i % 7 + 3 + i % 5], words[i % 13]]) for i in range(40)]


@pytest.fixture
def tokenizer(lines: list[str]) -> BertTokenizerFast:
    """A WordPiece tokenizer trained on the lines."""
    trained = BertWordPieceTokenizer()
    trained.train_from_iterator(lines, vocab_size=120, min_frequency=1, show_progress=False)
    return BertTokenizerFast(tokenizer_object=trained._tokenizer)


@pytest.fixture
def teacher() -> BertModel:
    """A random teacher of four layers and 16 dimensions."""
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=120,
        hidden_size=16,
        num_hidden_layers=4,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    return BertModel(config, add_pooling_layer=False).eval().requires_grad_(False)


@pytest.fixture
def recipe() -> Recipe:
    """A recipe of a few hundred tokens, two chunks an epoch."""
    return Recipe(
        plan=BatchPlan(seed=3, tokens=64, longest=32, chunk_lines=25),
        schedule=Schedule(tokens=900),
        shape=StudentShape(embedding_size=8, layers=4, groups=2),
    )


_NOUNS = """\
00000001 18 n 01 person 0 001 ~ 00000002 n 0000 | a human being
00000002 18 n 02 teacher 0 instructor 0 001 @ 00000001 n 0000 | one who teaches
00000003 18 n 01 farmer 0 001 @ 00000001 n 0000 | one who farms
00000004 06 n 01 road 0 000 | a way
00000005 20 n 01 tree 0 000 | a plant
00000006 18 n 01 child 0 001 @ 00000001 n 0000 | a young person
"""
_VERBS = """\
00000001 36 v 02 repair 0 mend 0 001 ! 00000002 v 0101 01 + 08 00 | make whole
00000002 36 v 01 break 0 001 ! 00000001 v 0101 01 + 08 00 | make unwhole
"""
_ADJECTIVES = """\
00000001 00 a 01 old 0 001 ! 00000002 a 0101 | not young
00000002 00 a 01 young 0 001 ! 00000001 a 0101 | not old
00000003 00 s 01 senile(p) 0 001 & 00000001 a 0000 | very old
"""


def _index(data: str, part: str) -> str:
    rows = [line.split() for line in data.splitlines()]
    words = [(row[4 + 2 * i], row[0]) for row in rows for i in range(int(row[3], 16))]
    return "".join(f"{word} {part} 1 0 1 1 {offset}  \n" for word, offset in words)


@pytest.fixture(scope="session")
def wordnet_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An unpacked ``wordnet-base`` of a dozen words, in WordNet's own format."""
    root = tmp_path_factory.mktemp("wordnet")
    folder = root / "usr/share/wordnet"
    folder.mkdir(parents=True)
    parts = (
        ("noun", "n", _NOUNS),
        ("verb", "v", _VERBS),
        ("adj", "a", _ADJECTIVES),
        ("adv", "r", ""),
    )
    for name, part, data in parts:
        (folder / f"data.{name}").write_text(f"  1 A notice\n{data}", encoding="latin-1")
        (folder / f"index.{name}").write_text(f"  1 A notice\n{_index(data, part)}", "latin-1")
    (folder / "cntlist.rev").write_text(
        "person%1:18:00:: 1 50\nteacher%1:18:00:: 1 9\nfarmer%1:18:00:: 1 4\nchild%1:18:00:: 1 7\n"
        "road%1:06:00:: 1 8\ntree%1:20:00:: 1 6\nrepair%2:36:00:: 1 3\nbreak%2:36:00:: 1 5\n"
        "old%3:00:00:: 1 9\nyoung%3:00:00:: 1 2\n",
        encoding="latin-1",
    )
    (folder / "noun.exc").write_text("children child\n", encoding="latin-1")
    (folder / "verb.exc").write_text("broke break\nbroken break\n", encoding="latin-1")
    return root


@pytest.fixture(scope="session")
def lexicon(wordnet_root: Path) -> Lexicon:
    """The small WordNet, read."""
    return Lexicon(wordnet_root)
