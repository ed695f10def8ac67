"""Keep what stands further down in columns that were blank in the sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipelines.readers.tables.columns import classify
from pipelines.types import Column, Role

_KEPT = 500  # cells of such a column from which its role is told
_LONGEST = 2_000  # characters of each


class LateColumns:
    """The columns without a filled cell in the sample, and the cells that they had after all.

    Such cells become metadata; those of a column that then turns out to be personal do not.
    """

    def __init__(self, columns: Sequence[Column], sample_rows: int) -> None:
        """Watch the empty ones of ``columns``, classed on ``sample_rows`` rows."""
        self._columns = tuple(columns)
        self._rows = sample_rows
        self._cells: dict[int, list[str]] = {}
        self._personal: set[int] = set()
        self.watched = [i for i, column in enumerate(columns) if column.role == Role.EMPTY]

    def add(self, cells: Sequence[str], metadata: dict[str, str]) -> None:
        """Put the filled cells of a row into ``metadata``."""
        for i in self.watched:
            cell = cells[i]
            if not cell or not cell.strip():
                continue
            known = self._cells.setdefault(i, [])
            if len(known) < _KEPT:
                known.append(cell[:_LONGEST])
                if len(known) in (1, 10, _KEPT) and self._found(i).role == Role.PERSONAL:
                    self._personal.add(i)
            if i not in self._personal:
                metadata[self._columns[i].name] = cell

    def revised(self) -> tuple[Column, ...]:
        """Return all columns, with the role that the late cells show.

        Text that starts so late was not read as answers: such a column is ``system`` data.
        """
        columns = list(self._columns)
        for i in self._cells:
            found = self._found(i)
            role = Role.SYSTEM if found.role == Role.FREE_TEXT else found.role
            reason = f"blank in the first {self._rows:,} rows; {found.reason}"
            columns[i] = replace(found, role=role, reason=reason)
        return tuple(columns)

    def warnings(self) -> Iterator[str]:
        """Name the columns that hold text further down."""
        late = [i for i in self._cells if self._found(i).role == Role.FREE_TEXT]
        if late:
            names = ", ".join(f"“{self._columns[i].name}”" for i in late)
            yield (
                f"text only after the first {self._rows:,} rows in {names}, kept as metadata; set "
                'role = "free_text" in a mapping file to read it as answers'
            )

    def _found(self, i: int) -> Column:
        if i in self._personal:
            return replace(self._columns[i], role=Role.PERSONAL, reason="personal, not stored")
        column = self._columns[i]
        rows = [[cell] for cell in self._cells[i]]
        return classify((column.name,), rows, wordings=(column.question,))[0]
