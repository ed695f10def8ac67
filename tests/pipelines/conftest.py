"""Fixtures shared by the tests of the pipelines: the real embedded model, loaded once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pipelines.stages.encode import Encoder


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """Return the embedded ALBERT on one thread."""
    from pipelines.stages.encode import Encoder

    return Encoder(threads=1)
