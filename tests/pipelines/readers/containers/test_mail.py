"""One document a message: its body to the character, its attachments as members."""

from __future__ import annotations

import email.message
import email.policy
import zipfile
from pathlib import Path

import pytest

from pipelines.readers import Limits, ReadOptions, SourceFile, discover, read
from pipelines.types import Document, FileOutcome, FileReport
from tests.pipelines.readers.made_containers import msg, write, zipped

HEAD = b"From: A Reader <reader@post.example>\nTo: council@post.example\n"
SIMPLE = HEAD + b"Subject: Our answer\nDate: Tue, 04 Mar 2025 09:00:00 +0100\n\nWe like the park.\n"
TABLE = b"ID,Comment\n1,We would like more benches by the lake\n2,The cafe is too dear for us\n"


class Got:
    """One mail file, read: documents, report, members by inner path, what was left out."""

    def __init__(self, path: Path, **limits: int) -> None:
        (file,) = discover([path]).files
        self.read(file, ReadOptions(limits=Limits(**limits)))

    def read(self, file: SourceFile, options: ReadOptions) -> None:
        with read(file, options) as reading:
            self.documents: list[Document] = list(reading)
            self.report: FileReport = reading.report
            self.members = {
                m.relative.partition("!/")[2]: m.path.read_bytes() for m in reading.members
            }
            self.left_out = {r.path.rpartition("!/")[2]: r.reason for r in reading.left_out}

    @property
    def text(self) -> str:
        (document,) = self.documents
        return document.text


def message(text: str = "We like the park.\n", **headers: str) -> email.message.EmailMessage:
    made = email.message.EmailMessage(policy=email.policy.default)
    made["From"] = "A Reader <reader@post.example>"
    made["Subject"] = headers.pop("subject", "Our answer")
    made.set_content(text)
    return made


def test_the_plain_body_is_the_text(tmp_path: Path) -> None:
    got = Got(write(tmp_path / "a.eml", SIMPLE))
    (document,) = got.documents
    assert (document.text, document.key) == ("We like the park.\n", "a.eml")
    assert document.metadata["subject"] == "Our answer"
    assert document.metadata["date"] == "2025-03-04 09:00:00+01:00"
    assert got.report.kind == "eml"


def test_who_wrote_it_is_not_stored(tmp_path: Path) -> None:
    (document,) = Got(write(tmp_path / "a.eml", SIMPLE)).documents
    assert "reader@post.example" not in repr(document)
    assert document.respondent == ""


@pytest.mark.parametrize("codec", ["utf-8", "iso-8859-1", "windows-1252", "utf-16"])
@pytest.mark.parametrize("transfer", ["base64", "quoted-printable"])
def test_a_body_is_decoded_to_the_character(tmp_path: Path, codec: str, transfer: str) -> None:
    text = "The café costs too much.\nWe would rather walk – no?\n".replace(
        "–", "-" if codec == "iso-8859-1" else "–"
    )
    made = message()
    made.set_content(text.encode(codec), "text", "plain", cte=transfer)
    made.set_param("charset", codec)
    assert Got(write(tmp_path / "a.eml", bytes(made))).text == text


def test_windows_quotes_declared_as_latin_1_are_quotes(tmp_path: Path) -> None:
    head = b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n"
    got = Got(write(tmp_path / "a.eml", HEAD + head + b"\nWe don\x92t \x93know\x94\n"))
    assert got.text == "We don’t “know”\n"


def test_the_plain_alternative_is_preferred_to_html(tmp_path: Path) -> None:
    made = message("Plain words.\n")
    made.add_alternative("<p>Marked <b>words</b>.</p>", subtype="html")
    got = Got(write(tmp_path / "a.eml", bytes(made)))
    assert got.text == "Plain words.\n"
    assert got.members == {}


def test_html_alone_gives_its_text(tmp_path: Path) -> None:
    made = email.message.EmailMessage()
    made["Subject"] = "x"
    made.set_content("<p>Marked &amp; <b>bold</b></p><script>no()</script>", subtype="html")
    assert Got(write(tmp_path / "a.eml", bytes(made))).text.strip() == "Marked & bold"


def test_quoted_replies_stay(tmp_path: Path) -> None:
    text = "I agree.\n\nOn Monday, B wrote:\n> We like the park.\n>> So do I.\n"
    assert Got(write(tmp_path / "a.eml", bytes(message(text)))).text == text


