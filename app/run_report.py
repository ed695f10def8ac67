"""What one run did: counts, files, failures; the JSON of ``florilegium run``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from app.jobs import RunRequest
from app.run_plan import RunPlan
from pipelines.runner import Failure, Ingested, Processed
from pipelines.types import FileOutcome, Outcome


@dataclass(slots=True)
class RunReport:
    """What one run did; ``as_json`` has the keys of the command-line contract."""

    collection: str
    recipe: str
    fingerprint: str
    documents: dict[str, int]
    files: dict[str, int]
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    run: int | None = None
    stopped: bool = False
    interrupted: bool = False
    dry_run: bool = False

    @property
    def failed(self) -> bool:
        """Whether a file or document failed in this run."""
        return bool(self.files["failed"] or self.documents["failed"] or self.documents["partial"])

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self) | {"seconds": round(self.seconds, 3)}


def make_report(
    request: RunRequest,
    plan: RunPlan,
    ingested: Ingested,
    processed: Processed,
    parked: list[Failure],
) -> RunReport:
    """Count what reading and processing did in this run; ``parked`` are listed, not done."""
    counts = processed.outcomes
    documents = {
        "total": sum(counts.values()) - counts[Outcome.SKIPPED] + len(parked) + ingested.rejected,
        "processed": counts[Outcome.PROCESSED],
        "partial": counts[Outcome.PARTIAL],
        "empty": counts[Outcome.EMPTY],
        "duplicate": processed.duplicate,
        "other_language": counts[Outcome.OTHER_LANGUAGE],
        "failed": counts[Outcome.FAILED] + ingested.rejected,
        "parked": len(parked),
        "skipped": counts[Outcome.SKIPPED] + ingested.forgotten,
    }
    files = {
        "read": ingested.count(FileOutcome.READ),
        "skipped": ingested.count(FileOutcome.SKIPPED),
        "failed": ingested.count(FileOutcome.FAILED),
        "unchanged": ingested.unchanged,
        "gone": ingested.gone,
    }
    warnings = [f"{r.path}: {w}" for r in ingested.reports for w in r.warnings]
    return RunReport(
        collection=request.collection,
        recipe=plan.recipe.id,
        fingerprint=plan.fingerprint.value,
        documents=documents,
        files=files,
        failures=[*ingested.failures, *parked, *processed.failures],
        warnings=warnings,
        stopped=processed.stopped,
        interrupted=processed.interrupted,
    )
