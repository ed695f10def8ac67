"""Jobs: what the dashboard asks for and the worker does.

The dashboard puts a ``RunRequest`` into the queue and never imports the pipeline; the worker
(``app/worker.py``) takes it out. A ``look`` job reads the files and stores nothing: its result is
the import report (``app/import_report.py``).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

RUN = "run"
LOOK = "look"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run is asked to do; the payload of a ``run`` or ``look`` job.

    ``paths`` are files or folders; ``recipe`` ``None`` keeps the collection's own. ``questions``
    (the text columns), ``mapping`` (the TOML text of a mapping file) and ``ocr`` say how files are
    read; what is not given (``()``, ``None``) is as the collection remembers it, and ``("",)`` or
    ``""`` makes it forget.
    """

    collection: str
    paths: tuple[str, ...] = ()
    recipe: str | None = None
    ontologies: tuple[str, ...] | None = None
    questions: tuple[str, ...] = ()
    retry_failed: bool = False
    mapping: str | None = None
    ocr: bool | None = None

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
            mapping=payload.get("mapping"),
            ocr=payload.get("ocr"),
        )
