"""The compiled index as bytes: a header and flat arrays, so that a file is mapped, not read.

``FLORIDX1``, the header's length (8 bytes), a JSON header that names each section's place, then the
sections, each at a multiple of 8. Numbers are unsigned, of this machine's byte order:

======================  ===  ====================================================================
form_table              I    hash table of forms: 0 is empty, else the form's number plus one
form_at form_text       I B  where each form begins (one more than there are), and them, UTF-8
form_lemma              I    the form that is each form's lemma
form_token              I    the token each form stands for
token_use               B    what may begin with a token: 1 a label, 2 a bag
node_at                 I    where each node's edges begin; edges of a node are in order of token
edge_token edge_node    I    the token that leads on, and the node it leads to; node 0 is the root
entry_at                I    where each node's entries begin
entry_concept           I    the concept of an entry
entry_kind              B    number of the kind of label (``types.KINDS``), plus 128: capitals only
entry_how               B    what was done to the label (``types.STRIPPED`` …)
entry_label             I    number of the label's words in ``label_text``
entry_before …_after    I    number of the marks' string
label_at label_text     I B  keys of the labels' words, apart by spaces
mark_at mark_text       I B  the marks
bag_at                  I    where the bags of each token begin
bag_entry               I    the entry whose words are in the bag
bag_word_at bag_word    I    its tokens apart from the one it is found by
near_form near_letters  I    long words of labels in order of their text, and which letters they have
known                   I    hashes of long words of the language, in order
concept_ontology        I    number of the concept's ontology in the header
concept_at              I    where IRI, CURIE, label and gloss begin in ``concept_text``
concept_text            B    the strings, UTF-8
======================  ===  ====================================================================
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

MAGIC = b"FLORIDX1"
VERSION = 2
"""Raise it when the layout, or the rules by which labels become tokens, change."""

SECTIONS: dict[str, Literal["I", "B"]] = {
    "form_table": "I",
    "form_at": "I",
    "form_text": "B",
    "form_lemma": "I",
    "form_token": "I",
    "token_use": "B",
    "node_at": "I",
    "edge_token": "I",
    "edge_node": "I",
    "entry_at": "I",
    "entry_concept": "I",
    "entry_kind": "B",
    "entry_how": "B",
    "entry_label": "I",
    "entry_before": "I",
    "entry_after": "I",
    "label_at": "I",
    "label_text": "B",
    "mark_at": "I",
    "mark_text": "B",
    "bag_at": "I",
    "bag_entry": "I",
    "bag_word_at": "I",
    "bag_word": "I",
    "near_form": "I",
    "near_letters": "I",
    "known": "I",
    "concept_ontology": "I",
    "concept_at": "I",
    "concept_text": "B",
}
CAPITALS = 128
BEGINS, ANCHORS = 1, 2
CONCEPT_PARTS = 4


class InvalidIndex(ValueError):
    """The bytes are no compiled index of this version, or not a whole one."""


def token_hash(token: bytes) -> int:
    """Return the hash under which a form stands in ``form_table`` and in ``known``."""
    return zlib.crc32(token)


def pack(sections: Mapping[str, bytes], ontologies: Sequence[str], labels: int) -> bytes:
    """Return the compiled index of these sections (each the bytes of its array)."""
    places: dict[str, tuple[int, int]] = {}
    at = 0
    for name in SECTIONS:
        places[name] = (at, len(sections[name]))
        at += len(sections[name]) + (-len(sections[name])) % 8
    header = json.dumps(
        {
            "version": VERSION,
            "order": sys.byteorder,
            "ontologies": list(ontologies),
            "labels": labels,
            "bytes": at,
            "sections": places,
        }
    ).encode()
    header += b" " * ((-len(header)) % 8)
    parts = [MAGIC, len(header).to_bytes(8, "little"), header]
    for name in SECTIONS:
        parts += [sections[name], b"\0" * ((-len(sections[name])) % 8)]
    return b"".join(parts)


def unpack(data: memoryview) -> tuple[dict[str, Any], dict[str, memoryview[int]]]:
    """Return the header and the arrays, which share ``data``; raises InvalidIndex."""
    if bytes(data[:8]) != MAGIC or len(data) < 16:
        raise InvalidIndex("it does not begin like a compiled index")
    length = int.from_bytes(data[8:16], "little")
    try:
        header = json.loads(bytes(data[16 : 16 + length]))
    except ValueError as error:
        raise InvalidIndex("its header is broken") from error
    if header.get("version") != VERSION or header.get("order") != sys.byteorder:
        raise InvalidIndex(f"it is of version {header.get('version')}, expected {VERSION}")
    begin = 16 + length
    if len(data) != begin + header["bytes"]:
        raise InvalidIndex(f"it has {len(data):,} bytes, expected {begin + header['bytes']:,}")
    arrays = {}
    for name, kind in SECTIONS.items():
        at, size = header["sections"][name]
        arrays[name] = data[begin + at : begin + at + size].cast(kind)
    return header, arrays


def map_file(path: Path) -> memoryview:
    """Map a file into memory, read only; raises InvalidIndex for an empty one, OSError."""
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            raise InvalidIndex("it is empty")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
