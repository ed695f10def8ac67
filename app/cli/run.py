"""``florilegium run``: one process, for cron and the terminal."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Any

import click

from app.cli.options import (
    asked_mapping,
    global_options,
    is_quiet,
    json_option,
    reading_options,
    settings,
)
from app.cli.output import advice, note, plain, print_json, print_ndjson, print_table

STOPPED = "Stopped before the end. What was committed stays; run the same command to go on."


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--collection", default="default", show_default=True, help="Collection to fill.")
@click.option("--recipe", help="Recipe: a bundled name or a TOML file.  [default: general]")
@click.option("--ontology", "ontologies", multiple=True, metavar="ID", help="Tag against ID.")
@reading_options
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option("--retry-failed", is_flag=True, help="Take up parked and failed ones again.")
@json_option
@click.option("--ndjson", is_flag=True, help="Print one JSON object a document as it is done.")
@global_options
@click.pass_context
def run(
    context: click.Context,
    paths: tuple[str, ...],
    collection: str,
    recipe: str | None,
    ontologies: tuple[str, ...],
    questions: tuple[str, ...],
    mapping: str | None,
    no_mapping: bool,
    ocr: bool | None,
    dry_run: bool,
    retry_failed: bool,
    as_json: bool,
    ndjson: bool,
) -> int:
    """Read new files and process what is pending.

    Without PATH only what is pending in the collection is processed. Unchanged files are known by
    size and time, then by hash. Example:

        florilegium run responses/ --collection parking --recipe consultation --ontology council
    """
    from app.jobs import RunRequest
    from app.runs import Hooks, execute_run

    request = RunRequest(
        collection=collection,
        paths=paths,
        recipe=recipe,
        ontologies=ontologies or None,
        questions=questions,
        retry_failed=retry_failed,
        mapping=asked_mapping(mapping, no_mapping),
        ocr=ocr,
    )
    if dry_run:
        from app.previews import preview_run

        report = preview_run(settings(), request)
    else:
        stopping = threading.Event()
        stop_on_sigterm(stopping)
        hooks = Hooks(
            progress=Progress(quiet=is_quiet()),
            document=_write_line if ndjson else (lambda row, result: None),
            stop=stopping.is_set,
        )
        report = execute_run(settings(), request, hooks)
    for warning in report.warnings:
        note(f"Warning: {warning}")
    if ndjson:
        print_ndjson({"report": report.as_json()})
    elif as_json:
        print_json(report.as_json())
    else:
        _print(report)
    if report.interrupted:
        raise KeyboardInterrupt
    if report.stopped:
        note(STOPPED)
        return 75
    return 3 if report.failed and not dry_run else 0


def _write_line(row: Any, result: Any) -> None:
    """Print the JSON line of a document; a reader that has gone does not end the run."""
    try:
        print_ndjson(_line(row, result))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        note("Warning: nobody reads the standard output any more; the run goes on.")


class Progress:
    """A bar on a terminal; elsewhere one line a minute; nothing when quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Any = None
        self._last = time.monotonic()
        self._message = ""

    def __call__(self, done: int, total: int, message: str) -> None:
        """Show ``done`` of ``total``."""
        if self._quiet:
            return
        if sys.stderr.isatty():
            self._draw(done, total, message)
        elif message != self._message or time.monotonic() - self._last >= 60:
            self._message, self._last = message, time.monotonic()
            note(f"{message}: {done:,} of {total:,}" if done and total else f"{message} …")

    def _draw(self, done: int, total: int, message: str) -> None:
        from tqdm import tqdm

        if self._bar is None or self._bar.total != total:
            self.close()
            self._bar = tqdm(
                total=total,
                file=sys.stderr,
                leave=False,
                unit=" documents",
                bar_format=None if total else "{desc}",
            )
        self._bar.set_description_str(f"{message}: " if total else f"{message} …")
        self._bar.update(done - self._bar.n)
        if total and done >= total:
            self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


_NAMES = {
    "duplicate": "of the processed, repeat an earlier text",
    "empty": "say nothing",
    "other_language": "other language",
    "skipped": "kept apart (not in the total)",
}


def stop_on_sigterm(stopping: threading.Event) -> None:
    """Set ``stopping`` when the process is told to end, instead of ending it in the middle."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, frame: stopping.set())


def _line(row: Any, result: Any) -> dict[str, Any]:
    return {
        "document": row.key,
        "outcome": result.outcome,
        "reason": result.reason,
        "sentences": len(result.sentences),
        "summary_sentences": len(result.summary),
        "labels": sum(label.assigned for label in result.labels),
        "tags": len(result.tags),
    }


def _print(report: Any) -> None:
    counts, what = report.documents, "would process" if report.dry_run else "processed"
    click.echo(
        f"Collection {report.collection} ({report.recipe}), workspace {settings().home}: "
        f"{counts['total' if report.dry_run else 'processed']:,} {what}, {report.seconds:.1f} s"
    )
    rows = [
        *(("documents", _NAMES.get(name, name), count) for name, count in counts.items() if count),
        *(("files", name, count) for name, count in report.files.items() if count),
    ]
    if rows:
        print_table(("of", "outcome", "count"), rows)
    for failure in report.failures:
        where = f"{failure.path} {failure.document}".strip()
        click.echo(f"\n{failure.outcome}: {plain(where)}\n  {plain(advice(failure.reason))}")
    if report.failures and not (report.files["read"] or report.files["unchanged"]):
        click.echo("\nNothing was read: see the reasons above.")
