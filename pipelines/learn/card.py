"""The card of a trained set: where it comes from, how well it does, how sure it is, what to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class About:
    """What a card says beside the figures; ``facts`` are rows of its first table."""

    title: str
    use: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    limits: str = ""


def card(report: Mapping[str, Any], encoder: str, about: About | None = None) -> str:
    """Return the card as Markdown; ``report`` is that of ``pipelines.learn.train``."""
    about = about or About(f"Label set {report['set']}")
    lines = [
        f"# {about.title}",
        "",
        *([about.use, ""] if about.use else []),
        "| | |",
        "| --- | --- |",
    ]
    facts = [
        *about.facts,
        ("examples", f"{report['rows']:,} texts, {len(report['labels'])} labels"),
        ("what runs", report["chosen"]),
        ("encoder", f"sha256 `{encoder[:16]}…`"),
    ]
    lines += [f"| {name} | {value} |" for name, value in facts]
    if report["interval"] is None:
        lines += ["", "Too few texts to check anything: no score.", ""]
    else:
        lines += ["", *_measured(report)]
    lines += [f"* {warning}" for warning in report["warnings"]]
    if about.limits:
        lines += ["", f"**What it is not.** {about.limits}"]
    return "\n".join(lines).rstrip() + "\n"


def _measured(report: Mapping[str, Any]) -> list[str]:
    """Return scores, reliability and figures of every label."""
    (low, high), band = report["interval"], report["unsure_band"]
    names = ("samples_f1", "macro_f1", "exact")
    return [
        "On texts that were not learnt from (cross-validation by whole groups):",
        "",
        *_table(
            ("", "samples-F1", "macro-F1", "exact"),
            [[one["name"], *(one["scores"][n] for n in names)] for one in report["candidates"]],
        ),
        "",
        f"95 % interval of what runs: {low:.3f} to {high:.3f}. Labels with a probability from "
        f"{band[0]:.2f} to {band[1]:.2f} are unsure: a person should look.",
        "",
        "Reliability: of labels given with this probability, how many were right; off by "
        f"{report['calibration_error']:.3f} on average.",
        "",
        *_table(
            ("said", "right", "labels"),
            [[b["said"], b["right"], b["count"]] for b in report["reliability"]],
        ),
        "",
        *_table(
            ("label", "examples", "precision", "recall", "F1"),
            [
                [f[n] for n in ("label", "examples", "precision", "recall", "f1")]
                for f in report["per_label"]
            ],
        ),
        "",
    ]


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    return [
        f"| {' | '.join(columns)} |",
        "| --- " * len(columns) + "|",
        *(f"| {' | '.join(map(_shown, row))} |" for row in rows),
    ]


def _shown(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value).replace("|", "\\|")
