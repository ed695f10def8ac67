"""How the service behaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.hosts import LOOPBACK
from ontology.sparql import Limits


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """``waiting`` requests queue for ``workers``; more are sent away.

    ``hosts`` are the names the service is called by; empty means any, for a service that asks for
    a token. ``tokens`` are what a client may show; without any, nobody has to. ``request_seconds``
    is how long a client may take over sending a request, and over each piece of the answer.
    """

    hosts: Sequence[str] = LOOPBACK
    limits: Limits = field(default_factory=Limits)
    with_text: bool = False
    workers: int = 2
    waiting: int = 256
    tokens: tuple[str, ...] = ()
    access_log: Path | None = None
    request_seconds: float = 30.0
    connections: int = 600
