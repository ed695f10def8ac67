"""Made-up answers to made-up consultations, and short ways to write and read a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.readers import ReadOptions, discover, read
from pipelines.types import Column, Document, FileReport, TableReport

PARKING = (
    "The permit should be free for carers who visit elderly residents every day.",
    "Evening charges would finish off the restaurants on Castle Street.",
    "I already pay council tax and cannot park outside my own house.",
    "A two hour limit is too short for a hospital appointment.",
    "Please paint bays wide enough for people who use a wheelchair.",
    "The zone will only push commuters into the next road.",
    "Charge by the length of the vehicle, not by its age.",
    "We support the zone as long as trades people can buy day permits.",
    "Residents of flats above shops have been forgotten again.",
    "Wardens never come after six, so the new rule will be ignored.",
    "School staff need somewhere to leave their cars.",
    "Spend the income on the pavements, which are dreadful.",
)
LIBRARY = (
    "Closing on Wednesdays means my children cannot do their homework there.",
    "The mobile library is the only visitor some of our members see.",
    "Keep the local history room, it is used by the whole county.",
    "Self-service hours would suit people who work shifts.",
    "More large print books, please, and better lamps to read them by.",
    "Volunteers cannot replace trained librarians.",
    "The rhyme time sessions saved my sanity after my son was born.",
    "Move the branch into the leisure centre and share the costs.",
    "The computers are so slow that job applications time out.",
    "Let parish councils buy extra opening hours.",
    "There is no step-free way to the upper floor.",
    "Nobody I know was told about these plans.",
)
FLOOD = (
    "The wall would protect the mill but send the water to our side of the brook.",
    "Clear the culvert under the railway before spending millions on a scheme.",
    "We were flooded in 2015 and again in 2020, so anything is welcome.",
    "The embankment cuts the only level path to the allotments.",
    "Natural flood management upstream would cost a tenth of this.",
    "Compensation for the grazing land is not mentioned anywhere.",
    "Please publish the model that was used for the hundred-year line.",
    "Insurance will stay impossible to get whatever you build.",
    "The pumping station must be finished before the houses are.",
    "Otters breed on the reach that would be dredged.",
    "Temporary barriers worked well last winter and could be used again.",
    "The consultation drawings are unreadable on a telephone.",
)
UNIFORM = (
    "A plain jumper from the supermarket should be good enough.",
    "The blazer alone cost me more than a week of food.",
    "Uniform stops the teasing about trainers.",
    "Let girls wear trousers without asking permission.",
    "The second-hand shop run by parents works very well.",
    "Branded sports kit is the real expense.",
    "Children with eczema cannot bear the nylon shirts.",
    "It makes no difference to how anybody learns.",
    "Keep the tie, it is part of the school's history.",
    "Summer uniform ought to be allowed from Easter.",
    "The supplier never has the larger sizes.",
    "Give every family a voucher at the start of Year 7.",
)
VISITING = (
    "My health visitor noticed the tongue tie that the ward had missed.",
    "Home visits matter far more than a telephone call.",
    "The clinic moved to a place that no bus goes to.",
    "We saw a different person every time.",
    "An evening session would let both parents come.",
    "Nobody asked how I was feeling after the birth.",
    "The text messages with advice were clear and kind.",
    "Weighing should be offered without an appointment.",
    "Interpreters were never booked, although I asked twice.",
    "The two year check came when she was nearly three.",
    "I would have liked more help with sleep.",
    "Twins need longer visits than you allow for.",
)


@dataclass(frozen=True)
class Got:
    """The documents of one file and its final report."""

    documents: list[Document]
    report: FileReport

    @property
    def table(self) -> TableReport:
        """The only table that was read."""
        (table,) = [table for table in self.report.tables if not table.reason]
        return table

    @property
    def texts(self) -> list[str]:
        return [document.text for document in self.documents]

    @property
    def roles(self) -> dict[str, str]:
        return {column.name: str(column.role) for column in self.table.columns}

    def column(self, name: str) -> Column:
        """The column called ``name``."""
        (column,) = [column for column in self.table.columns if column.name == name]
        return column

    def values(self, name: str) -> list[str]:
        """The metadata ``name`` of each document."""
        return [document.metadata[name] for document in self.documents]


def got(path: Path, options: ReadOptions | None = None) -> Got:
    """Read one file."""
    (file,) = discover([path]).files
    with read(file, options or ReadOptions()) as reading:
        documents = list(reading)
        return Got(documents, reading.report)


def got_all(folder: Path, options: ReadOptions | None = None) -> dict[str, Got]:
    """Read every file below ``folder``, by its relative path."""
    found = {}
    for file in discover([folder]).files:
        with read(file, options or ReadOptions()) as reading:
            documents = list(reading)
            found[file.relative] = Got(documents, reading.report)
    return found


def csv_text(rows: Sequence[Sequence[str]], delimiter: str = ",", end: str = "\n") -> str:
    """Return ``rows`` as delimited text, quoted where needed."""
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows(rows)
    return stream.getvalue()


def write_csv(
    path: Path,
    rows: Sequence[Sequence[str]],
    encoding: str = "utf-8",
    delimiter: str = ",",
    end: str = "\n",
) -> Path:
    """Write ``rows`` as delimited text and return ``path``."""
    path.write_bytes(csv_text(rows, delimiter, end).encode(encoding))
    return path


def numbered(*columns: Sequence[str], start: int = 101) -> list[list[str]]:
    """Return rows of an increasing number and one value of each column."""
    return [[str(start + i), *cells] for i, cells in enumerate(zip(*columns, strict=True))]


def cycle(values: Sequence[str], length: int) -> list[str]:
    """Repeat ``values`` to ``length``."""
    return [values[i % len(values)] for i in range(length)]
