"""Read the bytes of a file in blocks, as many as there were when it was opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

BLOCK = 1 << 20


def blocks(path: Path, start: int = 0, size: int = 0) -> Iterator[bytes]:
    """Yield the bytes of ``path`` from ``start`` on, ``size`` at a time (0: a million).

    A file that grows meanwhile is read to the end it had: it would otherwise never be finished. The
    runner sees that it changed and reads it again.
    """
    with path.open("rb") as stream:
        left = os.fstat(stream.fileno()).st_size - start
        stream.seek(start)
        while left > 0 and (data := stream.read(min(size or BLOCK, left))):
            left -= len(data)
            yield data
