"""Build the training corpus: one text a line, and a table of where every part comes from.

    python -m pipelines.training.corpus

writes ``corpus.txt`` (UTF-8) and ``corpus.json`` to ``build/training``. Packages are fetched with
``apt-get download`` into its folder ``deb`` unless they lie there already.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType

import click

from pipelines.training import debian_packages
from pipelines.training.errors import MissingSource, TrainingError
from pipelines.training.filters import accepted, shuffled
from pipelines.training.open_sets import EVAL_DATA_VARIABLE
from pipelines.training.sources import SOURCES, Source
from pipelines.training.stages import read_stages
from pipelines.training.teacher import load_tokenizer, sha256_of

log = logging.getLogger(__name__)

# Corpus, checkpoints and logs of training stay outside version control.
WORK = Path("build/training")


@dataclass(frozen=True, slots=True)
class Part:
    """What one source gave: its lines after filtering, and their WordPiece tokens."""

    name: str
    origin: str
    version: str
    licence: str
    lines: int
    tokens: int


def locate(source: Source, work: Path, eval_data: Path | None) -> tuple[Path, str]:
    """Return the root that the source's reader wants, and the package's version or ``""``.

    Raises MissingSource if it cannot be found or fetched.
    """
    if source.package:
        archive = debian_packages.fetch(source.origin, work / "deb")
        return debian_packages.unpack(archive, work / "unpacked"), debian_packages.version(archive)
    if eval_data is None:
        raise MissingSource(f"{source.name} needs {EVAL_DATA_VARIABLE}, which is not set")
    return eval_data, ""


def build(
    sources: tuple[Source, ...],
    *,
    work: Path,
    eval_data: Path | None,
    seed: int,
    times: Mapping[str, int] = MappingProxyType({}),
) -> tuple[list[str], list[Part]]:
    """Return the corpus in its seeded order and the table of its parts.

    A line found in two sources is kept from the first, so the order of ``sources`` matters.
    ``times`` says how often a source's lines come, if not once; the table counts them once.
    """
    tokenizer = load_tokenizer()
    seen: set[str] = set()
    corpus: list[str] = []
    parts: list[Part] = []
    for source in sources:
        root, version = locate(source, work, eval_data)
        lines = list(accepted(source.read(root), seen))
        encoded = tokenizer.backend_tokenizer.encode_batch(lines, add_special_tokens=False)
        tokens = sum(len(line.ids) for line in encoded)
        parts.append(Part(source.name, source.origin, version, source.licence, len(lines), tokens))
        log.info("%-20s %8d lines %9d tokens", source.name, len(lines), tokens)
        corpus.extend(lines * times.get(source.name, 1))
    return shuffled(corpus, seed), parts


@click.command(help=__doc__)
@click.option(
    "--work",
    type=click.Path(path_type=Path),
    default=WORK,
    show_default=True,
    help="Folder to write to.",
)
@click.option("--seed", default=20, show_default=True, help="Seed of the lines' order.")
@click.option(
    "--only", multiple=True, metavar="NAME", help="Take only this source; may be repeated."
)
@click.option(
    "--stage",
    type=click.Choice(list(read_stages())),
    help="Make the corpus of a stage of refinement, in a folder of that name.",
)
def main(work: Path, seed: int, only: tuple[str, ...], stage: str | None) -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    work = work.resolve()
    setting = os.environ.get(EVAL_DATA_VARIABLE)
    times = read_stages()[stage].lines if stage else {}
    wanted = only or times
    chosen = tuple(source for source in SOURCES if not wanted or source.name in wanted)
    try:
        lines, parts = build(
            chosen,
            work=work,
            eval_data=Path(setting) if setting else None,
            seed=seed,
            times=times,
        )
    except TrainingError as error:
        log.error("%s", error)
        raise SystemExit(error.exit_code) from error
    folder = work / stage if stage else work
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / "corpus.txt"
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table = {
        "seed": seed,
        "sha256": sha256_of(text),
        "lines": sum(part.lines for part in parts),
        "tokens": sum(part.tokens for part in parts),
        "parts": [asdict(part) for part in parts],
    }
    (folder / "corpus.json").write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    log.info("%d lines, %d tokens in %s", table["lines"], table["tokens"], text)


if __name__ == "__main__":
    main()
