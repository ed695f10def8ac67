"""Reading a large consultation in: 30,000 respondents by six questions, and a CSV file of 500 MB.

Bars: the first under 60 seconds and 500 MiB, the second under 700 MiB, on two cores.
"""

from __future__ import annotations

import csv
import json
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path

from tests.bench.bench_run import command
from tests.bench.measure import gemm_gflops, print_row

RESPONDENTS = 30_000
BIG_BYTES = 500_000_000
WORDS = (
    "the a of to and in that for on with is are we our they people road bus cycle path park "
    "tree street school children crossing safe dangerous traffic lorry noise parking permit "
    "cost council local shop market library centre older disabled access pavement lighting "
    "evening winter summer flood drain river housing estate development green space playground "
    "bench litter bin collection recycling money tax service cut more less better worse need "
    "want should could please because although however never always often every week morning "
    "night young family neighbour resident business visitor "
)
QUESTIONS = (
    "What do you think of the proposed cycle route?",
    "How would the changes to parking affect you?",
    "What should we do first to make your street safer?",
    "What would you change about the bus timetable?",
    "Please tell us why you gave this answer.",
    "Is there anything else you would like to tell us?",
)
CLOSED: dict[str, tuple[str, ...]] = {
    "Age group": ("16-24", "25-34", "35-49", "50-64", "65-74", "75+", "Prefer not to say"),
    "Gender": ("Female", "Male", "Another", "Prefer not to say"),
    "Ward": tuple(f"{name} Ward" for name in ("North", "South", "Harbour", "Mill", "Castle")),
    "Respondent type": ("Resident", "Business", "Visitor", "Organisation"),
    "Disability": ("Yes", "No", "Prefer not to say"),
    "Ethnic group": ("White", "Asian", "Black", "Mixed", "Other", "Prefer not to say"),
    "The route is needed": ("Strongly agree", "Agree", "Neither", "Disagree", "Strongly disagree"),
    "Parking is fair": ("Strongly agree", "Agree", "Neither", "Disagree", "Strongly disagree"),
    "Streets are safe": ("Strongly agree", "Agree", "Neither", "Disagree", "Strongly disagree"),
    "Buses are reliable": ("Strongly agree", "Agree", "Neither", "Disagree", "Strongly disagree"),
    "How do you travel?": ("Walk", "Walk, Cycle", "Bus", "Car", "Car, Bus", "Cycle, Train"),
    "Newsletter": ("Yes", "No"),
}
HEADER = ("Response ID", "Submitted", *CLOSED, *QUESTIONS)


def main() -> None:
    """Print rows for both files: what the command took, and the machine's own pace with it."""
    with tempfile.TemporaryDirectory() as folder:
        survey, big = Path(folder, "survey.csv"), Path(folder, "big.csv")
        write(survey, respondents=RESPONDENTS)
        measure("30,000 x 6", survey, expected=6 * RESPONDENTS)
        measure("30,000 x 6 again", survey, expected=0)
        calibrate("30,000 x 6", survey)
        write(big, size=BIG_BYTES)
        measure("500 MB", big)
        calibrate("500 MB", big)
    # Last, so that torch's memory is not counted in what the commands began with.
    print_row("ingest: calibration", gemm_gflops=gemm_gflops(os.cpu_count() or 1))


def measure(case: str, path: Path, *, expected: int | None = None) -> None:
    """Ingest ``path`` in a process of its own and print its figures and its documents."""
    home = path.with_suffix(".home")
    name = f"ingest: {case}"
    said = command(
        name,
        ["--home", str(home), "ingest", str(path), "--collection", "survey", "--json", "--quiet"],
    )
    with closing(sqlite3.connect(home / "florilegium.sqlite")) as database:
        stored = database.execute("SELECT count(*), sum(length) FROM documents").fetchone()
    counts = {k: v for k, v in json.loads(said).items() if isinstance(v, int)}
    print_row(f"{name}: documents", stored=stored[0], characters=stored[1], **counts)
    if expected:
        assert stored[0] == expected, (stored, expected)


def calibrate(case: str, path: Path) -> None:
    """Print what this machine takes to parse the same file and to insert the same cells."""
    start = time.perf_counter()
    with path.open(encoding="utf-8", newline="") as handle:
        rows = sum(1 for _ in csv.reader(handle))
    parsing = time.perf_counter() - start
    start = time.perf_counter()
    marks = ", ".join("?" * len(HEADER))
    with (
        closing(sqlite3.connect(path.with_suffix(".sqlite"))) as database,
        path.open(encoding="utf-8", newline="") as handle,
    ):
        database.execute("PRAGMA journal_mode=WAL")
        database.execute(f"CREATE TABLE cells ({', '.join(f'c{n}' for n in range(len(HEADER)))})")
        database.executemany(f"INSERT INTO cells VALUES ({marks})", csv.reader(handle))
        database.commit()
    print_row(
        f"ingest: {case}: calibration",
        rows=rows,
        megabytes=path.stat().st_size / 1e6,
        csv_reader_seconds=parsing,
        parse_and_insert_seconds=time.perf_counter() - start,
    )


def write(path: Path, *, respondents: int | None = None, size: int | None = None) -> None:
    """Write the first ``respondents``, or as many as make ``size`` bytes."""
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(HEADER)
        for row in islice(rows(), respondents):
            writer.writerow(row)
            if size is not None and handle.tell() >= size:
                return


def rows() -> Iterator[list[str]]:
    """Yield respondents without end, the same in each run."""
    chance = random.Random(20)
    words = chance.choices(WORDS.split(), k=200_000)
    for number in count(1):
        yield [
            f"R{number:07}",
            f"2025-{1 + number % 12:02}-{1 + number % 28:02} {number % 24:02}:{number % 60:02}",
            *(chance.choice(options) for options in CLOSED.values()),
            *(answer(chance, words) for _ in QUESTIONS),
        ]


def answer(chance: random.Random, words: list[str]) -> str:
    """Return a text of sixty words on average: one in twelve is blank, one in fourteen long."""
    low, high = chance.choices(
        ((0, 0), (1, 8), (20, 60), (60, 150), (200, 400)), (8, 25, 40, 20, 7)
    )[0]
    length = chance.randint(low, high)
    if not length:
        return ""
    start = chance.randrange(len(words) - length)
    return " ".join(words[start : start + length]).capitalize() + "."


if __name__ == "__main__":
    main()
