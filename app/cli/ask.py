"""``florilegium ask``: what a collection says to a question, and which model found it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table
from app.errors import UsageError

if TYPE_CHECKING:
    from app.settings import Settings
    from db.store import Store
    from pipelines.ask import Source
    from pipelines.models import ModelSpec
    from pipelines.stages.spans import SpanReader


@click.command()
@click.argument("collection")
@click.argument("question")
@click.option(
    "--model",
    metavar="MODEL",
    help="Question-answering model; florilegium-albert for sentences.  [default: one that is there]",
)
@click.option("--limit", default=5, show_default=True, type=click.IntRange(1, 1000))
@json_option
@global_options
def ask(collection: str, question: str, model: str | None, limit: int, as_json: bool) -> None:
    """Show the passages of a collection that answer a question; nothing is stored.

    With a question-answering ALBERT (florilegium models fetch albert-base-v2-squad2) the answers
    are the spans it marks, and there may be none. Without one they are the sentences nearest to
    the question, by the embedded model.
    """
    from app.workspace import build_encoder, open_store
    from pipelines.ask import ask as find

    if not question.strip():
        raise UsageError('The question is empty. For example: florilegium ask C "Why is it late?"')
    chosen = settings()
    store = open_store(chosen)
    sources = _sources(store, store.collection(collection).id)
    reader = _reader(chosen, model)
    encoder = build_encoder(chosen)
    reply = find(question, sources, encoder, reader, most=limit)
    spec: ModelSpec = encoder.spec if reader is None else reader.spec
    if as_json:
        print_json(
            {
                "question": question,
                "model": spec.id,
                "model_sha256": spec.sha256,
                "kind": "sentences" if reader is None else "spans",
                "searched": {
                    "documents": reply.documents,
                    "sentences": reply.sentences,
                    "passages": reply.passages,
                    "without_answer": reply.without,
                },
                "answers": [asdict(answer) for answer in reply.answers],
            }
        )
        return
    columns = ("document", "start", "end", "score", "text")
    if reply.answers:
        rows = [[asdict(answer)[column] for column in columns] for answer in reply.answers]
        print_table(columns, rows, width=100)
    elif reader is None:
        note(f"Nothing in {collection!r} is near to the question.")
    else:
        note(f"No answer: {spec.id} read {reply.passages:,} passages and found it in none.")
    kind = "best sentences by" if reader is None else "answers by"
    note(f"{kind} {spec.id}, from {reply.sentences:,} sentences of {reply.documents:,} documents")


def _reader(chosen: Settings, model: str | None) -> SpanReader | None:
    """Return the model that was asked for, else the first there is; None for sentences."""
    from pipelines.installed import find_model, first_for
    from pipelines.models import ANSWERS, EMBEDDED_ID

    if model == EMBEDDED_ID:
        return None
    folder = chosen.home / "models"
    spec = first_for(ANSWERS, folder) if model is None else find_model(model, folder)
    if spec is None:
        return None
    import os

    from pipelines.stages.spans import SpanReader

    return SpanReader(spec, threads=chosen.threads or os.cpu_count() or 1)


def _sources(store: Store, collection: int) -> Iterator[Source]:
    """Yield the documents that may answer, with the sentences of their newest result.

    Those that the run set aside (empty, in another language, withdrawn) are left out; one that was
    not processed yet is cut into sentences here.
    """
    from pipelines.ask import Source
    from pipelines.segment import segment
    from pipelines.types import Segment

    with store.export(collection, sentences=True, superseded=False) as view:
        for item in view.documents:
            document = item.document
            if document.withdrawn or document.aside:
                continue
            if not item.results:
                yield Source(document.key, document.text, segment(document.text))
                continue
            rows = next((r.sentences for r in reversed(item.results) if r.sentences), ())
            if rows:
                sentences = [Segment(row.start, row.end, row.position) for row in rows]
                yield Source(document.key, document.text, sentences)
