"""``florilegium models``: list, show, fetch and add; ``adapt``, ``compare``, ``tune`` stand apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.adapt import adapt
from app.cli.compare import compare
from app.cli.options import global_options, is_quiet, json_option, settings
from app.cli.output import note, plain, print_json, print_table
from app.cli.tune import tune
from app.errors import UsageError

if TYPE_CHECKING:
    from pipelines.models import ModelSpec


@click.group()
@global_options
def models() -> None:
    """List, show, fetch and compare the models."""


models.add_command(adapt)
models.add_command(compare)
models.add_command(tune)


@models.command("list")
@json_option
@global_options
def list_(as_json: bool) -> None:
    """List the models of this machine, and those that can be fetched by name."""
    from pipelines.installed import installed
    from pipelines.models import ModelSpec, embedded_spec
    from pipelines.presets import presets

    rows, names = [_row(embedded_spec())], set()
    for name, found in installed(settings().home / "models"):
        names.add(name)
        rows.append(_row(found) if isinstance(found, ModelSpec) else _broken(name, str(found)))
    others = [preset for preset in presets().values() if preset.id not in names]
    if as_json:
        available = [
            {
                "id": preset.id,
                "task": preset.task,
                "parameters_million": preset.parameters_million,
                "licence": preset.licence,
                "repository": preset.repository,
                "revision": preset.revision,
                "about": preset.about,
            }
            for preset in others
        ]
        print_json({"models": rows, "available": available})
        return
    columns = ("id", "task", "parameters", "bytes", "licence")
    print_table(columns, [[row[name] for name in columns] for row in rows if "error" not in row])
    for row in rows:
        if "error" in row:
            note(f"Warning: {row['id']} cannot be used: {row['error']}")
    if others:
        click.echo(
            "\nCan be fetched (florilegium models fetch ID; the only command that goes online):"
        )
        print_table(
            ("id", "task", "million", "licence", "what it is"),
            [[p.id, p.task, round(p.parameters_million), p.licence, p.about] for p in others],
        )


@models.command("show")
@click.argument("model", default="")
@json_option
@global_options
def show(model: str, as_json: bool) -> None:
    """Show a model's files, hashes and card (MODEL: an id of ``models list``, or a folder)."""
    from pipelines.errors import ModelUnavailable
    from pipelines.installed import find_model
    from pipelines.models import CARD
    from pipelines.presets import presets

    try:
        spec = find_model(model, settings().home / "models", kinds=("albert", "bert"))
    except ModelUnavailable as error:
        if model in presets() or Path(model).is_dir():
            raise
        raise UsageError(f"{error}. See: florilegium models list") from error
    if as_json:
        print_json({"models": [_row(spec) | {"files": dict(spec.files)}]})
        return
    for name, value in _row(spec).items():
        click.echo(f"{name:18} {value}")
    for name, digest in spec.files.items():
        click.echo(f"{digest}  {name}")
    card = spec.folder / CARD
    if card.is_file():
        click.echo("\n" + plain(card.read_text("utf-8", errors="replace")))


@models.command("fetch")
@click.argument("model", metavar="ID")
@click.option("--repository", metavar="OWNER/NAME", help="Any repository of the hub, kept as ID.")
@click.option("--revision", default="", metavar="COMMIT", help="Its commit.  [default: the newest]")
@click.option("--licence", default="", help="Its licence, for the manifest.")
@click.option("--endpoint", metavar="URL", help="A mirror of the hub.")
@json_option
@global_options
def fetch(
    model: str,
    repository: str | None,
    revision: str,
    licence: str,
    endpoint: str | None,
    as_json: bool,
) -> None:
    """Fetch a named model into the workspace: the only command that uses the network.

    Nothing about you or your documents is sent. The hashes of the files are written into the
    model's manifest, and every later load checks them.
    """
    from pipelines.fetch import ENDPOINT
    from pipelines.fetch import fetch as get
    from pipelines.presets import custom, presets

    if repository is not None:
        preset = custom(model, repository, revision, licence)
    elif model in presets():
        preset = presets()[model]
        if revision:
            preset = custom(model, preset.repository, revision, preset.licence)
    else:
        raise UsageError(
            f"No model {model!r} to fetch; there are {', '.join(presets())}. "
            f"Another one: florilegium models fetch {model} --repository OWNER/NAME"
        )
    where = endpoint or ENDPOINT
    if not is_quiet():
        note(f"Fetching {preset.repository} from {where} …")
    spec = get(preset, settings().home / "models", endpoint=where, progress=_progress())
    _done(spec, "Fetched", as_json)


@models.command("add")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--id", "name", default="", metavar="ID", help="Its name.  [default: the folder's]")
@click.option("--licence", default="", help="Its licence, for the manifest.")
@json_option
@global_options
def add(folder: Path, name: str, licence: str, as_json: bool) -> None:
    """Copy a model folder into the workspace, for a machine without network; its files are checked.

    A folder needs config.json, model.safetensors and tokenizer.json or spiece.model. Take the
    model.toml of the machine that fetched it along: it has the hashes.
    """
    from pipelines.installed import add_model
    from pipelines.models import folder_spec

    if not folder.is_dir():
        raise UsageError(
            f"No such folder: {str(folder)!r}. Expected a model folder with config.json, "
            "model.safetensors and a tokenizer."
        )
    found = folder_spec(folder, kinds=("albert", "bert"))
    from pipelines.stages.usable import require_usable

    require_usable(found)
    models = settings().home / "models"
    before = _weights(models / (name or found.id))
    spec = add_model(folder, models, id=name, licence=licence)
    if before and before != dict(spec.files)["model.safetensors"]:
        note(f"Warning: another model was there under {spec.id}, with weights {before}: replaced")
    _done(spec, "Added", as_json)


def _weights(folder: Path) -> str:
    """Return the sha256 of the weights in a model folder, "" where there are none."""
    import hashlib

    path = folder / "model.safetensors"
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _done(spec: ModelSpec, what: str, as_json: bool) -> None:
    if as_json:
        print_json({"models": [_row(spec) | {"files": dict(spec.files), "path": spec.folder}]})
        return
    click.echo(f"{what} {spec.id}: {spec.parameters:,} parameters, for {spec.task}, {spec.folder}")
    click.echo(f"Compare it: florilegium models compare --gold FILE --model {spec.id}")


def _progress() -> Callable[[str, int, int], None]:
    """Return what shows a bar on a terminal, and nothing elsewhere."""
    import sys

    if is_quiet() or not sys.stderr.isatty():
        return lambda *_: None
    from tqdm import tqdm

    bars: dict[str, Any] = {}

    def show(name: str, come: int, size: int) -> None:
        bar = bars.setdefault(name, None) or tqdm(
            total=size or None, desc=name, unit="B", unit_scale=True
        )
        bars[name] = bar
        bar.update(come - bar.n)

    return show


def _row(spec: ModelSpec) -> dict[str, Any]:
    return {
        "id": spec.id,
        "kind": spec.kind,
        "task": spec.task,
        "revision": spec.revision,
        "parameters": spec.parameters,
        "encoder_parameters": spec.encoder_parameters,
        "bytes": spec.bytes,
        "licence": spec.licence,
        "sha256": spec.sha256,
    }


def _broken(name: str, error: str) -> dict[str, Any]:
    nothing = {"parameters": None, "bytes": None, "licence": None, "sha256": None}
    return {"id": name, **nothing, "error": error}
