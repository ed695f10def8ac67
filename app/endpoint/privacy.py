"""Whether queries over a graph may be written down."""

from __future__ import annotations

import io
import threading

from ontology import formats
from ontology.engine import Limits, identity
from ontology.errors import OntologyError
from ontology.graphstore import CurrentGraph
from ontology.pool import EnginePool
from ontology.sparql import prepare, write_answer

_PRIVATE = 'ASK { ?collection dct:accessRights "text: private" }'


class Privacy:
    """Asks each graph once whether a collection in it keeps its words private."""

    def __init__(self, pool: EnginePool) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._known: tuple[tuple[str, int, int], bool] | None = None

    def is_open(self, graph: CurrentGraph) -> bool:
        """Return whether no collection is private; False where the graph does not say."""
        wanted = identity(graph)
        with self._lock:
            if self._known is None or self._known[0] != wanted:
                self._known = (wanted, self._ask(graph))
            return self._known[1]

    def _ask(self, graph: CurrentGraph) -> bool:
        if graph.manifest.private:
            return False
        body = io.BytesIO()
        try:
            query, limits = prepare(_PRIVATE), Limits(timeout=2)
            write_answer(graph, query, formats.CSV, body, limits=limits, pool=self._pool)
        except OntologyError:
            return False
        return body.getvalue().strip() == b"false"
