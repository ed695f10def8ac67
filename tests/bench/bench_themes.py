"""Themes found without help, beside human codes: adjusted mutual information and B-cubed F.

NHS comments with exactly one code, and the arguments of each key-point subject (train) with exactly one
key point; every method is asked for as many clusters as there are codes. Ours are themes and "other" together, so
one theme fewer. BERTopic and k-means on MiniLM are rows where ``make bench-peer NAME=themes`` has installed them.
Then 14,500 answers from file to described and mapped themes, in a process of its own
(``--end-to-end 1500`` for fewer).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from pipelines.stages.encode import Encoder
from pipelines.themes.assign import coverage, found_assignments
from pipelines.themes.describe import describe_themes
from pipelines.themes.discover import find_themes
from pipelines.themes.known import KnownVectors
from pipelines.themes.mapping import Mapper
from pipelines.themes.stance import count_stances, with_stance
from pipelines.themes.statements import statements
from pipelines.themes.types import Answer, CodebookEntry, Statement
from pipelines.training.train_matcher import read_subjects
from tests.bench.bench_nhs import read_comments
from tests.bench.measure import evaluation_data, print_row
from tests.bench.peers.apart import ask

ANSWERS = 14_500
END_TO_END = "--end-to-end"


class Coded(NamedTuple):
    """Texts with one human code each."""

    name: str
    texts: list[str]
    codes: NDArray[np.int64]

    @property
    def clusters(self) -> int:
        """How many codes occur."""
        return len(set(self.codes.tolist()))


Method = Callable[[Coded], NDArray[np.int64]]


def main() -> None:
    """Print one row a method and set, then the end-to-end row."""
    if END_TO_END in sys.argv:
        end_to_end()
        return
    sets = coded_sets()
    encoder = Encoder(threads=1)
    found: dict[str, list[NDArray[np.int64]]] = {}
    seconds: dict[str, float] = {}
    for name, method in {"florilegium": _ours(encoder), "k-means on tf-idf": _tfidf}.items():
        start = time.perf_counter()
        found[name] = [method(one) for one in sets]
        seconds[name] = time.perf_counter() - start
    items = [{"texts": one.texts, "clusters": one.clusters} for one in sets]
    reply = ask("themes", "bertopic_themes", items)
    if reply:
        for name in reply.answers[0]:
            found[name] = [np.array(answer[name]) for answer in reply.answers]
            seconds[name] = reply.costs["seconds"]
    for name, clusterings in found.items():
        for data in ("nhs_fft_pxtextmining", "ibm_kpa_2021 train"):
            kept = [(s, c) for s, c in zip(sets, clusterings, strict=True) if s.name == data]
            scores = np.mean([_scores(s.codes, c) for s, c in kept], axis=0)
            print_row(
                "themes",
                data=data,
                method=name,
                sets=len(kept),
                texts=sum(len(s.texts) for s, _ in kept),
                ami=scores[0],
                b_cubed_f=scores[1],
                coverage=scores[2],
                clusters_asked=float(np.mean([s.clusters for s, _ in kept])),
                clusters=float(np.mean([len(set(c.tolist())) for _, c in kept])),
                seconds_all_sets=seconds[name],
                peer=reply.version if reply else "not installed: make bench-peer NAME=themes",
                wanted="above every other method, coverage 0.9" if name == "florilegium" else None,
            )
    subprocess.run([sys.executable, "-m", "tests.bench.bench_themes", END_TO_END], check=True)


def coded_sets() -> list[Coded]:
    """Return the NHS comments with one code, and the arguments of each subject with one key point."""
    rows, codes = read_comments()
    single = np.flatnonzero(codes.sum(axis=1) == 1)
    texts = [rows[row].text for row in single]
    sets = [Coded("nhs_fft_pxtextmining", texts, codes[single].argmax(axis=1))]
    for subject in read_subjects(evaluation_data() / "consultation" / "ibm_kpa_2021", "train"):
        fits = subject.gold == 1
        single = np.flatnonzero(fits.sum(axis=1) == 1)
        texts = [subject.arguments[row] for row in single]
        sets.append(Coded("ibm_kpa_2021 train", texts, fits[single].argmax(axis=1)))
    return sets


def _ours(encoder: Encoder) -> Method:
    def method(one: Coded) -> NDArray[np.int64]:
        whole = [Statement(row, 0, len(text), text) for row, text in enumerate(one.texts)]
        return find_themes(whole, encoder.encode(one.texts), themes=one.clusters - 1).theme

    return method


def _tfidf(one: Coded) -> NDArray[np.int64]:
    words = TfidfVectorizer(stop_words="english", ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    model = KMeans(one.clusters, n_init=10, random_state=0)
    return np.asarray(model.fit_predict(words.fit_transform(one.texts)), dtype=np.int64)


def _scores(codes: NDArray[np.int64], clusters: NDArray[np.int64]) -> tuple[float, float, float]:
    """Return adjusted mutual information, B-cubed F (Bagga and Baldwin 1998) and coverage."""
    table = contingency_matrix(codes, clusters).astype(np.float64)
    precision = (table**2 / table.sum(axis=0)).sum() / table.sum()
    recall = (table**2 / table.sum(axis=1, keepdims=True)).sum() / table.sum()
    ami = adjusted_mutual_info_score(codes, clusters)
    return ami, 2 * precision * recall / (precision + recall), float((clusters >= 0).mean())


def end_to_end() -> None:
    """Print how long 14,500 answers take: statements, vectors, themes, a codebook mapped, stance."""
    from pipelines.bundled import load_bundled
    from pipelines.learn.labeller import Labeller

    sizes = [int(word) for word in sys.argv if word.isdigit()]
    answers = _many(sizes[0] if sizes else ANSWERS)
    encoder = Encoder(threads=2)
    times: dict[str, float] = {}
    cpu: dict[str, float] = {}
    start, used = time.perf_counter(), time.process_time()

    def lap(name: str) -> None:
        nonlocal start, used
        times[f"{name}_seconds"] = time.perf_counter() - start
        cpu[f"{name}_cpu_seconds"] = time.process_time() - used
        start, used = time.perf_counter(), time.process_time()

    said = statements(answers)
    lap("statements")
    texts = [one.text for one in said]
    vectors = encoder.encode(texts)
    lap("encode")
    found = find_themes(said, vectors)
    lap("find")
    themes = describe_themes(said, vectors, found)
    assignments = found_assignments(said, found, themes)
    lap("describe")
    entries = [CodebookEntry(t.key, t.label, t.description, (t.medoid.text,)) for t in themes]
    known = KnownVectors(encoder, texts, vectors)
    mapped = Mapper(entries, known).map(said, vectors)
    lap("map")
    asked = {one.document: one.question for one in answers}
    labeller = Labeller(load_bundled("stance"), known)
    counts = count_stances(with_stance(assignments, asked, labeller))
    lap("stance")
    print_row(
        "themes: end to end",
        data="polis_opendata and nhs_fft_pxtextmining, joined at random up to size",
        answers=len(answers),
        statements=len(said),
        themes=len(themes),
        coverage=coverage(assignments).share,
        codebook_coverage=coverage(mapped).share,
        themes_with_stance=len(counts),
        **times,
        **cpu,
        total_seconds=sum(times.values()),
        total_cpu_seconds=sum(cpu.values()),
        wanted="under 360 seconds on two cores, under 3 GB",
    )


def _many(count: int) -> list[Answer]:
    """Return real comments, and beyond them new ones joined from two sentences of real ones."""
    from tests.bench.bench_encode import texts_of

    data = evaluation_data()
    real = [*texts_of("polis", data), *texts_of("nhs", data)]
    rng = np.random.default_rng(0)
    made = list(real[:count])
    while len(made) < count:
        one, two = rng.integers(0, len(real), 2)
        made.append(f"{_half(real[one])} {_half(real[two])}")
    question = "Should the council adopt these proposals?"
    return [Answer(row, text, question) for row, text in enumerate(made)]


def _half(text: str) -> str:
    words: Sequence[str] = text.split()
    return " ".join(words[: max(4, len(words) // 2)])


if __name__ == "__main__":
    main()
