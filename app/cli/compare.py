"""``florilegium models compare``: which model is worth its size on the user's own labels."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.options import global_options, is_quiet, json_option, settings
from app.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from app.settings import Settings
    from pipelines.models import ModelSpec


@click.command("compare")
@click.option(
    "--gold",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV as for train: text, and labels as 0/1 columns or in one column.",
)
@click.option(
    "--model",
    "names",
    multiple=True,
    metavar="MODEL",
    help="Id or folder, ALBERT or BERT; repeat it.  [default: all of models list]",
)
@click.option("--label-columns", metavar="A,B,…", help="The 0/1 columns.  [default: all the rest]")
@click.option("--group", default="", metavar="COLUMN", help="Rows that belong together.")
@json_option
@global_options
def compare(
    gold: Path, names: tuple[str, ...], label_columns: str | None, group: str, as_json: bool
) -> int:
    """Compare models on coded texts: score, size, speed and memory, beside published scores.

    Each model gives the vectors, the same small learner on top is cross-validated on your labels,
    and a tf-idf SVM without a model is the floor. Each runs in a process of its own. The figures are
    kept in the workspace, where the Models page of the dashboard draws them.
    """
    import os

    from app.cli.label_report import split_columns
    from pipelines.compare import compare as run
    from pipelines.comparisons import Comparison, save_comparison
    from pipelines.errors import ModelError
    from pipelines.learn.examples import read_examples

    chosen = settings()
    examples = read_examples(gold, label_columns=split_columns(label_columns), group=group)
    specs = _specs(chosen, names)
    for warning in examples.warnings:
        note(f"Warning: {warning}")
    threads = chosen.threads or os.cpu_count() or 1
    floor, rows = run(
        specs, examples, threads=threads, said=(lambda _: None) if is_quiet() else note
    )
    failed = [row for row in rows if row.error]
    if failed and len(failed) == len(rows):
        raise ModelError("; ".join(row.error for row in failed))
    kept = Comparison(
        name=gold.stem,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        rows=len(examples.rows),
        labels=len(examples.labels),
        single=examples.single,
        threads=threads,
        floor=floor,
        models=tuple(rows),
    )
    try:
        save_comparison(chosen.home / "models", kept)
    except OSError as error:
        note(f"Warning: the figures are not kept for the Models page: {error}")
    if as_json:
        print_json(
            {
                "gold": gold,
                "rows": len(examples.rows),
                "labels": len(examples.labels),
                "single": examples.single,
                "score": "exact (accuracy)" if examples.single else "samples_f1",
                "threads": threads,
                "floor": {"id": floor.id, "scores": floor.scores, "interval": floor.interval},
                "models": [asdict(row) for row in rows],
                "published": _published(),
                "warnings": list(examples.warnings),
            }
        )
        return 3 if failed else 0
    _show(floor, rows, examples.single)
    return 3 if failed else 0


def _specs(chosen: Settings, names: tuple[str, ...]) -> list[ModelSpec]:
    from pipelines.installed import find_model, installed
    from pipelines.models import ModelSpec, embedded_spec

    folder, kinds = chosen.home / "models", ("albert", "bert")
    if names:
        return [find_model(name, folder, kinds=kinds) for name in dict.fromkeys(names)]
    there = [spec for _, spec in installed(folder) if isinstance(spec, ModelSpec)]
    return [embedded_spec(), *there]


def _show(floor: Any, rows: list[Any], single: bool) -> None:
    from pipelines.published import ELSEWHERE, FIVE, published

    name = "accuracy" if single else "samples F1"
    heads = (
        *("model", name, "95 % interval", "parameters", "a million", "bytes"),
        *("tokens/s", "peak MB"),
    )
    table = [
        [
            row.id,
            f"{row.score:.3f}",
            "–".join(f"{end:.3f}" for end in row.interval),
            row.parameters,
            "" if row.per_million is None else f"{row.per_million:.2f}",
            row.bytes,
            "" if row.tokens_per_second is None else f"{row.tokens_per_second:,.0f}",
            "" if row.peak_memory is None else f"{row.peak_memory / 1e6:,.0f}",
        ]
        for row in (floor, *rows)
        if not row.error
    ]
    print_table(heads, table)
    for row in rows:
        if row.error:
            note(f"Error: {row.error}")
    click.echo(f"\nPublished, for comparison ({FIVE}; other data than yours):")
    print_table(
        ("model", "average", "million", "a million", "as reported elsewhere", "source"),
        [
            [
                row.name,
                f"{row.average_of_five:.1f}",
                round(row.parameters_million),
                f"{row.per_million:.2f}",
                ""
                if row.as_reported_elsewhere_average is None
                else f"{row.as_reported_elsewhere_average:.1f}",
                row.source,
            ]
            for row in published()
        ],
    )
    click.echo(f"As reported elsewhere: {ELSEWHERE}, which it is not.")


def _published() -> list[dict[str, Any]]:
    from pipelines.published import published

    return [
        asdict(row) | {"name": row.name, "family": row.family, "per_million": row.per_million}
        for row in published()
    ]
