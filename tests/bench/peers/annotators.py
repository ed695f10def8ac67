"""Peers for matching: what a user would point at the same vocabulary, each with its usual settings.

spaCy's PhraseMatcher is always there; medSpaCy and OAK where ``make bench-peer`` installed them.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ontology.index import LabelIndex
from ontology.index.compile import compile_index
from ontology.model import Ontology
from tests.bench.peers.apart import Reply, ask

_APART = {
    "medSpaCy TargetMatcher": ("medspacy", "medspacy_targets"),
    "OAK annotator": ("oak", "oak_annotator"),
}


def annotations(
    ontologies: Sequence[Ontology], texts: Sequence[str]
) -> Iterator[tuple[str, Reply]]:
    """Yield name and reply of the annotators that can run here; an answer is a list of CURIEs."""
    concepts = labels(ontologies)
    yield "spaCy PhraseMatcher", phrase_matcher(concepts, texts)
    for name, (peer, module) in _APART.items():
        if reply := ask(peer, module, texts, concepts=concepts):
            yield name, reply


def fresh_index(ontologies: Sequence[Ontology]) -> tuple[LabelIndex, dict[str, float]]:
    """Return a new index, mapped as a second run maps it, and what both steps cost."""
    wall, cpu = time.perf_counter(), time.process_time()
    data = compile_index(ontologies)
    costs = {
        "build_seconds": time.perf_counter() - wall,
        "build_cpu_seconds": time.process_time() - cpu,
    }
    with tempfile.TemporaryDirectory(prefix="index-") as folder:
        path = Path(folder, "index")
        path.write_bytes(data)
        cpu = time.process_time()
        index = LabelIndex.open(path)
        return index, costs | {"reopen_cpu_seconds": time.process_time() - cpu}


def labels(ontologies: Sequence[Ontology]) -> list[tuple[str, list[str]]]:
    """Return CURIE and labels, the preferred one first, of every concept not deprecated."""
    found: dict[str, dict[str, None]] = {}
    for ontology in ontologies:
        for concept in ontology.concepts.values():
            if not concept.deprecated:
                each = found.setdefault(concept.curie, {concept.label: None})
                each.update((label.text, None) for label in concept.labels)
    return [(curie, list(texts)) for curie, texts in found.items()]


def phrase_matcher(concepts: Sequence[tuple[str, list[str]]], texts: Sequence[str]) -> Reply:
    """Return what spaCy's PhraseMatcher on lower-case words finds."""
    import spacy
    from spacy.matcher import PhraseMatcher

    wall, cpu = time.perf_counter(), time.process_time()
    nlp = spacy.blank("en")
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    for curie, each in concepts:
        matcher.add(curie, [nlp.make_doc(label) for label in each])
    costs = {
        "build_seconds": time.perf_counter() - wall,
        "build_cpu_seconds": time.process_time() - cpu,
    }
    wall, cpu = time.perf_counter(), time.process_time()
    strings = nlp.vocab.strings
    answers = [sorted({strings[key] for key, _, _ in matcher(nlp.make_doc(t))}) for t in texts]
    costs |= {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
    return Reply(answers, costs, f"spacy {spacy.__version__}")
