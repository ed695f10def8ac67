"""A report as one HTML page: no script, nothing fetched, readable with a screen reader and in print."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from app.report.blocks import (
    Bars,
    Block,
    Heading,
    Paragraph,
    Quote,
    Report,
    Table,
    Value,
    dictionary,
)
from app.report.charts import bars_svg

_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
h1, h2, h3, h4 { line-height: 1.25; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border-bottom: 1px solid #bbb; padding: .3rem .5rem; text-align: left; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
blockquote { border-left: .25rem solid #555; margin: 1rem 0; padding: .1rem 1rem; }
blockquote footer, .note { color: #444; font-size: .9rem; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
@media print { body { max-width: none; } table, figure, blockquote { break-inside: avoid; } }
"""


def write_html(report: Report, path: Path) -> int:
    """Write ``report`` to ``path`` and return the number of data rows written."""
    path.write_text(as_html(report), "utf-8")
    return sum(len(table.rows) for table in report.tables())


def as_html(report: Report) -> str:
    """Return the report as a whole page."""
    title = escape(report.title)
    body = "\n".join(part for block in report.blocks for part in _block(block))
    words = "\n".join(_table(dictionary(report)))
    return (
        '<!DOCTYPE html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n<p>{escape(report.subtitle)}</p>\n{body}\n"
        f"<h2>Data dictionary</h2>\n{words}\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        level = min(6, block.level + 1)
        yield f"<h{level}>{escape(block.text)}</h{level}>"
    elif isinstance(block, Paragraph):
        yield f"<p>{escape(block.text)}</p>"
    elif isinstance(block, Quote):
        place = f"response {block.source}, characters {block.start} to {block.end}"
        about = f"{block.about} · " if block.about else ""
        yield (
            f'<blockquote><p style="white-space: pre-line">{escape(block.text)}</p>'
            f"<footer>{escape(about + place)}</footer></blockquote>"
        )
    elif isinstance(block, Bars):
        yield f"<figure>{bars_svg(block)}<figcaption>{escape(block.title)}</figcaption></figure>"
    elif block.wide:
        yield (
            f'<p class="note">{escape(block.title)}: {len(block.rows):,} rows, in the workbook '
            f"(sheet {escape(block.name)}).</p>"
        )
    else:
        yield from _table(block)


def _table(table: Table) -> Iterator[str]:
    yield f"<table><caption>{escape(table.title)}</caption><thead><tr>"
    yield "".join(f'<th scope="col">{escape(column.name)}</th>' for column in table.columns)
    yield "</tr></thead><tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(map(_cell, row))}</tr>"
    yield "</tbody></table>"
    for note in table.notes:
        yield f'<p class="note">{escape(note)}</p>'


def _cell(value: Value) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td class="number">{value:,}</td>'
