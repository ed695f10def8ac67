"""Words in a sentence that may tell a person: e-mail, telephone, postcode, names after titles…"""

from __future__ import annotations

from pipelines.summaries.rules import personal_patterns


def personal(text: str) -> tuple[str, ...]:
    """Return the kinds of personal data that the rules find in ``text``; see ``personal.toml``."""
    return tuple(name for name, pattern in personal_patterns().items() if pattern.search(text))
