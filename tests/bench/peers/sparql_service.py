"""rdflib-endpoint over an Oxigraph store, as a user would start it: ``FOLDER PORT``."""

from __future__ import annotations

import importlib.metadata
import sys


def main(folder: str, port: int) -> None:
    """Serve the store in ``folder`` on 127.0.0.1 until ended."""
    import uvicorn
    from oxrdflib import OxigraphStore
    from rdflib import Dataset
    from rdflib_endpoint import SparqlEndpoint

    store = OxigraphStore()
    store.open(folder)
    app = SparqlEndpoint(graph=Dataset(store=store), path="/sparql")
    sys.stderr.write(f"rdflib-endpoint {importlib.metadata.version('rdflib-endpoint')}\n")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
