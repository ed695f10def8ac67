from __future__ import annotations

from itertools import islice

from transformers import PreTrainedTokenizerFast

from pipelines.training.batches import BatchPlan, Position, by_length, pad, stream, token_counts

PLAN = BatchPlan(seed=3, tokens=64, longest=32, chunk_lines=25)


def test_a_stream_goes_on_from_any_position(
    lines: list[str], tokenizer: PreTrainedTokenizerFast
) -> None:
    backend = tokenizer.backend_tokenizer
    whole = list(islice(stream(lines, backend, PLAN, Position()), 40))
    assert whole[-1][0].epoch > 0
    for stop in (1, 6, 17, 31):
        resumed = stream(lines, backend, PLAN, whole[stop - 1][0])
        assert list(islice(resumed, 40 - stop)) == whole[stop:]


def test_an_epoch_shows_every_line_once(
    lines: list[str], tokenizer: PreTrainedTokenizerFast
) -> None:
    backend = tokenizer.backend_tokenizer
    plan = BatchPlan(seed=3, tokens=64, longest=500, chunk_lines=25, joined=0.0)
    shown: list[str] = []
    for position, batch in stream(lines, backend, plan, Position()):
        if position.epoch == 1:
            break
        shown += [tokenizer.decode(ids, skip_special_tokens=True) for ids in batch]
    assert sorted(shown) == sorted(lines)


def test_a_batch_stays_within_its_limit_padding_included() -> None:
    texts = [[1] * length for length in (9, 2, 5, 5, 30, 3, 8)]
    batches = list(by_length(texts, 24))
    assert sorted(map(len, (text for batch in batches for text in batch))) == [2, 3, 5, 5, 8, 9, 30]
    assert all(len(batch) * max(map(len, batch)) <= 24 for batch in batches if len(batch) > 1)


def test_padding_is_masked() -> None:
    ids, mask = pad([[2, 5, 3], [2, 3]])
    assert ids.tolist() == [[2, 5, 3], [2, 3, 0]]
    assert mask.tolist() == [[1, 1, 1], [1, 1, 0]]


def test_counts_add_up_to_the_tokens(lines: list[str], tokenizer: PreTrainedTokenizerFast) -> None:
    backend = tokenizer.backend_tokenizer
    counts = token_counts(lines, backend, 120, at_once=7)
    backend.no_truncation()
    assert int(counts.sum()) == sum(len(text.ids) for text in backend.encode_batch(lines))
