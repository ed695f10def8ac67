"""What labels mean, beside their examples or without any: read from a label set's CSV."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipelines.labels import load_label_set
from pipelines.learn.types import Examples


def with_descriptions(examples: Examples, path: Path) -> Examples:
    """Return the examples with the descriptions of a CSV file (label, description).

    A label that only the file knows joins the set, to be found by its description. Raises
    ``LabelSetError`` for a file that is no label set.
    """
    known = {label.label: label.description for label in load_label_set(path).labels}
    new = tuple(label for label in known if label not in examples.labels)
    labels = (*examples.labels, *new)
    warnings = list(examples.warnings)
    if new:
        warnings.append(
            f"no example of {', '.join(map(repr, new))}: found by the description alone"
        )
    return replace(
        examples,
        labels=labels,
        descriptions=tuple(known.get(label, "") for label in labels),
        warnings=tuple(warnings),
    )


def is_codebook(path: Path) -> bool:
    """Tell whether a CSV file has labels and no texts: a codebook without examples."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            names = {name.strip().strip('"').lower() for name in file.readline().split(",")}
    except OSError:
        return False
    return "label" in names and "text" not in names


def only_descriptions(path: Path) -> Examples:
    """Return a codebook's labels and descriptions with no example. Raises ``LabelSetError``."""
    labels = load_label_set(path).labels
    bare = [label.label for label in labels if not label.description]
    warnings = [f"no description of {', '.join(map(repr, bare))}: the name stands for it"]
    return Examples(
        labels=tuple(label.label for label in labels),
        rows=(),
        single=False,
        warnings=tuple(warnings if bare else ()),
        descriptions=tuple(label.description or label.label for label in labels),
    )
