"""Disease concepts in abstracts (NCBI disease corpus, train and development): F1 and seconds.

Rare and cancer slims of the Disease Ontology; only concepts with a MeSH or OMIM cross-reference,
and gold identifiers that some concept has. Displayed tags count: the corpus has no nested mentions.
The best published lexical baseline is 0.661, on all concepts.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from ontology.index import LabelIndex
from pipelines.recipes import load_recipe
from pipelines.recipes.tagging import TagParameters
from pipelines.stages.tag import tag
from tests.bench.concepts import cross_references, cross_scores, ncbi, slims
from tests.bench.measure import evaluation_data, gemm_gflops, print_row
from tests.bench.peers.annotators import annotations, fresh_index


def main() -> None:
    """Print a row for labels alone, for recipes, and for other annotators."""
    data = evaluation_data()
    print_row("ncbi: calibration", gemm_gflops=gemm_gflops(1))
    ontologies = slims(data)
    ids = cross_references(ontologies)
    abstracts = ncbi(data)
    gold = {each.id: each.gold for each in abstracts}
    index = LabelIndex.build(ontologies)

    def report(name: str, found: Mapping[str, frozenset[str]], **values: float | str) -> None:
        result = cross_scores(gold, found, ids)
        print_row(
            f"ncbi: {name}",
            data=f"ncbi-disease train+dev, {len(abstracts)} abstracts",
            precision=result.precision,
            recall=result.recall,
            f1=result.f1,
            **values,
        )

    settings = {
        "labels only": TagParameters(*(False,) * 8),
        **{f"recipe {name}": load_recipe(name).tag for name in ("general", "clinical")},
    }
    for name, parameters in settings.items():
        for nested in (False, True):
            wall, cpu = time.perf_counter(), time.process_time()
            found = {
                each.id: frozenset(
                    one.curie
                    for one in tag(each.text, index, parameters)
                    if one.displayed or nested
                )
                for each in abstracts
            }
            costs = {
                "seconds": time.perf_counter() - wall,
                "cpu_seconds": time.process_time() - cpu,
            }
            report(f"{name}{', nested too' if nested else ''}", found, **costs)
    index, costs = fresh_index(ontologies)
    wall, cpu = time.perf_counter(), time.process_time()
    tags = {each.id: tag(each.text, index, settings["recipe clinical"]) for each in abstracts}
    costs |= {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
    found = {id: frozenset(one.curie for one in each if one.displayed) for id, each in tags.items()}
    report("florilegium beside peers", found, **costs)
    for name, reply in annotations(ontologies, [each.text for each in abstracts]):
        concepts = {
            each.id: frozenset(curies)
            for each, curies in zip(abstracts, reply.answers, strict=True)
        }
        report(name, concepts, version=reply.version, **reply.costs)


if __name__ == "__main__":
    main()
