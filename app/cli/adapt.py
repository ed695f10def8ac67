"""``florilegium models adapt``: continue training the embedded model on a collection's documents."""

from __future__ import annotations

import csv
import re
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.options import global_options, is_quiet, json_option, settings
from app.cli.output import note, print_json

if TYPE_CHECKING:
    from app.settings import Settings
    from pipelines.adapt.adapt import Adapted
    from pipelines.adapt.run import Progress

_SAMPLES = Path(__file__).parents[1] / "samples"
_WORDS = 4  # of a general sentence, at least


@click.command("adapt")
@click.argument("collection")
@click.option(
    "--tokens",
    type=click.IntRange(1_000, 1_000_000_000),
    help="Tokens to train on.  [default: 200,000]",
)
@click.option("--minutes", type=click.FloatRange(0.01, 10_000), help="Minutes, in place of tokens.")
@click.option("--name", default="", metavar="NAME", help="Its name.  [default: COLLECTION-albert]")
@click.option("--seed", default=20, show_default=True, type=click.IntRange(0, 2**31 - 1))
@click.option("--resume", is_flag=True, help="Go on where it was stopped.")
@json_option
@global_options
def adapt(
    collection: str,
    tokens: int | None,
    minutes: float | None,
    name: str,
    seed: int,
    resume: bool,
    as_json: bool,
) -> int:
    """Train the embedded model on a collection's own documents, and say whether that helped.

    No label, no other model and no network is needed. Some documents are kept apart; on them the
    model is judged before and after. Where it did not get better it is kept, but not recommended.
    Ctrl-C keeps what was learnt: the same command with --resume goes on to the same model.
    """
    import os

    from app.errors import UsageError
    from app.workspace import open_store
    from pipelines.adapt.adapt import adapt as train
    from pipelines.adapt.adapt import check_name
    from pipelines.adapt.types import AdaptRecipe

    if tokens is not None and minutes is not None:
        raise UsageError("Give --tokens N or --minutes M, one of the two.")
    chosen = settings()
    models = chosen.home / "models"
    name = name or re.sub(r"[^\w.-]+", "-", collection).strip("-.") + "-albert"
    check_name(name, models)
    recipe = AdaptRecipe(seed=seed) if tokens is None else AdaptRecipe(seed=seed, tokens=tokens)
    stopping = threading.Event()
    with _stopped_by(stopping), _progress() as stepped:
        made = train(
            _texts(chosen, open_store(chosen), collection),
            general_sentences(),
            models,
            name=name,
            collection=collection,
            recipe=recipe,
            minutes=minutes,
            resume=resume,
            threads=chosen.threads or os.cpu_count() or 1,
            stop=stopping.is_set,
            said=(lambda _: None) if is_quiet() else note,
            stepped=stepped,
        )
    _report(made, collection, name, as_json)
    return 0 if made.spec else 130


def general_sentences() -> list[str]:
    """Return sentences of the sample collections, which hold the model where it was."""
    from pipelines.segment import segment_all

    texts = [path.read_text("utf-8") for path in sorted(_SAMPLES.rglob("*.txt"))]
    for path in sorted(_SAMPLES.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            texts += [cell for row in csv.reader(file) for cell in row]
    found = (
        text[one.start : one.end]
        for text, segments in zip(texts, segment_all(texts), strict=True)
        for one in segments
    )
    return [sentence for sentence in dict.fromkeys(found) if len(sentence.split()) >= _WORDS]


def _texts(chosen: Settings, store: Any, collection: str) -> Iterator[str]:
    """Yield the documents' texts; those set aside or withdrawn are left out."""
    with store.export(store.collection(collection).id, superseded=False) as view:
        for item in view.documents:
            if not (item.document.withdrawn or item.document.aside):
                yield item.document.text


def _report(made: Adapted, collection: str, name: str, as_json: bool) -> None:
    progress, judgement, spec = made.progress, made.judgement, made.spec
    if spec is None or judgement is None:
        note(
            f"Stopped after {progress.tokens:,} of {made.tokens:,} tokens; what was learnt is kept. "
            f"Go on with: florilegium models adapt {collection} --name {name} --resume"
        )
    if as_json:
        figures = {"tokens": progress.tokens, "budget": made.tokens, "steps": progress.step}
        print_json(
            {
                "collection": collection,
                "name": name,
                "documents": made.documents,
                "passages": made.passages,
                **figures,
                "seconds": round(progress.seconds, 1),
                "finished": spec is not None,
                "recommended": bool(judgement and judgement.helped),
                "judgement": asdict(judgement) if judgement else None,
                "model": {"id": spec.id, "sha256": spec.sha256, "path": spec.folder}
                if spec
                else None,
            }
        )
        return
    if spec is None or judgement is None:
        return
    low, high = judgement.interval
    click.echo(
        f"{spec.id}: {progress.tokens:,} tokens in {progress.seconds:,.0f} s, {spec.folder}\n"
        f"A passage finds its neighbour among {judgement.among} others (mean reciprocal rank, "
        f"{judgement.pairs} pairs kept apart): {judgement.before:.3f} before, "
        f"{judgement.after:.3f} after, gain {judgement.gain:+.3f} ({low:+.3f} to {high:+.3f})\n"
        f"General sentences: mean cosine {judgement.nearness:.3f} with their former vectors, "
        f"similarities in the same order {judgement.order:.3f}"
    )
    if judgement.helped:
        click.echo(
            "It helped on documents that it had not seen. Use it: a line "
            f"model = {name!r} in a recipe, or --model {name}. Whether your labels gain: "
            f"florilegium models compare --gold FILE --model {name} --model florilegium-albert"
        )
    else:
        click.echo(
            "It did not help by this measure: it is kept, but not recommended. The embedded model "
            "stays the better choice; more documents or --tokens may change that."
        )


class _stopped_by:
    """Set an event at the first Ctrl-C or SIGTERM within the block; a second Ctrl-C interrupts."""

    def __init__(self, event: threading.Event) -> None:
        self._event = event
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._stop)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _stop(self, number: int, _: object) -> None:
        if self._event.is_set():
            raise KeyboardInterrupt
        self._event.set()


class _progress:
    """A bar on a terminal; elsewhere one line a minute; nothing when quiet."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._last = 0.0

    def __enter__(self) -> Callable[[Progress, int], None]:
        import time

        self._last = time.monotonic()
        return self._show

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _show(self, progress: Progress, budget: int) -> None:
        import sys
        import time

        if is_quiet():
            return
        if sys.stderr.isatty():
            if self._bar is None:
                from tqdm import tqdm

                self._bar = tqdm(total=budget, file=sys.stderr, unit=" tokens", unit_scale=True)
            self._bar.update(min(progress.tokens, budget) - self._bar.n)
        elif time.monotonic() - self._last >= 60:
            self._last = time.monotonic()
            note(f"training: {progress.tokens:,} of {budget:,} tokens")
