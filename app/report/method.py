"""How the figures came about, said in the report itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from db.rows import CodebookRow, CodebookVersionRow, RunRow

_CAMPAIGNS = (
    "Every table of {} is given twice: all responses, and each campaign counted once. Responses "
    "belong to a campaign when they share most of a text, or are word-for-word copies."
)


def method_paragraphs(
    book: CodebookRow | None,
    version: CodebookVersionRow | None,
    run: RunRow | None,
    *,
    campaigns: Sequence[str],
    threshold: int,
    rounding: int,
) -> list[str]:
    """Return the method in sentences; ``campaigns`` are the methods stored with the campaigns.

    Without a ``book`` they are about labels and concepts.
    """
    said = [
        "Nothing in this report was written by a language model: quotes and summaries are sentences "
        "of the responses, unchanged, with the place they stand at. Counts are made from codings that "
        "each point at the characters of a response.",
    ]
    if run is not None:
        said.append(_run(run))
    said += _coding(book, version)
    said.append(
        " ".join([_CAMPAIGNS.format("themes" if book else "labels"), *dict.fromkeys(campaigns)])
    )
    if threshold > 1:
        said.append(
            f"In tables by respondents' answers, numbers from 1 to {threshold - 1} are hidden, and "
            "as many others as it takes that no hidden number can be worked out from the sums."
        )
    if rounding > 1:
        said.append(f"Numbers in those tables are rounded to the nearest {rounding}.")
    return said


def _coding(book: CodebookRow | None, version: CodebookVersionRow | None) -> list[str]:
    if book is None:
        return [
            "There is no codebook: the report counts labels, as a model learned or was given them, and "
            "concepts of vocabularies, as they are named in the responses."
        ]
    state = f"Themes are those of codebook {book.name!r}, version {book.version}"
    if version is not None:
        state += f" of {version.created_at:%d %B %Y} ({version.action} by {version.author})"
        state += (
            f", signed off by {version.signed_off_by}."
            if version.signed_off_by
            else ", not signed off."
        )
    return [
        state,
        "A statement's stance is judged towards the question's proposal, not as sentiment. A response "
        "whose statements under a theme speak for it as well as against it counts as mixed.",
    ]


def _run(run: RunRow) -> str:
    details: Mapping[str, Any] = run.details
    model = details.get("model") or {}
    named = f" with the model {model['id']} (sha256 {str(model['sha256'])[:12]}…)" if model else ""
    ontologies = [str(each.get("id")) for each in details.get("ontologies") or () if each.get("id")]
    tagged = f"; tagged with {', '.join(ontologies)}" if ontologies else ""
    ended = f" on {run.finished_at:%d %B %Y}" if run.finished_at else ""
    return (
        f"Responses were read by run {run.id}{ended}, recipe {run.recipe!r}{named}{tagged}; the same "
        f"input gives the same output (fingerprint {run.fingerprint[:12]}…)."
    )
