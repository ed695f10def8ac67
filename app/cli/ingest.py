"""``florilegium ingest``: read only, and print the import report."""

from __future__ import annotations

import shlex
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.options import (
    asked_mapping,
    global_options,
    is_quiet,
    json_option,
    reading_options,
    settings,
)
from app.cli.output import note, print_json

if TYPE_CHECKING:
    from app.runs import Imported
    from pipelines.types import FileReport


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--collection", required=True, help="Collection to fill.")
@click.option("--recipe", help="Recipe of the collection.  [default: its own, else general]")
@reading_options
@click.option(
    "--write-mapping",
    "written",
    metavar="FILE",
    type=click.Path(),
    help="Write the column roles to FILE (TOML), to be edited.",
)
@click.option("--dry-run", is_flag=True, help="Print the report; store nothing.")
@json_option
@global_options
def ingest(
    paths: tuple[str, ...],
    collection: str,
    recipe: str | None,
    questions: tuple[str, ...],
    mapping: str | None,
    no_mapping: bool,
    ocr: bool | None,
    written: str | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Read files into a collection and print what each became; nothing is processed.

    The import report says for each file its encoding, header rows, columns with their roles, and
    what the rows became. To change a role, write the roles to a file, edit it and give it back;
    the collection remembers it:

    \b
        florilegium ingest answers.csv --collection parking --dry-run --write-mapping roles.toml
        florilegium ingest answers.csv --collection parking --mapping roles.toml
    """
    from app.cli.run import STOPPED, stop_on_sigterm
    from app.import_report import file_json, totals
    from app.jobs import RunRequest
    from app.previews import check_files
    from app.runs import Hooks, ingest_only
    from pipelines.types import FileOutcome

    again = _command(paths, collection, recipe, questions, ocr)
    if written is not None:
        _check_target(Path(written), again)
    request = RunRequest(
        collection=collection,
        paths=paths,
        recipe=recipe,
        questions=questions,
        mapping=asked_mapping(mapping, no_mapping),
        ocr=ocr,
    )
    in_force, stopping = settings(), threading.Event()
    stop_on_sigterm(stopping)
    hooks = Hooks(stop=stopping.is_set)
    read = check_files if dry_run else ingest_only
    imported = read(in_force, request, hooks)
    ingested = imported.ingested
    if written is not None:
        _write(Path(written), imported)
    if as_json:
        print_json(
            {
                "collection": collection,
                "documents": ingested.documents,
                "unchanged": ingested.unchanged,
                "files": [file_json(report) for report in ingested.reports],
                "totals": totals(ingested.reports),
                "failures": [asdict(failure) for failure in ingested.failures],
                "remembered": list(imported.reading.remembered),
                "mapping_written": written,
                "dry_run": dry_run,
            }
        )
    else:
        _print(imported, again, collection, written, dry_run)
    if stopping.is_set():
        note(STOPPED)
        return 75
    failed = ingested.count(FileOutcome.FAILED) or ingested.rejected
    return 3 if failed and not dry_run else 0


def _command(
    paths: tuple[str, ...],
    collection: str,
    recipe: str | None,
    questions: tuple[str, ...],
    ocr: bool | None,
) -> str:
    """Return the command as it was typed, but for mappings and the dry run."""
    words = ["florilegium", "ingest", *paths, "--collection", collection]
    words += ["--recipe", recipe] if recipe else []
    words += [word for question in questions for word in ("--question", question)]
    words += [] if ocr is None else ["--ocr" if ocr else "--no-ocr"]
    return shlex.join(words)


def _check_target(target: Path, again: str) -> None:
    """Refuse to write over an existing file: it may hold a person's decisions."""
    from app.errors import UsageError

    if target.exists():
        raise UsageError(
            f"--write-mapping {str(target)!r}: there is such a file already, and it may hold "
            f"decisions of yours; expected a new name. To read with it, type: {again} "
            f"--mapping {shlex.quote(str(target))}; to write a new one beside it, type: {again} "
            f"--dry-run --write-mapping {shlex.quote(str(_free(target)))}"
        )
    if not target.absolute().parent.is_dir():
        raise UsageError(
            f"--write-mapping {str(target)!r}: there is no folder {str(target.absolute().parent)!r}"
            f"; expected one that exists. Make it with: "
            f"{shlex.join(['mkdir', '-p', str(target.absolute().parent)])}"
        )


def _free(target: Path) -> Path:
    number = 2
    while (other := target.with_stem(f"{target.stem}-{number}")).exists():
        number += 1
    return other


def _write(target: Path, imported: Imported) -> None:
    from app.errors import UsageError
    from pipelines.readers.tables.mapping import Mapping, dump

    reports: list[FileReport] = [*imported.ingested.reports, *imported.known]
    relatives = [imported.relative(report.path) for report in reports]
    text = dump(reports, relatives, Mapping.from_text(imported.reading.mapping))
    try:
        with target.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise UsageError(
            f"--write-mapping {str(target)!r} cannot be written: {error.strerror}; expected a new "
            "file in a folder that you may write to."
        ) from error


def _print(
    imported: Imported, again: str, collection: str, written: str | None, dry_run: bool
) -> None:
    from app.cli.import_text import next_lines, report_lines, total_line

    lines = list(report_lines(imported))
    for line in lines:
        click.echo(line)
    if lines:
        click.echo()
    click.echo(total_line(imported, dry_run=dry_run))
    for remembered in imported.reading.remembered:
        click.echo(f"Read with what the collection remembers: {remembered}.")
    if not is_quiet():
        note("")
        for line in next_lines(
            again,
            collection,
            written,
            tables=any(report.tables for report in imported.ingested.reports),
            scans=any("OCR" in report.reason for report in imported.ingested.reports),
            dry_run=dry_run,
            documents=imported.ingested.documents,
        ):
            note(line)
