"""``florilegium models list`` and ``models show``."""

from __future__ import annotations

from typing import Any

import click

from app.cli.options import global_options, json_option
from app.cli.output import print_json, print_table
from app.errors import UsageError


@click.group()
@global_options
def models() -> None:
    """List and show the models."""


@models.command("list")
@json_option
@global_options
def list_(as_json: bool) -> None:
    """List the models this installation can use."""
    from pipelines.models import embedded_spec

    rows = [_row(embedded_spec())]
    if as_json:
        print_json({"models": rows})
        return
    print_table(
        ("model", "parameters", "bytes", "licence"),
        [(row["id"], row["parameters"], row["bytes"], row["licence"]) for row in rows],
    )


@models.command("show")
@click.argument("model", default="")
@json_option
@global_options
def show(model: str, as_json: bool) -> None:
    """Show a model's files, hashes and card (MODEL: an id of ``models list``, or a folder)."""
    from pathlib import Path

    from pipelines.models import EMBEDDED_FOLDER, EMBEDDED_ID, embedded_spec, folder_spec

    if model in ("", EMBEDDED_ID):
        spec = embedded_spec()
    elif Path(model).is_dir():
        spec = folder_spec(Path(model))
    else:
        raise UsageError(
            f"No model {model!r}: expected {EMBEDDED_ID!r} or a folder with config.json and "
            "model.safetensors. See: florilegium models list"
        )
    if as_json:
        print_json({"models": [_row(spec) | {"files": dict(spec.files)}]})
        return
    for name, value in _row(spec).items():
        click.echo(f"{name:12} {value}")
    for name, digest in spec.files.items():
        click.echo(f"{digest}  {name}")
    card = EMBEDDED_FOLDER / "MODEL_CARD.md"
    if spec.folder == EMBEDDED_FOLDER and card.is_file():
        click.echo("\n" + card.read_text("utf-8"))


def _row(spec: Any) -> dict[str, Any]:
    return {
        "id": spec.id,
        "revision": spec.revision,
        "parameters": spec.parameters,
        "bytes": spec.bytes,
        "licence": spec.licence,
        "sha256": spec.sha256,
    }
