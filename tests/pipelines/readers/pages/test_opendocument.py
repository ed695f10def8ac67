"""ODT: what a reader of the document sees, all of it, and what is told about the rest."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.opendocument import extract
from tests.pipelines.readers.made_documents import ODF_NAMES, write_odt


def facts(path: Path) -> tuple[str, list[str], dict[str, str]]:
    found = list(extract(str(path)))
    text = "".join(value for name, value in found if name == "text")
    metadata = next(value for name, value in found if name == "metadata")
    return text, [value for name, value in found if name == "warning"], metadata


def p(text: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def test_a_file_of_odfdo_is_read_in_order(tmp_path: Path) -> None:
    from odfdo import Document, Header, Paragraph, Table

    document = Document("text")
    document.body.clear()
    document.body.append(Header(1, "Our response"))
    document.body.append(Paragraph("We disagree –  twice  spaced."))
    table = Table("T", width=2, height=1)
    table.set_values([["Q1", "No"]])
    document.body.append(table)
    document.body.append(Paragraph("The end."))
    document.save(str(tmp_path / "a.odt"))
    text, warnings, _ = facts(tmp_path / "a.odt")
    assert text == "Our response\nWe disagree –  twice  spaced.\nQ1\tNo\nThe end."
    assert warnings == []


def test_white_space_collapses_as_the_format_says(tmp_path: Path) -> None:
    body = p("\n  One\n   two<text:s text:c='2'/>three<text:tab/>four<text:line-break/>five ")
    assert facts(write_odt(tmp_path / "a.odt", body))[0] == "One two  three\tfour\nfive"


def test_spans_links_and_lists_keep_their_text(tmp_path: Path) -> None:
    body = p("See <text:span>the <text:a>page</text:a></text:span> now") + (
        f"<text:list><text:list-item>{p('one')}<text:list><text:list-item>{p('inner')}"
        f"</text:list-item></text:list></text:list-item></text:list>"
    )
    assert facts(write_odt(tmp_path / "a.odt", body))[0] == "See the page now\none\ninner"


def test_deletions_annotations_and_hidden_text_are_left_out(tmp_path: Path) -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion>"
        f"{p('gone')}</text:deletion></text:changed-region></text:tracked-changes>"
        + p(f"Kept<text:change/><office:annotation>{p('Really?')}</office:annotation>.")
        + p("a<text:span text:style-name='H'>hid</text:span>b")
    )
    hidden = (
        '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>'
    )
    text, warnings, _ = facts(write_odt(tmp_path / "a.odt", body, automatic=hidden))
    assert text == "Kept.\nab"
    assert warnings == [
        "1 tracked deletion left out",
        "hidden text left out: 3 characters",
        "1 comment left out",
    ]


def test_notes_boxes_and_margins_are_read(tmp_path: Path) -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        f"{p('A note.')}</text:note-body></text:note>"
    )
    box = f"<draw:frame><draw:text-box>{p('In the box.')}</draw:text-box></draw:frame>"
    styles = (
        f"<style:master-page><style:header>{p('Acme')}</style:header>"
        f"<style:footer>{p('Acme')}{p('Page 1')}</style:footer></style:master-page>"
    )
    text, warnings, _ = facts(
        write_odt(tmp_path / "a.odt", p(f"Before{note} {box}after.") + p("Next."), styles)
    )
    assert text == "Before after.\nIn the box.\nNext.\nA note.\nAcme\nPage 1"
    assert warnings == ["headers and footers stand at the end: 2 lines"]


def test_empty_cells_and_groups_of_rows_keep_their_places(tmp_path: Path) -> None:
    cell = f"<table:table-cell>{p('{}')}</table:table-cell>"
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        f"{cell.format('a')}<table:table-cell table:number-columns-repeated='2'/>"
        f"{cell.format('d')}</table:table-row></table:table-header-rows></table:table>"
    )
    assert facts(write_odt(tmp_path / "a.odt", body))[0] == "a\t\t\td"


def test_the_title_and_day_of_the_file_are_metadata(tmp_path: Path) -> None:
    meta = (
        "<dc:title>Parks</dc:title><dc:creator>Jane</dc:creator>"
        "<meta:creation-date>2024-05-01T10:00:00</meta:creation-date>"
    )
    _, _, metadata = facts(write_odt(tmp_path / "a.odt", p("x"), meta=meta))
    assert metadata == {"title": "Parks", "created": "2024-05-01T10:00:00"}


def test_a_protected_document_is_told(tmp_path: Path) -> None:
    path = write_odt(tmp_path / "a.odt", p("x"))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(
            "META-INF/manifest.xml",
            '<!DOCTYPE m PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">'
            "<m><file-entry><encryption-data/></file-entry></m>",
        )
    with pytest.raises(UnreadableFile, match="protected by a password"):
        list(extract(str(path)))


def test_a_document_without_text_says_so(tmp_path: Path) -> None:
    path = write_odt(tmp_path / "a.odt", p("<draw:frame><draw:image/></draw:frame>"))
    with pytest.raises(SkippedFile, match="1 picture in it"):
        list(extract(str(path)))


def test_entities_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the secret")
    path = tmp_path / "a.odt"
    for declaration in (
        f'<!ENTITY e SYSTEM "file://{tmp_path}/secret.txt">',
        '<!ENTITY d "hahahahahaha"><!ENTITY e "&d;&d;&d;&d;">',
    ):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(
                "content.xml",
                f"<!DOCTYPE x [{declaration}]><office:document-content {ODF_NAMES}><office:body>"
                f"<office:text>{p('&e;')}</office:text></office:body></office:document-content>",
            )
        with pytest.raises(UnreadableFile, match="declares entities") as error:
            list(extract(str(path)))
        assert "the secret" not in str(error.value)
