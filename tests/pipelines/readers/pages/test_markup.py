"""HTML and XHTML: the text that a browser shows, in the file's own encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile
from pipelines.readers.pages.markup import extract, markup_text


def facts(path: Path, content: bytes) -> tuple[str, dict[str, str], list[str]]:
    path.write_bytes(content)
    found = list(extract(str(path)))
    single = {name: value for name, value in found if name != "warning"}
    warnings = [value for name, value in found if name == "warning"]
    return single["text"], single, warnings


def test_blocks_and_breaks_become_lines() -> None:
    source = (
        "<h1>Parks</h1><p>One <b>two</b>\n  three.<br>Four<div>five</div>six<ul><li>a<li>b</ul>"
    )
    assert markup_text(source) == "Parks\nOne two three.\nFour\nfive\nsix\na\nb"


def test_entities_are_decoded_and_the_no_break_space_kept() -> None:
    assert (
        markup_text("<p>Caf&eacute; &amp; &#163;5&nbsp;&ndash; &lt;b&gt;") == "Café & £5\xa0– <b>"
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>no</script>",
        "<style>no</style>",
        "<template><p>no</template>",
        "<noscript>no</noscript>",
        "<p hidden>no</p>",
        "<p style='color: red; display : none'>no</p>",
        "<p style='visibility:hidden'>no</p>",
        "<!-- no -->",
        "<dialog>no</dialog>",
        "<svg><title>no</title><style>no</style></svg>",
        "<select><option hidden>no</select>",
    ],
)
def test_what_nobody_sees_is_left_out(hidden: str) -> None:
    assert markup_text(f"<p>Seen.</p>{hidden}<p>Seen too.</p>").split() == ["Seen.", "Seen", "too."]


def test_the_furniture_of_a_page_stays() -> None:
    source = "<nav>Home</nav><header>Banner</header><main>Text</main><footer>Contact</footer>"
    assert markup_text(source) == "Home\nBanner\nText\nContact"


def test_preformatted_text_and_answers_in_boxes_keep_their_space() -> None:
    source = "<pre>\na\n  b</pre><textarea>line  one\nline two</textarea>"
    assert markup_text(source) == "a\n  b\nline  one\nline two"


def test_of_a_list_to_choose_from_the_choice_is_shown() -> None:
    source = (
        "<select><option>Agree<option selected>Disagree</select><select><option>x<option>y</select>"
    )
    assert markup_text(source) == "Disagree\nx"


def test_tables_have_tabs_and_long_cells_lines_of_their_own() -> None:
    source = (
        "<table><tr><th>Q<th>A<tr><td>Q1<td>No<tr><td>Views<td><p>One.<p>Two."
        "<table><tr><td>i<td>ii</table></table>after"
    )
    assert markup_text(source) == "Q\tA\nQ1\tNo\nViews\nOne.\nTwo.\ni\tii\nafter"


@pytest.mark.parametrize(
    ("head", "codec", "name"),
    [
        ("<meta charset=iso-8859-1>", "cp1252", "windows-1252"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
            "cp1251",
            "cp1251",
        ),
        ('<?xml version="1.0" encoding="iso-8859-15"?>', "iso8859-15", "iso8859-15"),
        ("<meta charset=iso-8859-1>", "utf-8-sig", "utf-8 with a byte-order mark"),
        ("", "utf-16", "utf-16"),
        ("", "cp1252", "windows-1252"),
        ("<meta charset=utf-16>", "utf-8", "utf-8"),
    ],
)
def test_the_encoding_is_the_mark_the_declared_or_a_guess(
    tmp_path: Path, head: str, codec: str, name: str
) -> None:
    words = "“Привет”" if codec == "cp1251" else "Café naïve £5"
    text, single, warnings = facts(tmp_path / "a.html", f"{head}<p>{words}".encode(codec))
    assert (text, single["encoding"], warnings) == (words, name, [])


def test_a_false_declaration_is_told(tmp_path: Path) -> None:
    text, single, warnings = facts(
        tmp_path / "a.html", "<meta charset=utf-8><p>Café naïve".encode("cp1252")
    )
    assert text == "Café naïve"
    assert warnings == ["declares the encoding 'utf-8', which is wrong; read as windows-1252"]
    assert single["encoding"] == "windows-1252"


@pytest.mark.parametrize("name", ["klingon", "hex", "rot13", "idna", "utf-7"])
def test_an_encoding_that_is_none_is_told(tmp_path: Path, name: str) -> None:
    text, _, warnings = facts(tmp_path / "a.html", f"<meta charset={name}><p>Text".encode())
    assert text == "Text"
    assert warnings == [f"declares the encoding {name!r}, which is unknown; read as utf-8"]


def test_xhtml_closed_elements_and_raw_sections_lose_nothing(tmp_path: Path) -> None:
    source = (
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a>b.js"/></head>'
        "<body><textarea rows='2'/><p/><p>One &amp; <![CDATA[two < three]]></p>&e;</body></html>"
    )
    text, _, _ = facts(tmp_path / "a.xhtml", source.encode())
    assert text.startswith("One & two < three")
    assert "root:" not in text


def test_the_title_is_metadata_and_not_text(tmp_path: Path) -> None:
    text, single, _ = facts(tmp_path / "a.html", b"<title>My\n page</title><p>Text")
    assert (text, single["metadata"]) == ("Text", {"title": "My page"})


def test_a_page_without_text_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<script>draw()</script>")
    with pytest.raises(SkippedFile, match="shows no text"):
        list(extract(str(tmp_path / "a.html")))


def test_deep_nesting_is_read() -> None:
    assert markup_text("<div>" * 3000 + "deep" + "</div>" * 3000) == "deep"


def test_what_is_typed_into_a_form_is_shown() -> None:
    source = (
        "<label>Name:<input value='Jo'></label><input type=hidden value=t0ken>"
        "<input type=PASSWORD value=secret><input type=radio value=1>Yes <input type=submit value=Send>"
    )
    assert markup_text(source) == "Name: Jo Yes Send"


@pytest.mark.parametrize(
    ("end", "warning"),
    [
        ("<e: lost words", "not read: 14 characters at the end, in a tag that is never closed"),
        ("<!-- lost words", "not read: 15 characters at the end, in a tag that is never closed"),
        ("<!-- lost <b>words</b>", "not read: what follows a comment that is never closed"),
        ("<script>lost <b>words</b>", "not read: what follows a “script” that is never closed"),
    ],
)
def test_what_an_unclosed_tag_swallows_is_told(tmp_path: Path, end: str, warning: str) -> None:
    _, _, warnings = facts(tmp_path / "a.html", f"<p>One</p>\n{end}".encode())
    assert warning in warnings


def test_a_sound_page_says_nothing_is_swallowed(tmp_path: Path) -> None:
    page = b"<meta charset=utf-8><style>p{}</style><!-- x --><p>3 < 4 and 5 <6<script>x</script></p> end"
    assert facts(tmp_path / "a.html", page)[2] == []
