"""The table of what the training corpus is made of: names, origins, licences and readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.training import debian_text, open_sets


@dataclass(frozen=True, slots=True)
class Source:
    """One part of the corpus.

    ``origin`` is a Debian package's name if ``package`` is true, else what the set is called by
    its publisher. ``read`` takes the unpacked package's root, or the evaluation data's root.
    """

    name: str
    origin: str
    licence: str
    package: bool
    read: Callable[[Path], Iterator[str]]


SOURCES: tuple[Source, ...] = (
    Source("wordnet", "wordnet-base", "WordNet 3.0 licence", True, debian_text.wordnet),
    Source("polis", "Polis open data", "CC BY 4.0", False, open_sets.polis),
    Source(
        "ibm-kpa-train",
        "IBM key point analysis 2021, train arguments",
        "Apache-2.0",
        False,
        open_sets.key_point_arguments,
    ),
    Source(
        "nhs-fft",
        "NHS England pxtextmining, v6 framework comments",
        "MIT (the repository's)",
        False,
        open_sets.nhs_comments,
    ),
    Source("mts-dialog-train", "MTS-Dialog, train", "CC BY 4.0", False, open_sets.mts_dialog),
    Source(
        "aci-bench-train", "ACI-Bench, train dialogues", "CC BY 4.0", False, open_sets.aci_bench
    ),
    Source(
        "ncbi-disease-train",
        "NCBI disease corpus, train",
        "public domain (US Government)",
        False,
        open_sets.disease_abstracts,
    ),
    Source("opinosis", "Opinosis topics", "Apache-2.0", False, open_sets.opinosis),
    Source("gnome-help", "gnome-user-docs", "CC BY-SA 3.0", True, debian_text.gnome_help),
    Source(
        "debian-handbook",
        "debian-handbook",
        "CC BY-SA 3.0 (or GPL-2+)",
        True,
        debian_text.debian_handbook,
    ),
    Source("foldoc", "dict-foldoc", "GFDL 1.1+", True, debian_text.dictionary),
    Source("jargon", "dict-jargon", "public domain", True, debian_text.dictionary),
    Source("devil", "dict-devil", "public domain", True, debian_text.dictionary),
    Source(
        "libreoffice-help",
        "libreoffice-help-en-us",
        "MPL-2.0",
        True,
        debian_text.libreoffice_help,
    ),
)
