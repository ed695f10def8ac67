"""Two thousand broken files: each has an outcome in time, and no whole sentinel is lost unsaid."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pipelines.readers import ReadOptions, UnreadableFile, discover, read
from pipelines.readers.types import Limits, SourceFile
from pipelines.types import FileOutcome, FileReport, Role
from tests.pipelines.readers.mutation_bases import SENTINEL, bases
from tests.pipelines.readers.mutations import Mutation, mutate, survivors

EACH = 100  # of twenty bases
SECONDS = 10.0
OPTIONS = ReadOptions(limits=Limits(seconds=8))
NAMES = [base.name for base in bases()]
LOSS = re.compile(
    r"left out|not read|not kept|could not|cannot|reject|skipp|lost|broken|damaged|incomplete"
    r"|unreadable|invalid|never closed|not closed|unclosed|cut short|ignored",
    re.IGNORECASE,
)


@dataclass
class Findings:
    """Everything that the readers said about a file and the files inside it."""

    text: list[str] = field(default_factory=list)
    reports: list[FileReport] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def take(self, file: SourceFile) -> None:
        """Read ``file`` and what is inside it."""
        with read(file, OPTIONS) as reading:
            documents = []
            try:
                documents.extend(reading)
            except UnreadableFile as error:
                if not str(error).strip():
                    self.faults.append("UnreadableFile without a reason")
                documents.clear()
                if reading.report.outcome is not FileOutcome.FAILED:
                    self.faults.append(f"broke half-way, but the report says {reading.report}")
            report = reading.report
            self.reports.extend([report, *reading.left_out])
            if report.outcome is not FileOutcome.READ:
                if not report.reason.strip():
                    self.faults.append(f"{report.outcome} without a reason")
                if documents:
                    self.faults.append(f"{report.outcome}, yet {len(documents)} documents")
            for one in documents:
                self.text.extend((one.text, one.question or "", *one.metadata.values()))
                self.text.extend(one.metadata)
            for inner in reading.members:
                self.take(inner)

    def said(self) -> set[str]:
        """The sentinels in a document, its metadata, or a column's name."""
        columns = [column for report in self.reports for column in report.columns]
        words = [*self.text, *(f"{column.name} {column.question}" for column in columns)]
        return {found for text in words for found in SENTINEL.findall(text)}

    def admits(self, lines: list[int]) -> bool:
        """Whether a file, sheet, column or row that may hold the sentinel is reported as not read.

        ``lines`` are those of the raw file that hold it, from 1.
        """
        for report in self.reports:
            warnings = [warning for warning in report.warnings if "blank row" not in warning]
            if report.outcome is not FileOutcome.READ or any(map(LOSS.search, warnings)):
                return True
            for table in report.tables:
                rows = (*table.skipped_rows, *table.header_rows)
                if table.reason or any(c.role == Role.PERSONAL for c in table.columns):
                    return True
                if table.skipped_rows and any(line <= 2 * max(rows) + 3 for line in lines):
                    return True
        return False


def lines_of(sentinel: str, data: bytes) -> list[int]:
    text = data.replace(b"\0", b"").decode("latin-1")
    breaks = re.split(r"\r\n|\r|\n", text)
    return [i for i, line in enumerate(breaks, 1) if sentinel in line]


def faults_of(mutation: Mutation, folder: Path) -> list[str]:
    """Read a mutated file; return what is wrong with how it was read."""
    path = folder / f"{mutation.number:03d}{mutation.suffix}"
    path.write_bytes(mutation.data)
    (file,) = discover([path]).files
    findings = Findings()
    start = time.monotonic()
    try:
        findings.take(file)
    except Exception as error:  # the promise is that there is none: name it with its mutation
        return [f"{type(error).__name__}: {error}"]
    seconds = time.monotonic() - start
    path.unlink()
    faults = list(findings.faults)
    if seconds >= SECONDS:
        faults.append(f"took {seconds:.1f} s")
    lost = {
        sentinel
        for sentinel in survivors(mutation) - findings.said()
        if not findings.admits(lines_of(sentinel, mutation.data))
    }
    if lost:
        outcomes = [f"{report.kind} {report.outcome}" for report in findings.reports]
        faults.append(f"{len(lost)} sentinels lost unsaid, such as {min(lost)}; {outcomes}")
    return faults


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_file_gives_every_sentinel(name: str, tmp_path: Path) -> None:
    (base,) = [one for one in bases() if one.name == name]
    sound = Mutation(base, 0, "sound", base.suffix, base.data)
    path = tmp_path / f"sound{base.suffix}"
    path.write_bytes(base.data)
    (file,) = discover([path]).files
    findings = Findings()
    findings.take(file)
    held = survivors(sound)
    assert len(held) >= 15
    assert held <= findings.said()
    assert not findings.faults
    assert all(report.outcome is FileOutcome.READ for report in findings.reports)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_broken_files_have_an_outcome_and_lose_nothing_unsaid(
    name: str, tmp_path: Path
) -> None:
    faults = {}
    for number in range(EACH):
        mutation = mutate(name, number)
        found = faults_of(mutation, tmp_path)
        if found:
            faults[str(mutation)] = found
    shown = "\n".join(f"{which}: {'; '.join(what)}" for which, what in list(faults.items())[:20])
    assert not faults, f"{len(faults)} of {EACH} mutations of {name}:\n{shown}"


def test_there_are_two_thousand_mutations_and_they_are_the_same_each_time() -> None:
    assert len(NAMES) * EACH == 2000
    for name in NAMES:
        for number in range(11):
            assert mutate(name, number) == mutate(name, number)
