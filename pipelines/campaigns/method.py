"""How campaigns were found, in words for a report."""

from __future__ import annotations

from pipelines.campaigns.words import rules


def method_text() -> str:
    """Return the method in plain words, with the thresholds in force."""
    t = rules().thresholds
    return (
        "Every response was compared with every other. Letterheads, greetings, signatures, quoting "
        "marks and mail notices were left out, and words were compared without regard to capitals, "
        "punctuation and line breaks. Responses of fewer than "
        f"{t.least_words} words were not compared. Two responses count as copies of one letter where "
        f"{t.shared:.0%} or more of the shorter one stands in the other in the same order "
        f"({t.short_shared:.0%} under {t.short_words} words), counted by words and again with rare words "
        "weighing more; breaks count against it, so scattered phrases make no copy, and a short text "
        f"that stands in one more than {t.short_longer:g} times as long is taken for a quotation. "
        f"Candidates were found by MinHash ({t.permutations} values) over {t.shingle}-word shingles and by "
        "rare shingles in common, and each was checked word by word. The template is what more than "
        "half of a campaign's responses share; the rest of each is its sender's own words and was "
        "coded apart. “All responses” counts every response; “campaigns counted once” counts each "
        "campaign, and each set of exact copies, as one. No response was left out."
    )
