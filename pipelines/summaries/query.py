"""How far a sentence is about a query ("what do they say about parking?"), by words and by meaning."""

from __future__ import annotations

import re

import numpy as np

from pipelines.learn.words import content_words, stem
from pipelines.stages.vectors import Vectors
from pipelines.summaries.worth import Floats

# What a question is made of, which no answer need repeat.
_FRAME = re.compile(
    r"\b(what|how|why|who|where|when|which|do|does|did|is|are|was|were|can|could|would|say|says|said|think|"
    r"thinks|thought|thoughts|feel|feels|about|regarding|concerning|tell|me|views?|opinions?|comments?|"
    r"respondents?|public|anyone|anybody|everyone|mention|mentions|mentioned|there|any|give|summarise|summary)\b",
    re.IGNORECASE,
)


class Query:
    """A query's words, without those that only ask, and how sentences answer to them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.subject = " ".join(_FRAME.sub(" ", text).strip(" ?.!").split()) or text.strip()
        self._stems = {stem(word) for word in content_words(self.subject)}

    def words_in(self, text: str) -> float:
        """Return the share (0 to 1) of the query's content words that stand in ``text``."""
        if not self._stems:
            return 0.0
        found = {stem(word) for word in content_words(text)}
        return len(self._stems & found) / len(self._stems)

    def relevance(self, lexical: Floats, vectors: Vectors, query: Vectors, least: float) -> Floats:
        """Return 0 to 1 for every sentence; 0 where neither words nor meaning are the query's.

        ``lexical`` are the shares of ``words_in``, ``query`` the vector of ``subject``, [1,
        dimensions], ``least`` the cosine from which meaning alone is enough.
        """
        cosines: Floats = (vectors @ query[0]).astype(np.float64).clip(0.0, 1.0)
        near = np.where(cosines >= least, cosines, 0.0)
        found: Floats = np.where(lexical > 0.0, 0.5 * lexical + 0.5 * cosines, near)
        return found.round(6)
