"""Concepts by medSpaCy's TargetMatcher, one rule a label."""

from __future__ import annotations

from typing import Any

from tests.bench.peers.answer import Answering, serve


def build(question: dict[str, Any]) -> Answering:
    """Return text to the CURIEs in it, over the question's (CURIE, labels) ``concepts``."""
    import spacy
    from medspacy.target_matcher import TargetMatcher, TargetRule

    nlp = spacy.blank("en")
    matcher = TargetMatcher(nlp, result_type="group", span_group_name="found")
    matcher.add(
        [
            TargetRule(label, "CONCEPT", metadata={"curie": curie})
            for curie, labels in question["concepts"]
            for label in labels
        ]
    )

    def answer(text: str) -> list[str]:
        doc = matcher(nlp.make_doc(text))
        return sorted({span._.target_rule.metadata["curie"] for span in doc.spans["found"]})

    return answer


if __name__ == "__main__":
    serve("medspacy", build, warm=False)
