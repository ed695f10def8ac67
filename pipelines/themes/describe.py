"""Name themes in the documents' own words: phrases, the statement nearest to all others, a concept.

Phrases are stretches of words between stop words, weighed by class-based tf-idf (Grootendorst 2022,
https://arxiv.org/abs/2203.05794) over the statements of each theme. Words that take a side are left
out of titles: supporters and opponents are counted, not named in the title.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipelines.candidates.words import OF, ngrams, runs, singulars, words
from pipelines.learn.valence import valence
from pipelines.learn.words import stem
from pipelines.stages.vectors import Vectors
from pipelines.themes.discover import Found
from pipelines.themes.likeness import unit
from pipelines.themes.types import FoundTheme, Integers, Quote, Statement

if TYPE_CHECKING:
    from pipelines.stages.tag import ConceptIndex

Concept = Callable[[str], str]
"""Returns the IRI of the concept that a text names, "" for none."""

PHRASES = 5
"""Phrases kept of a theme."""

_SIDED = 0.15  # valence from which a word takes a side
_LONGER = 0.35  # what each further word of a phrase adds to its weight: it says more
_OFTEN = 0.15  # of the times of the commonest phrase of a theme: rarer ones do not name it
_SPOKEN = 4_000  # statements of a theme that are read for phrases
_IDEAL = 12  # words of a statement that is easily read as an example
_UNTITLED = "Statements alike"


def describe_themes(
    statements: Sequence[Statement],
    vectors: Vectors,
    found: Found,
    *,
    concept: Concept | None = None,
    taken: Sequence[str] = (),
) -> list[FoundTheme]:
    """Return the themes of ``found``, each with a title of its own.

    ``concept`` looks a phrase up in a vocabulary. ``taken`` are labels that are in use.
    """
    members = [np.flatnonzero(found.theme == theme) for theme in range(found.themes)]
    members = [rows for rows in members if len(rows)]
    counts, forms = _phrase_counts(statements, members)
    labels = {label.casefold() for label in taken}
    described = []
    for theme, rows in enumerate(members):
        phrases = _best_phrases(counts, theme)
        shown = [_commonest(forms[phrase]) for phrase in phrases]
        label = _label(shown, labels)
        labels.add(label.casefold())
        medoid = statements[_medoid(statements, vectors, rows)]
        described.append(
            FoundTheme(
                key=f"theme-{theme + 1}",
                label=label,
                description=_description(shown),
                phrases=tuple(shown),
                medoid=Quote(medoid.document, medoid.start, medoid.end, medoid.text),
                statements=len(rows),
                answers=len({statements[row].document for row in rows.tolist()}),
                concept=next(filter(None, map(concept, shown[:3])), "") if concept else "",
            )
        )
    return described


def concept_of(index: ConceptIndex) -> Concept:
    """Return a look-up of phrases in a vocabulary: the longest concept that a phrase names."""
    from pipelines.recipes.tagging import TagParameters
    from pipelines.stages.tag import tag

    def look_up(phrase: str) -> str:
        tags = tag(phrase, index, TagParameters())
        best = max(tags, key=lambda one: (one.end - one.start, one.score, one.iri), default=None)
        return best.iri if best else ""

    return look_up


def _phrase_counts(
    statements: Sequence[Statement], members: Sequence[Integers]
) -> tuple[list[Counter[str]], Mapping[str, Counter[str]]]:
    """Return in how many statements of each theme each phrase is said, and the forms it has."""
    forms: dict[str, Counter[str]] = {}
    counts: list[Counter[str]] = []
    for rows in members:
        said: Counter[str] = Counter()
        spoken: list[int] = rows.tolist()
        if len(spoken) > _SPOKEN:
            spoken.sort(key=lambda row: (statements[row].text, statements[row]))
        for row in spoken[:: max(1, len(spoken) // _SPOKEN)]:
            said.update(_phrases(statements[row].text, forms))
        counts.append(said)
    return counts, forms


def _phrases(text: str, forms: dict[str, Counter[str]]) -> set[str]:
    """Return the keys of the neutral phrases of a text; count their forms."""
    found = set()
    for run in runs(text):
        for first, end in ngrams(run):
            parts = [token.form for token in run.tokens[first:end]]
            if len(parts) > 3 or any(_sided(word) for word in parts):
                continue
            if len(parts) == 1 and (parts[0] in words().not_alone or "'" in parts[0]):
                continue
            key = " ".join(stem(_singular(word)) for word in parts)
            forms.setdefault(key, Counter())[" ".join(parts)] += 1
            found.add(key)
    return found


def _commonest(forms: Counter[str]) -> str:
    return max(forms, key=lambda form: (forms[form], form))


def _best_phrases(counts: Sequence[Counter[str]], theme: int) -> list[str]:
    """Return the phrases that tell a theme from the others, best first, none within another."""
    mean = sum(sum(said.values()) for said in counts) / max(len(counts), 1)
    size = max(sum(counts[theme].values()), 1)
    worth = {}
    most = max(counts[theme].values(), default=0)
    often = max(_OFTEN * most, min(2, most))  # what one person said names no theme
    for phrase, said in counts[theme].items():
        if said < often:
            continue
        everywhere = sum(of_theme[phrase] for of_theme in counts)
        weight = said / size * math.log(1.0 + mean / everywhere)
        worth[phrase] = weight * (1.0 + _LONGER * phrase.count(" "))
    chosen: list[str] = []
    for phrase in sorted(worth, key=lambda one: (-round(worth[one], 9), one)):
        words = set(phrase.split()) - {OF}
        if not any(words & set(other.split()) for other in chosen):
            chosen.append(phrase)
        if len(chosen) == PHRASES:
            break
    return chosen


def _label(phrases: Sequence[str], taken: set[str]) -> str:
    """Return a title of one to four phrases that is not taken yet."""
    for count in (2, 1, 3, 4):
        if len(phrases) >= count:
            label = ", ".join(phrases[:count])
            label = label[:1].upper() + label[1:]
            if label.casefold() not in taken:
                return label
    first = ", ".join(phrases[:2]).capitalize() or _UNTITLED
    number = 1
    label = first
    while label.casefold() in taken:
        number += 1
        label = f"{first} ({number})"
    return label


def _description(phrases: Sequence[str]) -> str:
    """Return one sentence of the documents' own words; the medoid stands apart, as a quote."""
    return f"About {', '.join(phrases) or 'the same point'}."


def _medoid(statements: Sequence[Statement], vectors: Vectors, rows: Integers) -> int:
    """Return the row nearest to all others; of like nearness one that is easily read."""
    order = sorted(rows.tolist(), key=lambda row: (statements[row].text, statements[row]))
    own = unit(vectors[order])
    centre = own.mean(axis=0, dtype=np.float64).astype(np.float32)
    words = np.array([max(1, len(statements[row].text.split())) for row in order])
    read = np.exp(-0.5 * (np.log(words / _IDEAL) / 0.8) ** 2)
    worth = np.round(own @ centre + 0.2 * read, 4)
    return int(order[int(worth.argmax())])


def _sided(word: str) -> bool:
    """Tell whether a word says well or badly of what it stands with."""
    return abs(valence(word)) >= _SIDED


def _singular(word: str) -> str:
    return next(iter(singulars(word)), word)