def test_soft_line_breaks_are_kept_and_noted(tmp_path: Path) -> None:
    head = b"Content-Type: text/plain; format=flowed\n"
    got = Got(write(tmp_path / "a.eml", HEAD + head + b"\nWe like \nthe park\n"))
    assert got.text == "We like \nthe park\n"
    assert any("format=flowed" in warning for warning in got.report.warnings)


def test_a_subject_in_encoded_words_is_decoded(tmp_path: Path) -> None:
    for raw, subject in (
        (b"=?utf-8?q?Caf=C3=A9_prices?=", "Café prices"),
        (b"=?utf-8?b?Q2Fmw6k=?=\n =?iso-8859-1?q?_t=F4t?=", "Café tôt"),
        (b"=?x-unknown?q?Caf=E9?=", "Café"),
        (b"=?utf-8?b?broken", "=?utf-8?b?broken"),
        (b"Caf\xe9", "Café"),
    ):
        got = Got(write(tmp_path / "a.eml", b"Subject: " + raw + b"\n" + HEAD + b"\nwords\n"))
        assert got.documents[0].metadata["subject"] == subject


def test_attachments_become_members(tmp_path: Path) -> None:
    made = message()
    made.add_attachment(TABLE, "text", "csv", filename="../answers.csv")
    made.add_attachment(b"%PDF-1.7", "application", "pdf", filename="Brief é\n.pdf")
    made.add_attachment(TABLE, "text", "csv", filename="answers.csv")
    got = Got(write(tmp_path / "a.eml", bytes(made)))
    assert got.text == "We like the park.\n"
    assert got.members["answers.csv"] == TABLE
    assert got.members["answers~2.csv"] == TABLE
    assert len(got.members) == 3


def test_a_message_inside_is_a_member(tmp_path: Path) -> None:
    made = message("See below.\n")
    made.add_attachment(message("The first message.\n", subject="Before"))
    got = Got(write(tmp_path / "a.eml", bytes(made)))
    ((name, data),) = got.members.items()
    assert name.endswith(".eml")
    assert Got(write(tmp_path / "b.eml", data)).text == "The first message.\n"


def test_attachments_too_deep_are_left_out(tmp_path: Path) -> None:
    made = message()
    made.add_attachment(TABLE, "text", "csv", filename="answers.csv")
    got = Got(write(tmp_path / "a.eml", bytes(made)), depth=0)
    assert got.text == "We like the park.\n"
    assert "archive_depth" in got.left_out["answers.csv"]


def test_more_attachments_than_the_limit_are_left_out(tmp_path: Path) -> None:
    made = message()
    for i in range(3):
        made.add_attachment(b"x", "text", "csv", filename=f"{i}.csv")
    got = Got(write(tmp_path / "a.eml", bytes(made)), members=2)
    assert list(got.members) == ["0.csv", "1.csv"]
    assert "archive_members" in got.left_out["2.csv"]


@pytest.mark.parametrize(
    ("kind", "name", "word"),
    [
        ("application/pkcs7-mime", "smime.p7m", "S/MIME"),
        ("application/ms-tnef", "winmail.dat", "winmail.dat"),
    ],
)
def test_sealed_parts_are_named(tmp_path: Path, kind: str, name: str, word: str) -> None:
    made = message()
    made.add_attachment(b"sealed", *kind.split("/"), filename=name)
    got = Got(write(tmp_path / "a.eml", bytes(made)))
    assert word in got.left_out[name]


def test_a_message_sealed_as_a_whole_is_named(tmp_path: Path) -> None:
    for kind, word in (
        (b'multipart/encrypted; boundary="x"', "PGP"),
        (b'application/pkcs7-mime; name="smime.p7m"', "S/MIME"),
    ):
        data = HEAD + b"Content-Type: " + kind + b"\n\n--x\n\nVersion: 1\n--x\n\nsealed\n--x--\n"
        got = Got(write(tmp_path / "a.eml", data))
        assert got.text == ""
        assert any(word in warning for warning in got.report.warnings)


def test_signatures_are_no_attachments(tmp_path: Path) -> None:
    made = message()
    made.add_attachment(b"sig", "application", "pgp-signature", filename="signature.asc")
    got = Got(write(tmp_path / "a.eml", bytes(made)))
    assert (got.members, got.left_out) == ({}, {})


_PARTS = b'Content-Type: multipart/mixed; boundary="x"\n\n'


