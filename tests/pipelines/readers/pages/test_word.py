"""DOCX: what a reader of the accepted document sees, all of it, and what is told about the rest."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.word import extract
from pipelines.segment import segment
from tests.pipelines.readers.made_documents import W, word_p, write_docx

STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"


def facts(path: Path) -> tuple[str, list[str], dict[str, str]]:
    found = list(extract(str(path)))
    text = "".join(value for name, value in found if name == "text")
    metadata = next(value for name, value in found if name == "metadata")
    return text, [value for name, value in found if name == "warning"], metadata


def text_of(tmp_path: Path, body: str, others: dict[str, str] | None = None) -> str:
    return facts(write_docx(tmp_path / "a.docx", body, others))[0]


def run(text: str, properties: str = "") -> str:
    return f'<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def test_a_file_of_python_docx_is_read_in_order(tmp_path: Path) -> None:
    import docx

    document = docx.Document()
    document.add_heading("Our response", 1)
    document.add_paragraph("We disagree with the plan – strongly.")
    document.add_paragraph("First point", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip(
        (*table.rows[0].cells, *table.rows[1].cells), ("Q", "A", "Q1", "No"), strict=True
    ):
        cell.text = words
    document.add_paragraph("The end.")
    document.core_properties.title = "Parks"
    document.core_properties.author = "Jane Smith"
    document.save(str(tmp_path / "a.docx"))
    text, warnings, metadata = facts(tmp_path / "a.docx")
    assert text == (
        "Our response\nWe disagree with the plan – strongly.\nFirst point\nQ\tA\nQ1\tNo\nThe end."
    )
    assert warnings == []
    assert metadata["title"] == "Parks"
    assert "Jane Smith" not in metadata.values()


def test_a_heading_is_a_sentence_of_its_own(tmp_path: Path) -> None:
    text = text_of(tmp_path, word_p("Traffic") + word_p("We want less of it. Much less."))
    sentences = [text[piece.start : piece.end] for piece in segment(text)]
    assert sentences == ["Traffic", "We want less of it.", "Much less."]


def test_insertions_are_kept_and_deletions_left_out(tmp_path: Path) -> None:
    body = (
        f"<w:p>{run('We ')}<w:ins>{run('strongly ')}</w:ins><w:del><w:r><w:delText>never </w:delText>"
        f"</w:r></w:del>{run('agree')}<w:moveFrom>{run(' gone')}</w:moveFrom>"
        f"<w:moveTo>{run(' here')}</w:moveTo></w:p>"
    )
    text, warnings, _ = facts(write_docx(tmp_path / "a.docx", body))
    assert text == "We strongly agree here"
    assert warnings == ["2 tracked deletions left out", "1 tracked insertion kept"]


def test_a_deleted_paragraph_mark_joins_and_a_deleted_row_goes(tmp_path: Path) -> None:
    body = (
        f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{run('One ')}</w:p>{word_p('line')}"
        f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>{word_p('gone')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{word_p('kept')}</w:tc></w:tr></w:tbl>"
    )
    assert text_of(tmp_path, body) == "One line\nkept"


def test_the_text_of_links_controls_and_smart_tags_is_kept(tmp_path: Path) -> None:
    body = (
        f"<w:p>{run('See ')}<w:hyperlink>{run('our page')}</w:hyperlink>"
        f"<w:smartTag>{run(' in Leeds')}</w:smartTag><w:sdt><w:sdtPr/><w:sdtContent>"
        f"{run(' today')}</w:sdtContent></w:sdt></w:p>"
        f"<w:sdt><w:sdtContent>{word_p('A block control')}</w:sdtContent></w:sdt>"
    )
    assert text_of(tmp_path, body) == "See our page in Leeds today\nA block control"


def test_the_prompt_of_an_empty_control_is_no_answer(tmp_path: Path) -> None:
    body = word_p("Your name") + (
        "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>"
        f"{word_p('Click here to enter text.')}</w:sdtContent></w:sdt>"
    )
    text, warnings, _ = facts(write_docx(tmp_path / "a.docx", body))
    assert text == "Your name"
    assert warnings == ["1 empty field left out with the prompt shown in it"]


def test_a_field_gives_its_result_and_not_its_code(tmp_path: Path) -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    body = (
        f"<w:p>{run('Page ')}{mark('begin')}<w:r><w:instrText>PAGE</w:instrText></w:r>"
        f"{mark('begin')}{run('nested')}{mark('end')}{mark('separate')}{run('7')}{mark('end')}"
        f"{run(' of ')}<w:fldSimple>{run('9')}</w:fldSimple></w:p>"
    )
    assert text_of(tmp_path, body) == "Page 7 of 9"


def test_a_field_without_an_end_hides_nothing(tmp_path: Path) -> None:
    body = f'<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>{run("All of this")}</w:p>'
    text, warnings, _ = facts(write_docx(tmp_path / "a.docx", body + word_p("and this.")))
    assert text == "All of this\nand this."
    assert any("a field has no end" in warning for warning in warnings)


def test_ticks_and_choices_of_forms_are_read(tmp_path: Path) -> None:
    def field(data: str) -> str:
        return (
            f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'
            '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    yes = field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')
    no = field('<w:checkBox><w:default w:val="0"/></w:checkBox>')
    choice = field(
        '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Agree"/>'
        '<w:listEntry w:val="Disagree"/></w:ddList>'
    )
    symbol = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
    body = f"<w:p>{yes}{run(' Yes ')}{no}{run(' No ')}{choice} {symbol}</w:p>"
    assert text_of(tmp_path, body) == "☒ Yes ☐ No Disagree☑"


def test_text_boxes_stand_once_after_their_paragraph(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{word_p('In the box.')}</w:txbxContent>"
    body = (
        f"<w:p>{run('Before ')}<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>{box}"
        f"</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox>"
        f"</w:pict></mc:Fallback></mc:AlternateContent></w:r>{run('after.')}</w:p>{word_p('Next.')}"
    )
    assert text_of(tmp_path, body) == "Before after.\nIn the box.\nNext."


def test_a_text_box_outside_a_paragraph_is_not_lost(tmp_path: Path) -> None:
    body = f"<w:pict><w:txbxContent>{word_p('In the box.')}</w:txbxContent></w:pict>"
    assert text_of(tmp_path, body + word_p("After.")) == "After.\nIn the box."


def test_notes_stand_at_the_end_in_the_order_of_their_marks(tmp_path: Path) -> None:
    body = (
        f'<w:p>{run("One")}<w:r><w:endnoteReference w:id="2"/></w:r>{run(" two")}'
        '<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    notes = (
        f'<w:footnote w:type="separator" w:id="0">{word_p("---")}</w:footnote>'
        f'<w:footnote w:id="2">{word_p("A footnote.")}</w:footnote>'
    )
    ends = f'<w:endnote w:id="2">{word_p("An endnote.")}</w:endnote>'
    text = text_of(tmp_path, body, {"footnotes": notes, "endnotes": ends})
    assert text == "One two\nAn endnote.\nA footnote."


def test_headers_and_footers_stand_once_at_the_end(tmp_path: Path) -> None:
    others = {
        "header1": word_p("Acme Ltd"),
        "header2": word_p("Acme Ltd") + word_p("Draft"),
        "footer1": word_p("Page 1"),
    }
    text, warnings, _ = facts(write_docx(tmp_path / "a.docx", word_p("Body."), others))
    assert text == "Body.\nAcme Ltd\nDraft\nPage 1"
    assert warnings == ["headers and footers stand at the end: 3 lines"]


def test_hidden_text_is_left_out_and_counted(tmp_path: Path) -> None:
    styles = (
        '<w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="Child"><w:basedOn w:val="Base"/></w:style>'
    )
    body = (
        f"<w:p>{run('Seen')}{run(' secret', '<w:rPr><w:vanish/></w:rPr>')}"
        f"""{run(" kept", '<w:rPr><w:vanish w:val="0"/></w:rPr>')}</w:p>"""
        f'<w:p><w:pPr><w:pStyle w:val="Child"/></w:pPr>{run("styled")}</w:p>'
    )
    text, warnings, _ = facts(write_docx(tmp_path / "a.docx", body, {"styles": styles}))
    assert text == "Seen kept"
    assert warnings == ["hidden text left out: 13 characters"]


def test_comments_are_counted(tmp_path: Path) -> None:
    comments = f"<w:comment>{word_p('Really?')}</w:comment>"
    path = write_docx(tmp_path / "a.docx", word_p("Body."), {"comments": comments})
    text, warnings, _ = facts(path)
    assert text == "Body."
    assert warnings == ["1 comment left out"]


def test_a_long_cell_does_not_run_into_its_label(tmp_path: Path) -> None:
    inner = f"<w:tbl><w:tr><w:tc>{word_p('a')}</w:tc><w:tc>{word_p('b')}</w:tc></w:tr></w:tbl>"
    body = (
        f"<w:tbl><w:tr><w:tc>{word_p('Your views')}</w:tc>"
        f"<w:tc>{word_p('I think so.')}{inner}</w:tc></w:tr></w:tbl>{word_p('End')}"
    )
    assert text_of(tmp_path, body) == "Your views\nI think so.\na\tb\nEnd"


def test_breaks_tabs_and_hyphens_are_characters(tmp_path: Path) -> None:
    body = "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/>"
    body += "<w:t>d</w:t><w:softHyphen/><w:t>e &amp; f</w:t></w:r></w:p>"
    assert text_of(tmp_path, body) == "a\tb\nc-de & f"


def test_the_strict_form_of_the_format_reads_the_same(tmp_path: Path) -> None:
    text, _, _ = facts(write_docx(tmp_path / "a.docx", word_p("Strict."), namespace=STRICT))
    assert text == "Strict."


def test_the_title_and_day_of_the_file_are_metadata(tmp_path: Path) -> None:
    core = (
        "<dc:title>Parks</dc:title><dc:creator>Jane</dc:creator>"
        "<dcterms:created>2024-05-01T10:00:00Z</dcterms:created>"
    )
    _, _, metadata = facts(write_docx(tmp_path / "a.docx", word_p("x"), {"core": core}))
    assert metadata == {"title": "Parks", "created": "2024-05-01T10:00:00Z"}


def test_a_document_of_pictures_says_so(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "a.docx", "<w:p/>", {"image1": "x"})
    with pytest.raises(SkippedFile, match="no text in the document; 1 picture in it"):
        list(extract(str(path)))


def test_a_zip_that_is_no_word_file_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("x.txt", "hello")
    with pytest.raises(UnreadableFile, match="not a Word document"):
        list(extract(str(tmp_path / "a.docx")))


def test_a_broken_part_is_told_without_its_text(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "a.docx", "<w:p><w:r><w:t>secret words")
    with pytest.raises(UnreadableFile, match=r"'word/document.xml' is broken XML") as error:
        list(extract(str(path)))
    assert "secret" not in str(error.value)


LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {name} "{f"&{inner};" * 10}">'
        for inner, name in zip("abcdefghi", "bcdefghij", strict=True)
    )
    + "]>"
)


def with_document(path: Path, xml: str) -> Path:
    """Replace the body of a Word file by ``xml``."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, xml if name == "word/document.xml" else data)
    return path


