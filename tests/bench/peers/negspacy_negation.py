"""Negation by negspaCy with its own clinical terms, after a blank pipeline's sentence splitter."""

from __future__ import annotations

from typing import Any

from tests.bench.peers.answer import Answering, serve
from tests.bench.peers.entities import entity


def build(question: dict[str, Any]) -> Answering:
    """Return span to (negated, past, other's); negspaCy knows nothing of the last two."""
    import spacy
    from negspacy.negation import Negex  # noqa: F401  (registers the component)
    from negspacy.termsets import termset

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("negex", config={"neg_termset": termset("en_clinical").get_patterns()})

    def answer(item: dict[str, Any]) -> tuple[bool, None, None]:
        found = entity(nlp, item)
        return bool(found is not None and found._.negex), None, None

    return answer


if __name__ == "__main__":
    serve("negspacy", build, warm=True)