@pytest.mark.parametrize(
    "data",
    [
        HEAD + _PARTS + b"We like the park and there is no boundary at all\n",
        HEAD + _PARTS + b"--x\nContent-Type: text/plain\n\nWe like the park",
        HEAD + _PARTS + b"We like the park\n--x\n\nsecond\n--x--\n",
        HEAD + _PARTS + b"--x\n\nfirst\n--x--\nWe like the park\n",
        HEAD + b"Content-Type: text/plain; charset=no-such\n\nWe like the park\n",
        HEAD + b"Content-Type: \xff\xfe;;; =\n\nWe like the park\n",
        HEAD + b"Content-Transfer-Encoding: rot13\n\nWe like the park\n",
        HEAD + b"Date: not a date\nSubject:\n\nWe like the park\n",
        b"We like the park\n",
        HEAD.replace(b"\n", b"\r\n") + b"\r\nWe like the park\r\n",
    ],
)
def test_the_words_of_malformed_mail_are_kept(tmp_path: Path, data: bytes) -> None:
    got = Got(write(tmp_path / "a.eml", data))
    assert got.report.outcome is FileOutcome.READ
    assert "We like the park" in got.text


def test_any_text_under_the_name_of_mail_is_kept(tmp_path: Path) -> None:
    for codec in ("utf-16", "utf-8-sig", "cp1252"):
        got = Got(write(tmp_path / "a.eml", "The café is dear\n".encode(codec)))
        assert got.text.lstrip("\ufeff") == "The café is dear\n"
        assert any("no mail headers" in warning for warning in got.report.warnings)


def test_parts_a_thousand_deep_are_an_outcome(tmp_path: Path) -> None:
    data = HEAD
    for i in range(1_500):
        data += f'Content-Type: multipart/mixed; boundary="b{i}"\n\n--b{i}\n'.encode()
    report = Got(write(tmp_path / "a.eml", data + b"\nwords\n")).report
    assert report.outcome is FileOutcome.FAILED or report.warnings


def test_an_empty_message_is_a_document_without_words(tmp_path: Path) -> None:
    assert Got(write(tmp_path / "a.eml", HEAD + b"\n")).text == ""


def test_each_message_of_a_mailbox_is_a_document(tmp_path: Path) -> None:
    made = message("Second.\n\nFrom here on it is better.\n")
    made.add_attachment(TABLE, "text", "csv", filename="answers.csv")
    first = b"From reader@post.example Tue Mar  4 09:00:00 2025\n" + SIMPLE
    second = bytes(made).replace(b"\nFrom here", b"\n>From here")
    data = first + b"\nFrom x Tue Mar  4 09:00:00 2025\n" + second + b"\n" + first
    got = Got(write(tmp_path / "a.mbox", data))
    assert [document.text for document in got.documents] == [
        "We like the park.\n", "Second.\n\nFrom here on it is better.\n", "We like the park.\n",
    ]  # fmt: skip
    assert [document.key for document in got.documents] == [f"a.mbox#m{i}" for i in (1, 2, 3)]
    assert got.documents[1].locator == "message 2"
    assert got.members == {"message 2/answers.csv": TABLE}
    assert (got.report.kind, got.report.rows) == ("mbox", 3)


def test_a_mailbox_without_an_ending_is_known_by_its_first_line(tmp_path: Path) -> None:
    data = b"From reader@post.example Tue Mar  4 09:00:00 2025\n" + SIMPLE
    got = Got(write(tmp_path / "Inbox", data))
    assert got.documents[0].text == "We like the park.\n"


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_a_mailbox_has_any_line_ends(tmp_path: Path, end: bytes) -> None:
    one = b"From x Tue Mar  4 09:00:00 2025\n" + SIMPLE + b"\n"
    got = Got(write(tmp_path / "a.mbox", (one + one).replace(b"\n", end)))
    assert [document.text.strip() for document in got.documents] == ["We like the park."] * 2


def test_a_large_mailbox_streams(tmp_path: Path) -> None:
    one = b"From x Tue Mar  4 09:00:00 2025\n" + SIMPLE + b"We like the park. " * 2_000 + b"\n\n"
    path = tmp_path / "a.mbox"
    with path.open("wb") as stream:
        for _ in range(1_000):
            stream.write(one)
    (file,) = discover([path]).files
    with read(file, ReadOptions(limits=Limits(memory_mb=100))) as reading:
        assert sum(1 for _ in reading) == 1_000


