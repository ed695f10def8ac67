"""What a run counts and lists, and how a caller follows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from db.rows import DocumentRow
from pipelines.types import DocumentResult, FileOutcome, FileReport, Outcome


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that was not processed, and why; ``document`` is empty for a whole file."""

    path: str
    document: str
    outcome: str
    reason: str


@dataclass(slots=True)
class Ingested:
    """What reading did: a report for each file read or left out, and what was known before.

    ``unchanged`` counts the known files, ``gone`` those that were read earlier and are no longer
    there (their documents stay). ``changed`` tells whether any document or path did.
    ``forgotten`` documents stand in the files and were erased before: they stay out.
    """

    reports: list[FileReport] = field(default_factory=list)
    unchanged: int = 0
    failures: list[Failure] = field(default_factory=list)
    rejected: int = 0
    forgotten: int = 0
    documents: int = 0
    gone: int = 0
    changed: bool = False

    def note(self, report: FileReport) -> None:
        """Add what became of a file."""
        self.reports.append(report)
        if report.outcome is not FileOutcome.READ:
            self.failures.append(Failure(report.path, "", str(report.outcome), report.reason))

    def count(self, outcome: FileOutcome) -> int:
        """Return how many files ended in ``outcome`` in this call."""
        return sum(report.outcome is outcome for report in self.reports)


@dataclass(slots=True)
class Processed:
    """What processing did, counted by outcome."""

    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    duplicate: int = 0
    failures: list[Failure] = field(default_factory=list)
    stopped: bool = False
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """How a caller follows a run and stops it between batches.

    ``progress(done, total)``; ``document(row, result)`` after its batch is committed.
    """

    progress: Callable[[int, int], None] = lambda done, total: None
    document: Callable[[DocumentRow, DocumentResult], None] = lambda row, result: None
    stop: Callable[[], bool] = lambda: False
