"""``florilegium models tune``: which engine this machine runs the model with, by measuring."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from app.cli.options import global_options, is_quiet, json_option, settings
from app.cli.output import note, print_json, print_table
from app.errors import UsageError

_FEWEST = 20
_SAMPLES = ("clinical", "historical")


@click.command("tune")
@click.option(
    "--texts",
    type=click.Path(path_type=Path),
    help="Text file to measure on, one text a line.  [default: the sample collections]",
)
@click.option("--dry-run", is_flag=True, help="Measure only; keep the engine in force.")
@json_option
@global_options
def tune(texts: Path | None, dry_run: bool, as_json: bool) -> None:
    """Measure the engines on this machine and write down the fastest one that changes nothing.

    An engine counts where its vectors stay those of float32 (mean cosine 0.995 or more, none below
    0.97) and it is clearly faster. Results of another engine are other results: they are computed
    again.
    """
    import os

    from pipelines.engines import best, read_choice, write_choice
    from pipelines.models import embedded_spec
    from pipelines.tune import tune as measure

    chosen = settings()
    folder = chosen.home / "models"
    lines = _lines(texts)
    spec = embedded_spec()
    rows = measure(
        spec,
        lines,
        own=_lines(None),
        folder=folder,
        threads=chosen.threads or os.cpu_count() or 1,
        said=(lambda _: None) if is_quiet() else note,
    )
    engine = best(rows)
    path = None if dry_run else write_choice(folder, engine, rows, model=spec.sha256)
    if as_json:
        in_force = read_choice(folder, spec.sha256)
        answer = {"engine": engine, "in_force": in_force, "path": path, "texts": len(lines)}
        print_json(answer | {"engines": [asdict(row) for row in rows]})
        return
    columns = ("engine", "tokens_per_second", "gain", "mean_cosine", "least_cosine", "allowed")
    print_table(
        columns,
        [
            [
                row.engine,
                round(row.tokens_per_second),
                f"{row.gain:.2f}",
                f"{row.mean_cosine:.5f}",
                f"{row.least_cosine:.5f}",
                row.allowed,
            ]
            for row in rows
        ],
    )
    click.echo(f"{'Best' if dry_run else 'Written down'}: {engine}")


def _lines(file: Path | None) -> list[str]:
    """Return the texts to measure on. Raises UsageError where there are too few."""
    if file is None:
        from pipelines.segment import segment

        found: list[str] = []
        samples = Path(__file__).parents[1] / "samples"
        for name in _SAMPLES:
            for path in sorted((samples / name).glob("*.txt")):
                text = path.read_text("utf-8")
                found += [text[one.start : one.end] for one in segment(text)]
        return found
    if not file.is_file():
        raise UsageError(f"No such file: {str(file)!r}. Expected a text file, one text a line.")
    lines = file.read_text("utf-8", errors="replace").splitlines()
    texts = [line for line in lines if line.strip()]
    if len(texts) < _FEWEST:
        raise UsageError(
            f"{str(file)!r} holds {len(texts)} texts; expected {_FEWEST} or more to measure on."
        )
    return texts
