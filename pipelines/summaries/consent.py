"""Whether a respondent allowed publication, from the columns that came with the answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pipelines.summaries.rules import consent_patterns


def refuses_publication(metadata: Mapping[str, Any], consent: Collection[str] = ()) -> str:
    """Return the column and cell that refuse publication, "" where nothing does.

    A column that asks to keep an answer confidential refuses by a yes; one that asks leave to
    publish refuses by a no and by an empty cell: nobody is quoted who was asked and did not agree.
    ``consent`` names columns that ask leave, whatever they are called.
    """
    rules = consent_patterns()
    for name, value in metadata.items():
        asked, cell = str(name).lower(), str(value).strip()
        columns, withheld = rules["withholds"]
        if any(column.search(asked) for column in columns):
            if withheld.search(cell):
                return f"{name}: {cell}"
            continue
        columns, refused = rules["allows"]
        asks = name in consent or any(column.search(asked) for column in columns)
        if asks and (not cell or refused.search(cell)):
            return f"{name}: {cell or 'no answer'}"
    return ""
