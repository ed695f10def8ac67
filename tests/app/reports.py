"""Import reports as the readers make them: a workbook, a table, a letter, and what is not read."""

from __future__ import annotations

from pipelines.types import Column, FileOutcome, FileReport, Role, TableReport

ANSWERS = TableReport(
    layout="Citizen Space",
    header_rows=(3, 4),
    skipped_rows=(1, 2, 5),
    delimiter=";",
    rows=120,
    columns=(
        Column("Response ID", Role.IDENTIFIER, "every cell filled and different"),
        Column(
            "Which do you use?",
            Role.CLOSED_MULTI,
            "few parts, in many combinations",
            options=("Bus", "Tram, train", "Car"),
            separator=";",
        ),
        Column("Submitted", Role.DATE, "100% of cells are dates", format="dd/mm/yyyy"),
        Column("Email", Role.PERSONAL, "e-mail addresses"),
        Column(
            "Q1",
            Role.FREE_TEXT,
            "mostly distinct, 14.2 words on average",
            question="What do you think\nof the plan?",
        ),
        Column("Anything else?", Role.CLOSED_SINGLE, "3 different answers"),
    ),
)
TABLE = FileReport(
    path="/data/in/answers.csv",
    kind="csv",
    outcome=FileOutcome.READ,
    encoding="UTF-8 with a byte-order mark",
    rows=120,
    documents=240,
    duplicates=12,
    tables=(ANSWERS,),
    empty={"blank": 26, "no_view": 5},
    aside={"preview submission: Status is “Survey Preview”": 4},
    flags={"garbled": 3},
    warnings=("row 7, column Q1: the text has a NUL character", "row 9 has a cell too many"),
)
BOOK = FileReport(
    path="/data/in/more/book.xlsx",
    kind="xlsx",
    outcome=FileOutcome.READ,
    rows=2,
    documents=2,
    tables=(
        TableReport(
            layout="generic",
            sheet="Responses",
            header_rows=(1,),
            rows=2,
            columns=(Column("note", Role.FREE_TEXT, "named by a person"),),
        ),
        TableReport(
            layout="generic",
            sheet="Questions",
            header_rows=(1,),
            columns=(Column("note", Role.CLOSED_SINGLE, "2 different answers"),),
            reason="a list of questions, not of answers",
        ),
    ),
)
LETTER = FileReport("/data/in/letter.txt", "text", FileOutcome.READ, encoding="UTF-8", documents=1)
SCAN = FileReport(
    "/data/in/post.zip!/scan.pdf", "pdf", FileOutcome.SKIPPED, "a scan without text; use --ocr"
)
BROKEN = FileReport("/data/in/broken.xlsx", "xlsx", FileOutcome.FAILED, "the zip archive is broken")
REPORTS = (TABLE, BOOK, LETTER, SCAN, BROKEN)
RELATIVES = {
    "/data/in/answers.csv": "answers.csv",
    "/data/in/more/book.xlsx": "more/book.xlsx",
    "/data/in/letter.txt": "letter.txt",
    "/data/in/post.zip": "post.zip",
    "/data/in/broken.xlsx": "broken.xlsx",
}
