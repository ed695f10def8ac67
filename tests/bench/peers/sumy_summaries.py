"""Two sentences by sumy (LexRank, TextRank or LSA), given the sentences, with its own stop words."""

from __future__ import annotations

import re
from typing import Any

from tests.bench.peers.answer import Answering, serve

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['-])*")


class _Words:
    """Words as sumy's English tokenizer finds them, without NLTK's data."""

    def to_words(self, sentence: str) -> tuple[str, ...]:
        """Return the words of a sentence."""
        return tuple(_WORD.findall(sentence))


def build(question: dict[str, Any]) -> Answering:
    """Return sentences to those chosen, by the question's ``method``, ``count`` of them."""
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.lsa import LsaSummarizer
    from sumy.summarizers.text_rank import TextRankSummarizer
    from sumy.utils import get_stop_words

    kinds = {"LexRank": LexRankSummarizer, "TextRank": TextRankSummarizer, "LSA": LsaSummarizer}
    summarizer = kinds[question["method"]](Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")
    tokenizer = _Words()

    def answer(sentences: list[str]) -> list[str]:
        paragraph = Paragraph([Sentence(text, tokenizer) for text in sentences])
        return [str(one) for one in summarizer(ObjectDocumentModel([paragraph]), question["count"])]

    return answer


if __name__ == "__main__":
    serve("sumy", build, warm=False)
