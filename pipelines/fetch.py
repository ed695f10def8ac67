"""Fetch a named model: the only code of the program that uses the network, and only when asked to.

Files are asked for at ``ENDPOINT/REPOSITORY/resolve/REVISION/FILE``, the address of the Hugging Face
Hub and its mirrors. Nothing about the user or the machine is sent. All files come from one commit;
the folder appears under its name only when every file is complete and the model can be read.
"""

from __future__ import annotations

import hashlib
import http.client
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlsplit

from pipelines.errors import ModelError, ModelUnavailable
from pipelines.installed import put_in_place
from pipelines.models import MANIFEST, ModelSpec, folder_spec, read_manifest, write_manifest
from pipelines.presets import Preset

ENDPOINT = "https://huggingface.co"
_TIMEOUT = 30.0
_CHUNK = 1 << 20
_LARGEST = 8_000_000_000
_COMMIT, _LFS = "x-repo-commit", "x-linked-etag"

Progress = Callable[[str, int, int], None]
"""Told of a file's name, the bytes that have come and those expected (0 where unknown)."""


@dataclass(slots=True)
class _Answer:
    """What a server said on the way to a file; a redirect says more than the file's own answer."""

    headers: dict[str, str] = field(default_factory=dict)

    def heard(self, headers: Any) -> None:
        for name, value in headers.items():
            self.headers.setdefault(str(name).lower(), str(value))


def fetch(
    preset: Preset,
    folder: Path,
    *,
    endpoint: str = ENDPOINT,
    progress: Progress = lambda *_: None,
) -> ModelSpec:
    """Fetch the files of ``preset`` into ``folder / preset.id`` and write the manifest.

    A model that was fetched before comes again from the same commit and with the same hashes;
    remove its folder to have a newer one. Raises
    ``ModelUnavailable`` where the server cannot be reached or lacks a file, ``ModelError`` for a
    file whose hash is not the expected one or a model that cannot be used.
    """
    if urlsplit(endpoint).scheme not in ("https", "http"):
        raise ModelError(f"the endpoint {endpoint!r} is no address; expected https://…")
    target, half = folder / preset.id, folder / f".{preset.id}.part"
    expected, commit = dict(preset.sha256), preset.revision
    if (target / MANIFEST).is_file():
        before = read_manifest(target)
        repository, _, known = str(before.get("revision", "")).rpartition("@")
        if repository == preset.repository and (not preset.pinned or known == commit):
            commit = known
            expected |= before.get("files", {})
    try:
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        asked = commit
        for name in (*preset.files, *preset.optional):
            address = f"{endpoint.rstrip('/')}/{preset.repository}/resolve/"
            address += f"{quote(commit or 'main', safe='')}/{name}"
            answer = _download(
                address, half / name, optional=name in preset.optional, progress=progress
            )
            if answer is None:
                continue
            found = answer.headers.get(_COMMIT, "")
            if found and commit == asked and not preset.pinned:
                commit = found
            _must_equal(half / name, expected.get(name, ""), preset)
            _must_equal(half / name, _hash_of(answer.headers.get(_LFS, "")), preset)
        folder_spec(half, id=preset.id)
        write_manifest(
            half,
            id=preset.id,
            revision=f"{preset.repository}@{commit or 'main'}",
            licence=preset.licence,
        )
        put_in_place(half, target)
    except OSError as error:
        raise ModelUnavailable(
            f"the model {preset.id} cannot be written to {target}: {error}; name a workspace with "
            "room for it with --home DIR"
        ) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return folder_spec(target, id=preset.id)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follow redirects, remember what they say, and never from https to http."""

    def __init__(self, answer: _Answer) -> None:
        self.answer = answer

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        self.answer.heard(headers)
        if urlsplit(req.full_url).scheme == "https" and urlsplit(newurl).scheme != "https":
            raise ModelError(f"{req.full_url} leads to {newurl}, which is not encrypted; not read")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _download(address: str, path: Path, *, optional: bool, progress: Progress) -> _Answer | None:
    """Write what is at ``address`` to ``path``; None for an optional file that is not there."""
    answer = _Answer()
    opener = urllib.request.build_opener(_Redirects(answer))
    request = urllib.request.Request(address, headers={"User-Agent": "florilegium"})
    try:
        with opener.open(request, timeout=_TIMEOUT) as response:
            answer.heard(response.headers)
            size = int(response.headers.get("Content-Length") or 0)
            come = 0
            with path.open("wb") as file:
                while chunk := response.read(_CHUNK):
                    come += len(chunk)
                    if come > _LARGEST:
                        raise ModelError(f"{address} is larger than {_LARGEST:,} bytes; not read")
                    file.write(chunk)
                    progress(path.name, come, size)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 404 and optional:
            return None
        raise ModelUnavailable(_refused(address, path.name, error.code)) from error
    except (
        urllib.error.URLError,
        http.client.HTTPException,
        TimeoutError,
        ConnectionError,
    ) as error:
        reason = getattr(error, "reason", error)
        raise ModelUnavailable(
            f"{address} cannot be reached: {reason}. Fetching a model needs the network. On a "
            "machine without it, copy the model's folder from another machine and: florilegium "
            "models add FOLDER"
        ) from error
    if size and come != size:
        raise ModelUnavailable(
            f"{address} ended after {come:,} of {size:,} bytes; run the same command again"
        )
    return answer


def _refused(address: str, name: str, code: int) -> str:
    said = f"{address} answered {code}, expected the file {name}"
    if code == 404 and name.endswith(".safetensors"):
        return (
            f"{said}: the repository has no safetensors at this revision, and pickled weights are "
            "never loaded. Name another with --repository OWNER/NAME --revision COMMIT"
        )
    if code in (401, 403):
        return f"{said}: the repository is not open to everybody. See: florilegium models list"
    return f"{said}. Try again later, or see: florilegium models list"


def _hash_of(etag: str) -> str:
    """Return the sha256 that a large file is announced with, or ""."""
    digest = etag.removeprefix("W/").strip('"')
    return digest if len(digest) == 64 and set(digest) <= set("0123456789abcdef") else ""


def _must_equal(path: Path, expected: str, preset: Preset) -> None:
    if not expected:
        return
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise ModelError(
            f"{path.name} of {preset.id} came with sha256 {found}, expected {expected}; nothing "
            "was kept. Fetch it again, or ask who runs the network what changes files"
        )
