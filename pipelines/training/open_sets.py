"""Readers of unlabelled texts from the open evaluation sets.

Only texts are read: no codes, labels, key points, votes or summaries, only the train part where a
set has parts, and never STS-B. Each reader takes the root that ``FLORILEGIUM_EVAL_DATA`` names.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from pipelines.training.errors import MissingSource
from pipelines.training.filters import sentences

EVAL_DATA_VARIABLE = "FLORILEGIUM_EVAL_DATA"

_NO_ANSWER = frozenset({"", "did not answer", "n/a", "na", "nothing", "none"})
_SPEAKER = re.compile(r"^\s*(?:\[\w+\]|[A-Z][\w ]{0,20}:)\s*")
_SPACED_MARK = re.compile(r"\s+([.,;:?!])")


def _existing(path: Path) -> Path:
    if not path.exists():
        raise MissingSource(
            f"{path} does not exist: {EVAL_DATA_VARIABLE} must name the folder of evaluation data"
        )
    return path


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with _existing(path).open(encoding="utf-8-sig", newline="") as stream:
        yield from csv.DictReader(stream)


def turns(dialogue: str) -> Iterator[str]:
    """Yield the sentences of each speaker's turn, without the speaker's name."""
    for turn in dialogue.splitlines():
        yield from sentences(_SPACED_MARK.sub(r"\1", _SPEAKER.sub("", turn)))


def polis(root: Path) -> Iterator[str]:
    """Yield public comments of the polis consultations."""
    for path in sorted(_existing(root / "consultation/polis_opendata").glob("*/comments.csv")):
        for row in _rows(path):
            yield row["comment-body"]


def key_point_arguments(root: Path) -> Iterator[str]:
    """Yield the arguments of the train part of IBM's key point analysis set (no key points)."""
    for row in _rows(root / "consultation/ibm_kpa_2021/arguments_train.csv"):
        yield row["argument"]


def nhs_comments(root: Path) -> Iterator[str]:
    """Yield NHS Friends and Family Test comments that are not flagged as identifying a person."""
    for row in _rows(root / "consultation/nhs_fft_pxtextmining/v6framework_230831.csv"):
        answer = row["FFT answer"].strip()
        flagged = row["Person identifiable info?"].strip().lower() not in {"", "0", "no"}
        if not flagged and answer.lower() not in _NO_ANSWER:
            if len(answer) <= 200:
                yield answer
            yield from sentences(answer)


def mts_dialog(root: Path) -> Iterator[str]:
    """Yield dialogue turns and note sentences of MTS-Dialog's train part."""
    for row in _rows(root / "clinical/mts-dialog/MTS-Dialog-TrainingSet.csv"):
        yield from turns(row["dialogue"])
        yield from sentences(row["section_text"])


def aci_bench(root: Path) -> Iterator[str]:
    """Yield dialogue turns of ACI-Bench's train part."""
    for row in _rows(root / "clinical/aci-bench/train.csv"):
        yield from turns(row["dialogue"])


def disease_abstracts(root: Path) -> Iterator[str]:
    """Yield titles and abstract sentences of the NCBI disease corpus's train part."""
    path = _existing(root / "clinical/ncbi-disease/NCBItrainset_corpus.txt")
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"\d+\|[ta]\|(.*)", line):
            yield from sentences(match.group(1))


def opinosis(root: Path) -> Iterator[str]:
    """Yield review sentences of the Opinosis topics (no summaries)."""
    for path in sorted(_existing(root / "summarisation/opinosis/topics").glob("*.data")):
        yield from path.read_text(encoding="cp1252", errors="replace").splitlines()