def test_a_message_too_large_for_the_parser_is_named(tmp_path: Path) -> None:
    one = b"From x Tue Mar  4 09:00:00 2025\n" + SIMPLE
    data = one + b"words " * 10_000_000 + b"\n\n" + one
    got = Got(write(tmp_path / "a.mbox", data), memory_mb=200)
    assert [document.text for document in got.documents] == ["", "We like the park.\n"]
    assert "a message of more than 50 MB is left out" in got.report.warnings


def test_an_outlook_message_gives_body_subject_and_attachments(tmp_path: Path) -> None:
    data = msg(
        subject="Our answer", body="We like the café.\r\n", attachments={"answers.csv": TABLE}
    )
    got = Got(write(tmp_path / "a.msg", data))
    (document,) = got.documents
    assert (document.text, document.metadata["subject"]) == ("We like the café.\r\n", "Our answer")
    assert got.members == {"answers.csv": TABLE}
    assert got.report.kind == "msg"


def test_an_outlook_message_in_html_gives_its_text(tmp_path: Path) -> None:
    got = Got(write(tmp_path / "a.msg", msg(html=b"<p>We like the <b>park</b></p>")))
    assert got.text.strip() == "We like the park"


@pytest.mark.parametrize("cut", [300, 600, 1200, 2500])
def test_a_damaged_outlook_message_is_a_reason(tmp_path: Path, cut: int) -> None:
    data = msg(subject="Our answer", body="We like the café.\r\n" * 300)
    report = Got(write(tmp_path / "a.msg", data[:cut])).report
    assert report.outcome is FileOutcome.FAILED
    assert report.reason


def test_mail_in_an_archive_is_read(tmp_path: Path) -> None:
    (file,) = discover([write(tmp_path / "a.zip", zipped({"one.eml": SIMPLE}))]).files
    with read(file) as reading:
        assert list(reading) == []
        (member,) = reading.members
        (document,) = read(member)
    assert document.text == "We like the park.\n"


def test_an_archive_in_mail_is_a_member(tmp_path: Path) -> None:
    made = message()
    made.add_attachment(zipped({"a.csv": TABLE}), "application", "zip", filename="all.zip")
    got = Got(write(tmp_path / "a.eml", bytes(made)))
    inner = write(tmp_path / "all.zip", got.members["all.zip"])
    assert zipfile.ZipFile(inner).namelist() == ["a.csv"]


RELATED = b"""\
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=A

--A
Content-Type: text/plain; charset=utf-8

We like the park.
--A
Content-Type: multipart/related; boundary=B

--B
Content-Type: text/html; charset=utf-8

<p>We like the <b>park</b>.</p>
--B
Content-Type: image/png; name=logo.png
Content-ID: <logo>
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--B--
--A--
"""


def test_a_page_with_pictures_is_not_read_beside_its_plain_form(tmp_path: Path) -> None:
    got = Got(write(tmp_path / "a.eml", HEAD + RELATED))
    assert got.text == "We like the park."


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("letter", "letter.txt"),
        ("..", "part 1.txt"),
        ("/etc/letter.txt", "letter.txt"),
        ("Grüße.txt", "Grüße.txt"),
        ("x" * 5_000 + ".txt", "x" * 200 + ".txt"),
    ],
)
def test_an_attachment_of_any_name_is_read(tmp_path: Path, written: str, name: str) -> None:
    data = (
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=A\n\n--A\n"
        "Content-Type: text/plain\n"
        f'Content-Disposition: attachment; filename="{written}"\n\nThe bus is late.\n--A--\n'
    )
    got = Got(write(tmp_path / "a.eml", HEAD + data.encode()))
    assert got.members == {name: b"The bus is late."}


def test_an_endless_subject_takes_no_time(tmp_path: Path) -> None:
    data = HEAD + b"Subject: " + b"=?utf-8?q?a?= " * 200_000 + b"\n\nThe bus is late.\n"
    got = Got(write(tmp_path / "a.eml", data), seconds=20)
    assert got.text == "The bus is late.\n"


@pytest.mark.parametrize("charset", ["iso-8859-1", "iso-8859-15", "windows-1252", "us-ascii"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_claim_to_be_western_is_not_believed(tmp_path: Path, charset: str, encoding: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    data = HEAD + head.encode() + "It’s a café – fine.\n".encode(encoding)
    assert Got(write(tmp_path / "a.eml", data)).text == "It’s a café – fine.\n"


def test_the_page_of_an_outlook_message_is_decoded_alike(tmp_path: Path) -> None:
    data = msg(subject="Bus", html="<p>It’s late – again.</p>".encode("cp1252"))
    assert Got(write(tmp_path / "a.msg", data)).text == "It’s late – again."
