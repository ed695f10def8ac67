"""Readers: files in, documents out.

``discover`` walks what the user named and is cheap enough for every run (it opens no file);
``read`` opens one file and streams its documents. Neither imports a format library until a file
of that format is opened.
"""

from pipelines.readers.companions import beside
from pipelines.readers.discover import Discovery, discover, file_sha256, require
from pipelines.readers.errors import PathMissing, ReaderError, UnreadableFile
from pipelines.readers.registry import SUFFIXES, read
from pipelines.readers.types import INSIDE, Limits, Reading, ReadOptions, SourceFile

__all__ = [
    "INSIDE",
    "SUFFIXES",
    "Discovery",
    "Limits",
    "PathMissing",
    "ReadOptions",
    "ReaderError",
    "Reading",
    "SourceFile",
    "UnreadableFile",
    "beside",
    "discover",
    "file_sha256",
    "read",
    "require",
]
