"""``florilegium embed``: one vector a text."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json
from app.errors import UsageError


@click.command()
@click.option("--batch", "source", required=True, metavar="FILE", help="NDJSON file, - for stdin.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="NumPy file to write.")
@click.option("--model", default="", metavar="MODEL", help="Another ALBERT: id or folder.")
@json_option
@global_options
def embed(source: str, out: Path, model: str, as_json: bool) -> int:
    """Write one L2-normalised float32 row a record to a NumPy file; nothing is stored.

    A bad line gives a row of zeros and is named on stderr, so that rows and lines still match.
    """
    import os

    import numpy as np

    from app.cli.batch import records
    from app.workspace import build_encoder
    from pipelines.installed import find_model
    from pipelines.stages.encode import Encoder

    if out.is_dir() or not out.absolute().parent.is_dir():
        raise UsageError(
            f"The vectors cannot be written to {str(out)!r}: expected a file in a folder that is "
            "there. Name one with --out FILE.npy"
        )
    found = list(records(source))
    chosen = settings()
    if model:
        spec = find_model(model, chosen.home / "models")
        encoder = Encoder(spec, threads=chosen.threads or os.cpu_count() or 1)
    else:
        encoder = build_encoder(chosen)
    vectors = encoder.encode(
        [str(record.get("text", "")) if "error" not in record else "" for record in found]
    )
    with out.open("wb") as file:
        np.save(file, vectors)
    bad = [record["error"] for record in found if "error" in record]
    for error in bad:
        note(f"Error: {error}")
    answer = {
        "rows": len(found),
        "dimensions": int(vectors.shape[1]),
        "model": encoder.spec.id,
        "failed": len(bad),
        "path": out,
    }
    if as_json:
        print_json(answer)
    else:
        click.echo(f"{len(found):,} rows of {vectors.shape[1]} written to {out}")
    return 3 if bad else 0
