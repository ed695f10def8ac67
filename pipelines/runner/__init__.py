"""Run a collection: read what is new or changed, then process what is pending, batch by batch.

Both halves are resumable: a file and its documents go in one transaction, a batch of results in
one transaction, and what has a row already is left alone.
"""

from pipelines.runner.looking import look
from pipelines.runner.processing import process
from pipelines.runner.reading import ingest
from pipelines.runner.types import Failure, Ingested, Processed, Watch

__all__ = ["Failure", "Ingested", "Processed", "Watch", "ingest", "look", "process"]
