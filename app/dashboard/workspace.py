"""Open the workspace for a page: settings, engine, store and queue.

The engine is shared by all sessions (it is thread-safe); the store opens a session for each read
and closes it, so nothing of the database outlives a rerun.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app.dashboard.present import STYLE, notice
from app.errors import AppError
from app.settings import Settings, load_settings
from db.engine import create_engine_for
from db.errors import DbError
from db.migrate import check
from db.queue import Queue
from db.store import Store
from ontology.errors import OntologyError

LOGO = STYLE.with_suffix(".svg")
ICON = STYLE.with_name("icon.svg")
SHOWN_ERRORS = (AppError, DbError, OntologyError, OSError)
"""Errors whose message is a sentence for the person at the screen."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """What a page reads from and writes to."""

    settings: Settings
    store: Store
    queue: Queue


def open_workspace() -> Workspace:
    """Return the workspace in force, or show why it cannot be used and end the page."""
    try:
        settings = load_settings()
        space = _opened(settings.db_url, settings.model_dump_json())
        check(space.store.engine)
    except SHOWN_ERRORS as error:
        problem(error)
        st.stop()
    return space


def problem(error: Exception | str) -> None:
    """Show an error as a sentence."""
    show(notice(str(error), problem=True))


def show(markup: str) -> None:
    """Put HTML made by this package on the page; scripts never run in it."""
    st.html(markup)


def style() -> None:
    """Load the dashboard's own style sheet."""
    st.html(STYLE)


@st.cache_resource(show_spinner=False, max_entries=4)
def _opened(url: str, settings: str) -> Workspace:
    engine = create_engine_for(url)
    return Workspace(Settings.model_validate_json(settings), Store(engine), Queue(engine))
