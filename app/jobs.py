"""Jobs: what the dashboard asks for and the worker does.

The dashboard puts a ``RunRequest`` into the queue and never imports the pipeline; the worker
(``app/worker.py``) takes it out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

RUN = "run"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run is asked to do; the payload of a ``run`` job.

    ``paths`` are files or folders; ``recipe`` ``None`` keeps the collection's own.
    """

    collection: str
    paths: tuple[str, ...] = ()
    recipe: str | None = None
    ontologies: tuple[str, ...] | None = None
    questions: tuple[str, ...] = ()
    retry_failed: bool = False

    def payload(self) -> dict[str, Any]:
        """Return the JSON form stored in the job row."""
        return asdict(self)

    @classmethod
    def from_payload(cls, payload: dict[str, Any]) -> RunRequest:
        """Read the JSON form back."""
        ontologies = payload.get("ontologies")
        return cls(
            collection=payload["collection"],
            paths=tuple(payload.get("paths") or ()),
            recipe=payload.get("recipe"),
            ontologies=None if ontologies is None else tuple(ontologies),
            questions=tuple(payload.get("questions") or ()),
            retry_failed=bool(payload.get("retry_failed", False)),
        )
