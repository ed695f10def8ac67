"""The graph on disk: built into a new folder, then switched in by one rename of a pointer.

Readers follow the pointer (``hold``) and open the finished store read-only; nobody writes to a
folder that a reader may hold open. A small change goes into a copy (``apply``). A build that dies
leaves the pointer where it was, and the next writer removes what it left.
"""

from __future__ import annotations

from ontology.graphstore.building import build, build_as
from ontology.graphstore.changing import Change, OtherBasis, apply, apply_as
from ontology.graphstore.folder import (
    LAYOUT,
    CurrentGraph,
    Manifest,
    hold,
    open_current,
    read_states,
    sweep,
)
from ontology.graphstore.lock import Writer, writing

__all__ = [
    "LAYOUT",
    "Change",
    "CurrentGraph",
    "Manifest",
    "OtherBasis",
    "Writer",
    "apply",
    "apply_as",
    "build",
    "build_as",
    "hold",
    "open_current",
    "read_states",
    "sweep",
    "writing",
]
