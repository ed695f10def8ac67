"""How the scores of a label set are shown, by ``train`` and by ``evaluate``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click


def split_columns(named: str | None) -> list[str]:
    """Return the column names of ``A,B,…``."""
    return [name.strip() for name in (named or "").split(",") if name.strip()]


def show_scores(answer: Mapping[str, Any]) -> None:
    """Print the four figures with the interval, and the gain over the plain method."""
    scores, interval = answer["scores"], answer["interval"]
    if interval is None or scores["samples_f1"] is None:
        click.echo("Scores: none, there are too few texts to check anything.")
        return
    low, high = interval
    click.echo(
        f"samples-F1 {scores['samples_f1']:.3f} (95 % interval {low:.3f} to {high:.3f}), "
        f"micro-F1 {scores['micro_f1']:.3f}, macro-F1 {scores['macro_f1']:.3f}, "
        f"exact {scores['exact']:.3f}"
    )
    if "calibration_error" in answer:
        click.echo(f"Probabilities are off by {answer['calibration_error']:.3f} on average.")
    if "unsure_band" in answer:
        low, high = answer["unsure_band"]
        click.echo(f"Unsure, for review: labels with a probability from {low:.2f} to {high:.2f}.")
    if "gain_over_tfidf_svm" in answer:
        low, high = answer["gain_interval"]
        click.echo(
            f"Over a tf-idf SVM: {answer['gain_over_tfidf_svm']:+.3f} ({low:+.3f} to {high:+.3f})"
        )
