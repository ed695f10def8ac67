from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import BertModel, PreTrainedTokenizerFast

from pipelines.training.errors import MissingSource
from pipelines.training.score_sts import embed, spearman


def test_vectors_come_back_in_order_and_alone_as_in_a_batch(
    teacher: BertModel, tokenizer: PreTrainedTokenizerFast, lines: list[str]
) -> None:
    backend = tokenizer.backend_tokenizer
    together = embed(teacher, backend, lines, batch=7)
    alone = torch.cat([embed(teacher, backend, [line]) for line in lines])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)
    torch.testing.assert_close(together.norm(dim=-1), torch.ones(len(lines)))


def test_identical_pairs_judged_highest_score_highest(
    tmp_path: Path, teacher: BertModel, tokenizer: PreTrainedTokenizerFast
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text('the old roads,the old roads,5.0\nthe roads,"plant trees, today",0.5\n')
    assert spearman(teacher, tokenizer.backend_tokenizer, path) == pytest.approx(1.0)


def test_a_missing_benchmark_is_named(
    tmp_path: Path, teacher: BertModel, tokenizer: PreTrainedTokenizerFast
) -> None:
    with pytest.raises(MissingSource, match="FLORILEGIUM_EVAL_DATA"):
        spearman(teacher, tokenizer.backend_tokenizer, tmp_path / "absent.csv")
