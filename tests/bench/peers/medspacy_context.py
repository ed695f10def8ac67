"""Negation, history and family by medSpaCy's ConText with its own English rules."""

from __future__ import annotations

from typing import Any

from tests.bench.peers.answer import Answering, serve
from tests.bench.peers.entities import entity


def build(question: dict[str, Any]) -> Answering:
    """Return span to (negated, past, family's); what is uncertain is not negated."""
    import medspacy.context  # noqa: F401  (registers the component)
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("medspacy_context")

    def answer(item: dict[str, Any]) -> tuple[bool, bool, bool]:
        found = entity(nlp, item)
        if found is None:
            return False, False, False
        said = found._
        negated = bool(said.is_negated) and not said.is_uncertain
        return negated, bool(said.is_historical), bool(said.is_family)

    return answer


if __name__ == "__main__":
    serve("medspacy", build, warm=True)
