"""Renew a lease in the background while a long batch runs, and notice when it is lost."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType

log = logging.getLogger(__name__)


class Heartbeat:
    """Call ``renew`` every ``seconds``; ``lost`` turns true when it answers false.

    A renewal that raises (the database is away for a moment) is logged and tried again.
    """

    def __init__(self, renew: Callable[[], bool], seconds: float) -> None:
        self._renew = renew
        self._seconds = seconds
        self._ended = threading.Event()
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    @property
    def lost(self) -> bool:
        """Whether the lease has gone to another owner, or the job was cancelled."""
        return self._lost.is_set()

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join(timeout=self._seconds)

    def _beat(self) -> None:
        while not self._ended.wait(self._seconds):
            try:
                if not self._renew():
                    self._lost.set()
                    return
            except Exception as error:
                log.warning("a lease could not be renewed, trying again: %s", error)
