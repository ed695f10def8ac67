"""One adaptation: steps on the CPU, a checkpoint that loses nothing, a stop that keeps it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import normalize
from torch.optim import AdamW
from transformers import AlbertModel

from pipelines.adapt.batches import Batch, Ids, batches
from pipelines.adapt.errors import AdaptError
from pipelines.adapt.objective import loss_parts, total
from pipelines.adapt.passages import Corpus
from pipelines.adapt.types import AdaptRecipe
from pipelines.models import ModelSpec
from pipelines.stages.encode import Encoder
from pipelines.stages.tokens import load_tokenizer, special_ids, without_surrogates

CHECKPOINT = "checkpoint.pt"
SAVE_SECONDS = 60.0
"""Between two checkpoints; the last one is written when the training stops, however it does."""


@dataclass(slots=True)
class Progress:
    """How far it has come: the next batch, real tokens seen, seconds of training."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    tokens: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=lambda: [0.0] * 4)


class Adaptation:
    """A training in its folder, from the model ``spec`` on. Deterministic on one machine.

    ``general`` are sentences of no collection in particular. The model is trained in float32 on
    as many threads as torch has.
    """

    def __init__(
        self,
        folder: Path,
        *,
        spec: ModelSpec,
        corpus: Corpus,
        general: Sequence[str],
        recipe: AdaptRecipe,
        encoder: Encoder | None = None,
    ) -> None:
        self.folder, self.spec, self.corpus, self.recipe = folder, spec, corpus, recipe
        self.progress = Progress()
        self._encoder = encoder or Encoder(spec, threads=torch.get_num_threads())
        self._was: dict[str, np.ndarray[Any, Any]] = {}  # by passage, float16, made when needed
        self.model = _loaded(spec)
        tokenizer = load_tokenizer(spec, vocabulary=self.model.config.vocab_size)
        self._encode = _encoded(tokenizer, recipe.longest)
        self._general, self._general_ids = tuple(general), self._encode(general)
        self._optimiser = AdamW(self._groups(), betas=(0.9, 0.98), weight_decay=0.01)

    @property
    def settings(self) -> dict[str, Any]:
        """What a checkpoint must have been written with."""
        return {"recipe": asdict(self.recipe), "documents": self.corpus.sha256} | {
            "model": self.spec.sha256
        }

    @property
    def done(self) -> bool:
        """Whether the budget is used up."""
        return self.progress.tokens >= self.recipe.tokens

    def budget(self, minutes: float) -> None:
        """Set the budget to what this machine gives in ``minutes``, by timing two steps' work."""
        source = batches(self.corpus, self.recipe, self._encode, len(self._general_ids))
        tokens, seconds = 0, 0.0
        for number in range(3):
            _, _, batch = next(source)
            began = time.perf_counter()
            total(self._parts(batch), self.recipe).backward()  # type: ignore[no-untyped-call]
            self._optimiser.zero_grad(set_to_none=True)
            if number:  # the first pays for what is made once
                seconds += time.perf_counter() - began
                tokens += self._size(batch)
        rate = tokens / max(seconds, 1e-9)
        self.recipe = replace(self.recipe, tokens=max(1, int(rate * 60.0 * minutes)))

    def train(
        self,
        *,
        stop: Callable[[], bool] = lambda: False,
        said: Callable[[Progress], None] = lambda _: None,
    ) -> bool:
        """Train to the end of the budget or until ``stop`` says so; tell whether the end was reached.

        The checkpoint is written once a minute and at the end, whatever ends it.
        """
        progress = self.progress
        source = batches(
            self.corpus,
            self.recipe,
            self._encode,
            len(self._general_ids),
            epoch=progress.epoch,
            first=progress.batch,
        )
        self.model.train()
        saved = time.monotonic()
        while not self.done and not stop():
            began = time.monotonic()
            epoch, following, batch = next(source)
            progress.losses = self._step(batch)
            progress.epoch, progress.batch = epoch, following
            progress.step += 1
            progress.tokens += self._size(batch)
            progress.seconds += time.monotonic() - began
            said(progress)
            if time.monotonic() - saved > SAVE_SECONDS:
                self.save()
                saved = time.monotonic()
        self.model.train(False)
        self.save()
        return self.done

    def save(self) -> None:
        """Write the checkpoint so that a reader finds the old one or the new one, never a torn one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f"{CHECKPOINT}.partial"
        torch.save(
            {
                "settings": json.dumps(self.settings, sort_keys=True),
                "progress": asdict(self.progress),
                "model": self.model.state_dict(),
                "optimiser": self._optimiser.state_dict(),
            },
            partial,
        )
        partial.replace(self.folder / CHECKPOINT)

    def resume(self) -> bool:
        """Go on from the checkpoint; False where there is none.

        Its budget is the one in force. Raises ``AdaptError`` where it was written for other
        documents, another model or other settings.
        """
        path = self.folder / CHECKPOINT
        if not path.is_file():
            return False
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            theirs = json.loads(state["settings"])
        except Exception as error:  # torch raises many kinds for a file that is none
            raise AdaptError(
                f"{path} is not a readable checkpoint: {error}; adapt again without --resume"
            ) from error
        self.recipe = replace(self.recipe, tokens=theirs["recipe"]["tokens"])
        differing = [key for key, value in self.settings.items() if theirs.get(key) != value]
        if differing:
            raise AdaptError(
                f"{path} was written with other {' and '.join(sorted(differing))} (the collection "
                "or the program has changed since); adapt again without --resume"
            )
        self.model.load_state_dict(state["model"])
        self._optimiser.load_state_dict(state["optimiser"])
        self.progress = Progress(**state["progress"])
        return True

    def _step(self, batch: Batch) -> list[float]:
        factor = self.recipe.factor(self.progress.tokens)
        for group in self._optimiser.param_groups:
            group["lr"] = group["full"] * factor
        parts = self._parts(batch)
        self._optimiser.zero_grad(set_to_none=True)
        total(parts, self.recipe).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimiser.step()
        return [part.item() for part in parts]

    def _parts(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        general = [self._general_ids[number] for number in batch.general]
        vectors = self._vectors([*batch.left_views, *batch.right_views, *general])
        size = len(batch.left)
        return loss_parts(
            (vectors[:size], vectors[size : 2 * size]),
            (self._former(batch.left), self._former(batch.right)),
            vectors[2 * size :],
            self._former([self._general[number] for number in batch.general]),
            self.recipe,
        )

    def _vectors(self, sequences: list[Ids]) -> Tensor:
        """Return unit vectors, [sequences, H]; like lengths run together, to pad little."""
        order = sorted(range(len(sequences)), key=lambda row: (len(sequences[row]), row))
        pieces = []
        for start in range(0, len(order), 24):
            here = [sequences[row] for row in order[start : start + 24]]
            ids = torch.zeros(len(here), len(here[-1]), dtype=torch.long)
            mask = torch.zeros_like(ids)
            for row, sequence in enumerate(here):
                ids[row, : len(sequence)] = torch.tensor(sequence)
                mask[row, : len(sequence)] = 1
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=_has_bfloat16()):
                states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
            weight = mask.unsqueeze(-1).float()
            pieces.append((states.float() * weight).sum(1) / weight.sum(1))
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return normalize(torch.cat(pieces)[back], dim=-1)

    def _former(self, passages: Sequence[str]) -> Tensor:
        """Return the model's vectors of whole passages as it was, [passages, H]."""
        if missing := [one for one in dict.fromkeys(passages) if one not in self._was]:
            vectors = self._encoder.encode(missing).astype(np.float16)
            self._was.update(zip(missing, vectors, strict=True))
        return torch.from_numpy(np.stack([self._was[one] for one in passages]).astype(np.float32))

    def _size(self, batch: Batch) -> int:
        general = [self._general_ids[number] for number in batch.general]
        return sum(map(len, [*batch.left_views, *batch.right_views, *general]))

    def _groups(self) -> list[dict[str, Any]]:
        """Return the parameters with the embeddings' rate and with the others'."""
        groups = []
        for inside, rate in ((True, self.recipe.embedding_rate), (False, self.recipe.other_rate)):
            parameters = [
                parameter
                for name, parameter in self.model.named_parameters()
                if name.startswith("embeddings.") is inside
            ]
            groups.append({"params": parameters, "lr": rate, "full": rate})
        return groups


def _loaded(spec: ModelSpec) -> AlbertModel:
    """Return the model in float32, without the library's remarks on heads that are not needed."""
    said: Any = transformers.utils.logging
    before = said.get_verbosity()
    said.set_verbosity_error()
    said.disable_progress_bar()
    try:
        return AlbertModel.from_pretrained(
            spec.folder, local_files_only=True, dtype=torch.float32, add_pooling_layer=False
        )
    finally:
        said.set_verbosity(before)


def _encoded(tokenizer: Tokenizer, longest: int) -> Callable[[Sequence[str]], list[Ids]]:
    before, after = special_ids(tokenizer)
    room = longest - len(before) - len(after)

    def encode(texts: Sequence[str]) -> list[Ids]:
        clean = [without_surrogates(text) for text in texts]
        found = tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        return [[*before, *one.ids[:room], *after] for one in found]

    return encode


def _has_bfloat16() -> bool:
    """Tell whether the processor multiplies bfloat16 itself; elsewhere it is slower than float32."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
