"""LibreOffice opens the reports: it turns each into a PDF of some pages without a complaint."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from app.exports.reports import write_report
from tests.app.exports.conftest import Ask

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")


@pytest.mark.slow
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice (soffice) is not installed")
@pytest.mark.parametrize("kind", ["docx", "xlsx"])
@pytest.mark.parametrize("book", ["", "matters"])
def test_libreoffice_opens_a_report(ask: Ask, tmp_path: Path, kind: str, book: str) -> None:
    from dataclasses import replace

    asked = ask("consultation", tmp_path / f"report.{kind}", book=book)
    write_report(replace(asked, wanted=replace(asked.wanted, quotes=0)), kind)
    profile = f"-env:UserInstallation=file://{tmp_path / 'profile'}"
    done = subprocess.run(
        [
            *(str(OFFICE), profile, "--headless", "--convert-to", "pdf"),
            *("--outdir", str(tmp_path), str(asked.path)),
        ],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stdout + done.stderr
    pdf = (tmp_path / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type/Page") + pdf.count(b"/Type /Page") > 1
