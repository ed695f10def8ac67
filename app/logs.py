"""Logging to stderr: one plain line an event, never document text."""

from __future__ import annotations

import logging
import sys

LOGGER_NAMES = ("app", "pipelines", "ontology", "db")


def configure(level: str) -> None:
    """Send our loggers to stderr at ``level``; calling again only changes the level."""
    for name in LOGGER_NAMES:
        logger = logging.getLogger(name)
        logger.setLevel(level)
        if not logger.handlers:
            handler = logging.StreamHandler(sys.stderr)
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
            logger.addHandler(handler)
            logger.propagate = False