@pytest.mark.parametrize(
    ("prologue", "text"),
    [
        (LAUGHS, "&j;"),
        ('<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>', "&e;"),
        ('<!DOCTYPE x SYSTEM "file://{secret}">', "&e;"),
        ('<!DOCTYPE x [<!ENTITY e "ha">]>', "plain"),
        ('<!DOCTYPE x [<!ENTITY % p SYSTEM "file://{secret}"> %p;]>', "plain"),
    ],
    ids=["laughs", "external", "outside_type", "unused", "parameter"],
)
def test_entities_do_no_harm(tmp_path: Path, prologue: str, text: str) -> None:
    (tmp_path / "secret.txt").write_text("the secret")
    path = write_docx(tmp_path / "a.docx", word_p("replaced"))
    evil = prologue.replace("{secret}", str(tmp_path / "secret.txt"))
    evil += f'<w:document xmlns:w="{W}"><w:body>{word_p(text)}</w:body></w:document>'
    with_document(path, evil)
    with pytest.raises(UnreadableFile) as error:
        list(extract(str(path)))
    assert "the secret" not in str(error.value)


def test_an_attribute_of_entities_does_not_grow(tmp_path: Path) -> None:
    xml = f'{LAUGHS}<w:document xmlns:w="{W}"><w:body x="&j;">{word_p("a")}</w:body></w:document>'
    path = with_document(write_docx(tmp_path / "a.docx", ""), xml)
    with pytest.raises(UnreadableFile):
        list(extract(str(path)))


def test_a_document_type_that_is_only_named_is_not_loaded(tmp_path: Path) -> None:
    xml = f'<!DOCTYPE x SYSTEM "http://example.invalid/x.dtd"><w:document xmlns:w="{W}"><w:body>'
    path = write_docx(tmp_path / "a.docx", "")
    assert facts(with_document(path, f"{xml}{word_p('Text.')}</w:body></w:document>"))[0] == "Text."
