"""Label sets: CSV files with ``label``, ``description`` and an optional ``stance`` column.

Other columns are left alone, so that a codebook can be used as it is.
"""

from __future__ import annotations

import csv
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import LabelSetError

_STANCES = {"", "for", "against"}


@dataclass(frozen=True, slots=True)
class LabelDefinition:
    """One label: its name, what it means in a sentence, and its side where it has one."""

    label: str
    description: str = ""
    stance: str = ""

    @property
    def prompt(self) -> str:
        """The text whose vector stands for the label."""
        return f"{self.label}: {self.description}" if self.description else self.label


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A named, ordered set of labels; ``sha256`` is that of the file's bytes."""

    id: str
    labels: tuple[LabelDefinition, ...]
    sha256: str


def label_set_names() -> tuple[str, ...]:
    """Return the names of the bundled sets, sorted."""
    return tuple(sorted(file.stem for file in Path(__file__).parent.glob("*.csv")))


def load_label_set(name: str | Path) -> LabelSet:
    """Load a bundled set by name, or any CSV file by path.

    Raises ``LabelSetError`` listing every problem of the file at once.
    """
    path = Path(__file__).parent / f"{name}.csv" if str(name) in label_set_names() else Path(name)
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise LabelSetError(
            f"no label set {str(name)!r}: expected one of {', '.join(label_set_names())}, "
            "or the path of a CSV file with columns label,description"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise LabelSetError(f"label set {path} cannot be read as UTF-8 text: {error}") from error
    labels = _parse(text, path)
    return LabelSet(path.stem, labels, hashlib.sha256(data).hexdigest())


def _parse(text: str, path: Path) -> tuple[LabelDefinition, ...]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    columns = {(name or "").strip().lower() for name in reader.fieldnames or ()}
    problems: list[str] = []
    if "label" not in columns:
        problems.append("no column 'label'")
    labels: list[LabelDefinition] = []
    seen: set[str] = set()
    for row in reader if not problems else ():
        where = f"line {reader.line_num}"
        if None in row:
            problems.append(f"{where}: more cells than columns (a comma needs quotes)")
            continue
        cell = {(name or "").strip().lower(): (value or "").strip() for name, value in row.items()}
        name, stance = cell["label"], cell.get("stance", "").lower()
        if not name:
            problems.append(f"{where}: empty label")
        elif name in seen:
            problems.append(f"{where}: label {name!r} stands twice")
        elif stance not in _STANCES:
            problems.append(f"{where}: stance {stance!r} is not 'for' or 'against'")
        else:
            labels.append(LabelDefinition(name, cell.get("description", ""), stance))
        seen.add(name)
    if not problems and not labels:
        problems.append("no labels")
    if problems:
        raise LabelSetError(
            f"label set {path} cannot be used: {'; '.join(problems)}. "
            "Expected columns label,description and optionally stance (for/against)"
        )
    return tuple(labels)
