"""The examples that the bundled label sets are learnt from: open data, and our own short texts."""

from __future__ import annotations

import csv
import random
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.learn.types import Example, Examples

EXAMPLES = Path(__file__).parent / "examples"
SENTIMENT = ("very positive", "positive", "neutral", "negative", "very negative")
RICHNESS = ("evidence or example", "opinion only")
_SEED = 11
_EACH = 100  # documents of each kind
_READ = 1200  # characters of a long document
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a set's examples come from, as its card says it."""

    data: str
    licence: str
    read: Callable[[Path], Examples]


def sentiment(folder: Path) -> Examples:
    """Return public-service comments with their five-step sentiment; a respondent is a group."""
    rows = [
        Example(
            id=row["Comment ID"],
            text=row["FFT answer"],
            question=row["FFT question"],
            labels=(SENTIMENT[int(row["Comment sentiment"]) - 1],),
            group=row["Respondent ID"],
        )
        for row in _csv(folder / "consultation/nhs_fft_pxtextmining/v6framework_230831.csv")
        if row["Comment sentiment"] in "12345" and row["Comment sentiment"] and row["FFT answer"]
    ]
    return Examples(SENTIMENT, tuple(rows), single=True)


def section(folder: Path) -> Examples:
    """Return dialogues, and the note sections written from them, with the section's heading."""
    rows = []
    for row in _csv(folder / "clinical/mts-dialog/MTS-Dialog-TrainingSet.csv"):
        label = (row["section_header"].strip(),)
        for kind in ("dialogue", "section_text"):
            if row[kind].strip():
                rows.append(Example(f"{row['ID']} {kind}", row[kind], label, group=row["ID"]))
    labels = tuple(sorted({row.labels[0] for row in rows}))
    return Examples(labels, tuple(rows), single=True)


def richness(_: Path) -> Examples:
    """Return our own short answers, with evidence or an example and without."""
    rows = [
        Example(str(number), row["text"], (row["labels"],))
        for number, row in enumerate(_csv(EXAMPLES / "richness.csv"))
    ]
    return Examples(RICHNESS, tuple(rows), single=True)


def kind(folder: Path) -> Examples:
    """Return documents of ten kinds: four from open data, six put together by lot."""
    lot = random.Random(_SEED)
    found = {name: lot.sample(texts, min(_EACH, len(texts))) for name, texts in _real(folder)}
    forms = tomllib.loads((EXAMPLES / "kinds.toml").read_text("utf-8"))
    subjects = [
        sentence
        for name in ("survey answer", "clinical note", "scientific abstract")
        for text in found[name]
        for sentence in _SENTENCE.split(" ".join(text.split()))
        if 4 <= len(sentence.split()) <= 40
    ]
    for name, form in forms.items():
        found[name] = [_put_together(form, subjects, lot) for _ in range(_EACH)]
    rows = [
        Example(f"{name} {number}", text, (name,))
        for name, texts in sorted(found.items())
        for number, text in enumerate(texts)
    ]
    return Examples(tuple(sorted(found)), tuple(rows), single=True)


def _put_together(form: dict[str, list[str]], subjects: list[str], lot: random.Random) -> str:
    own = lot.sample(form["sentences"], lot.randint(1, 5))
    if form["open"]:
        own += lot.sample(subjects, lot.randint(1, 4))
        lot.shuffle(own)
    # One in five comes without its opening, one in three without its closing, as excerpts do.
    opening = lot.choice(form["openings"]) if lot.random() > 0.2 else ""
    closing = lot.choice(form["closings"]) if lot.random() > 0.33 else ""
    between = "\n" if lot.random() < 0.3 else " "
    return f"{opening}{between.join(own)}{closing}".strip()


def _real(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield kinds of which there are open documents."""
    answers = [
        row["FFT answer"]
        for row in _csv(folder / "consultation/nhs_fft_pxtextmining/v6framework_230831.csv")
        if len(row["FFT answer"].split()) > 2
    ]
    answers += [
        row["argument"] for row in _csv(folder / "consultation/ibm_kpa_2021/arguments_train.csv")
    ]
    yield "survey answer", answers
    mts = list(_csv(folder / "clinical/mts-dialog/MTS-Dialog-TrainingSet.csv"))
    aci = list(_csv(folder / "clinical/aci-bench/train.csv"))
    notes = [row["section_text"] for row in mts if len(row["section_text"].split()) > 12]
    yield "clinical note", [*(row["note"][:_READ] for row in aci), *notes[:: len(notes) // 80]]
    talks = [row["dialogue"] for row in mts]
    yield "conversation", [*(row["dialogue"][:_READ] for row in aci), *talks[:: len(talks) // 80]]
    papers = (folder / "clinical/ncbi-disease/NCBItrainset_corpus.txt").read_text("utf-8")
    yield "scientific abstract", re.findall(r"^\d+\|a\|(.+)$", papers, re.M)


def _csv(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


NHS = "NHS Friends and Family comments of two trusts (pxtextmining, v6framework_230831)"
SOURCES = {
    "sentiment": Source(NHS, "MIT (repository)", sentiment),
    "section": Source(
        "MTS-Dialog, training part: dialogues and the note sections written from them",
        "CC BY 4.0 (Ben Abacha et al. 2023)",
        section,
    ),
    "richness": Source(
        "177 short answers written for this project (`pipelines/training/examples/richness.csv`); "
        "no open data with this judgement by people was found",
        "MIT, as the program",
        richness,
    ),
    "kind": Source(
        f"{NHS}; IBM key point data 2021, train; MTS-Dialog and ACI-Bench, train; NCBI disease "
        "corpus, train; letters, emails, reports, minutes, newspaper items and notices put "
        "together by lot from parts written for this project (`kinds.toml`)",
        "MIT; Apache-2.0; CC BY 4.0; public domain; MIT",
        kind,
    ),
}
