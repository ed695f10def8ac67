"""Fetch and unpack Debian packages with Debian's own tools, without installing them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pipelines.training.errors import MissingSource


def _run(command: list[str], *, folder: Path) -> str:
    try:
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise MissingSource(
            f"{command[0]} is not installed: run this on Debian, or one of its descendants"
        ) from None
    except subprocess.CalledProcessError as error:
        raise MissingSource(f"{' '.join(command)} failed: {error.stderr.strip()}") from error
    return done.stdout


def fetch(package: str, folder: Path) -> Path:
    """Return the package's ``.deb`` in ``folder``, downloading it with apt-get if it is not there.

    Raises MissingSource if it can neither be found nor fetched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not (archives := sorted(folder.glob(f"{package}_*.deb"))):
        _run(["apt-get", "download", package], folder=folder)
        archives = sorted(folder.glob(f"{package}_*.deb"))
    if not archives:
        raise MissingSource(f"apt-get download {package} left no .deb in {folder}")
    return archives[-1]


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack a ``.deb`` below ``folder`` unless that was done before; return its root."""
    root = folder / archive.stem
    if not root.is_dir():
        partial = folder / f"{archive.stem}.partial"
        partial.mkdir(parents=True, exist_ok=True)
        _run(["dpkg-deb", "-x", str(archive), str(partial)], folder=folder)
        partial.rename(root)
    return root


def version(archive: Path) -> str:
    """Return a ``.deb``'s version, read from its control file."""
    return _run(["dpkg-deb", "-f", str(archive), "Version"], folder=archive.parent).strip()
