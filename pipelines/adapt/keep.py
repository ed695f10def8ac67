"""An adapted model as a folder like any other: weights, tokenizer, manifest, card, judgement."""

from __future__ import annotations

import copy
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.adapt.types import Judgement
from pipelines.installed import put_in_place
from pipelines.models import CARD, JUDGEMENT, ModelSpec, folder_spec, write_manifest

if TYPE_CHECKING:
    from pipelines.adapt.run import Adaptation


def export(training: Adaptation, folder: Path, *, name: str) -> ModelSpec:
    """Write the weights in float16 with tokenizer and manifest to ``folder``; return what it is."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    half: Any = copy.deepcopy(training.model).half()  # type: ignore[no-untyped-call]
    half.save_pretrained(folder)
    for file in training.spec.files:
        if "token" in file or file in ("spiece.model", "vocab.txt"):
            shutil.copyfile(training.spec.folder / file, folder / file)
    write_manifest(folder, id=name, revision=_revision(training), licence=training.spec.licence)
    return folder_spec(folder, id=name)


def keep(
    training: Adaptation, half: Path, target: Path, judgement: Judgement, *, collection: str
) -> ModelSpec:
    """Add the card and the judgement to the exported folder ``half`` and put it in ``target``."""
    facts = {
        "collection": collection,
        "from": {"id": training.spec.id, "sha256": training.spec.sha256},
        "documents": training.corpus.documents,
        "documents_read": len(training.corpus.train),
        "passages": training.corpus.passages,
        "tokens": training.progress.tokens,
        "recipe": asdict(training.recipe),
        "judgement": asdict(judgement),
    }
    (half / JUDGEMENT).write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    (half / CARD).write_text(_card(target.name, facts, judgement), "utf-8")
    put_in_place(half, target)
    return folder_spec(target, id=target.name)


def _revision(training: Adaptation) -> str:
    return (
        f"{training.spec.id} {training.spec.sha256[:12]}, adapted on documents "
        f"{training.corpus.sha256[:12]}, {training.progress.tokens} tokens, "
        f"seed {training.recipe.seed}"
    )


def _card(name: str, facts: dict[str, Any], judgement: Judgement) -> str:
    template = Path(__file__).with_name("card.md").read_text("utf-8")
    low, high = judgement.interval
    return template.format(
        name=name,
        **{key: facts[key] for key in ("collection", "documents", "passages", "tokens")},
        source=facts["from"]["id"],
        sha256=facts["from"]["sha256"],
        seed=facts["recipe"]["seed"],
        **asdict(judgement) | {"low": low, "high": high},
        verdict="It helped." if judgement.helped else "It did not help by this measure.",
    )
