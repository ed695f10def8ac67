"""A built graph that the query tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.graphstore import build
from tests.ontology.snapshots import snapshot


@pytest.fixture(scope="session")
def graph_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder whose current graph is the shared snapshot."""
    folder = tmp_path_factory.mktemp("graph")
    build(folder, snapshot())
    return folder
