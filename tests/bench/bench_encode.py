"""Speed: text to vector, tokenising included, beside what a user would run instead, in one run.

    python -m tests.bench.bench_encode --threads 1 --set polis --tokens 16000
    make bench-peer NAME=encode        the same with OpenVINO and ONNX Runtime beside ours

A process for one and one for two threads; with one thread it is held on one core. The rows take turns,
every round in the same order, and the fastest round of each counts: on a machine that does other
work too, all are disturbed alike. ``cpu_seconds`` is the time of the process on all cores.
"""

from __future__ import annotations

import argparse
import csv
import functools
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pipelines.engines import BFLOAT16, FLOAT32, INT8
from pipelines.models import EMBEDDED_FOLDER, embedded_spec, read_config
from tests.bench.measure import evaluation_data, gemm_gflops, print_row
from tests.bench.peers.minilm import minilm_folder
from tests.bench.peers.plain import LONGEST, Run

SETS = ("polis", "nhs", "notes")
OURS = (FLOAT32, BFLOAT16, INT8)
MINILM, BEST = "sentence-transformers MiniLM", 0.995


def main() -> None:
    """Run a process for each number of threads, or one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--set", choices=SETS, action="append")
    parser.add_argument("--rows", default="", help="only rows with this in their name")
    parser.add_argument("--tokens", type=int, default=16000, help="about how many of each set")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    data = evaluation_data()
    if not asked.threads:
        for threads in range(1, min(2, os.cpu_count() or 1) + 1):
            command = [sys.executable, "-m", "tests.bench.bench_encode", *sys.argv[1:]]
            subprocess.run([*command, "--threads", str(threads)], check=True)
        return
    if asked.threads == 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["OMP_NUM_THREADS"] = str(asked.threads)
    import torch

    torch.set_num_threads(asked.threads)
    with tempfile.TemporaryDirectory() as folder:
        load(Path(folder), asked.threads, asked.rows)
        for name in asked.set or SETS:
            bench_set(name, data, Path(folder), asked)


def load(folder: Path, threads: int, wanted: str) -> None:
    """Print what loading and the first sentence take, in a process that has nothing yet."""
    from pipelines.measure import measure

    for engine in OURS:
        if wanted in f"ours {engine}":
            spec, own = embedded_spec(), own_sentences()
            measure(spec, own[:1], engine=engine, folder=folder, own=own)  # prepared, files cached
            took = measure(spec, own[:1], threads=threads, engine=engine, folder=folder)
            print_row("load", engine=engine, threads=threads, seconds=took.load_seconds, wanted=1.5)


def bench_set(name: str, data: Path, folder: Path, asked: argparse.Namespace) -> None:
    """Print one row an encoder for the texts of one set, and the ratios that the bars are about."""
    from pipelines.stages.encode import Encoder

    every = texts_of(name, data)
    texts = list(dict.fromkeys(every))
    reader = Encoder()
    lengths = first_tokens(reader, texts, asked.tokens)
    texts = texts[: len(lengths)]
    peaks = {kind: gemm_gflops(asked.threads, kind=kind) for kind in OURS}
    print_row("gemm", threads=asked.threads, **{f"{kind}_gflops": v for kind, v in peaks.items()})
    runs: dict[str, Run] = {}
    for label, make in rows(folder, asked.threads, texts):
        if asked.rows in label:
            runs[label] = make()
            runs[label](texts[: len(texts) // 4 + 1])
    walls = {label: [] for label in runs}  # type: dict[str, list[float]]
    cpus = {label: [] for label in runs}  # type: dict[str, list[float]]
    vectors = {}
    for _ in range(asked.rounds):
        for label, run in runs.items():
            start, cpu = time.perf_counter(), time.process_time()
            vectors[label] = run(texts)
            walls[label].append(time.perf_counter() - start)
            cpus[label].append(time.process_time() - cpu)
    reference = reader.encode(texts)
    speeds: dict[str, float] = {}
    near: dict[str, float] = {}
    for label in runs:
        read = [
            sum(windows) if "ours" in label else min(sum(windows), LONGEST) for windows in lengths
        ]
        work = flops(lengths if "ours" in label else [[tokens] for tokens in read], label)
        cosines = (vectors[label] * reference).sum(axis=1)
        cut = np.array([len(windows) == 1 for windows in lengths])  # what a peer cuts off differs
        near[label] = float(cosines[cut].mean()) if cut.any() else 0.0
        seconds = min(walls[label])
        speeds[label] = sum(read) / seconds
        peak = peaks[INT8 if "int8" in label else BFLOAT16 if "bf" in label else FLOAT32]
        print_row(
            "encode",
            data=name,
            engine=label,
            threads=asked.threads,
            texts=len(texts),
            tokens=sum(read),
            seconds=seconds,
            cpu_seconds=min(cpus[label]),
            tokens_per_second=speeds[label],
            tokens_per_cpu_second=sum(read) / min(cpus[label]),
            gflops=work / seconds / 1e9,
            share_of_gemm_peak=work / seconds / 1e9 / peak,
            mean_cosine=None if "MiniLM" in label else near[label],
        )
    print_bars(name, asked.threads, speeds, near)
    doubled(name, every[: 2 * len(texts)], folder, asked.threads)


def print_bars(name: str, threads: int, speeds: dict[str, float], near: dict[str, float]) -> None:
    """Print ours against the peers: at least 4, 1.1 and, in float32, 1.3 times as fast."""
    ours = {label: speed for label, speed in speeds.items() if label.startswith("ours")}
    peers = {
        label: speed
        for label, speed in speeds.items()
        if label.startswith(("OpenVINO", "ONNX")) and near[label] >= BEST
    }
    if not ours or MINILM not in speeds:
        return
    best = max(ours, key=lambda label: ours[label])
    rival = max(peers, key=lambda label: peers[label], default="")
    print_row(
        "encode bars",
        data=name,
        threads=threads,
        engine=best,
        times_minilm=speeds[best] / speeds[MINILM],
        rival=rival or "not installed: make bench-peer NAME=encode",
        times_rival=speeds[best] / speeds[rival] if rival else None,
        float32_times_minilm=speeds.get(f"ours {FLOAT32}", 0.0) / speeds[MINILM],
        wanted=[4.0, 1.1, 1.3],
    )


def doubled(name: str, texts: Sequence[str], folder: Path, threads: int) -> None:
    """Print what repeated texts save, as they come in the set: apart from the speed of encoding."""
    from pipelines.stages.encode import Encoder

    encoder = Encoder(threads=threads, engine=INT8, folder=folder)
    start = time.perf_counter()
    encoder.encode(texts)
    print_row(
        "repeated texts",
        data=name,
        threads=threads,
        texts=len(texts),
        distinct=len(set(texts)),
        texts_per_second=len(texts) / (time.perf_counter() - start),
    )


def rows(
    folder: Path, threads: int, texts: Sequence[str]
) -> Iterator[tuple[str, Callable[[], Run]]]:
    """Yield every encoder that can be made here, by its name."""
    from pipelines.stages.encode import Encoder
    from tests.bench.peers.padded import OnnxRuntime, OpenVino
    from tests.bench.peers.plain import feature_extraction, sentence_transformers

    ours = EMBEDDED_FOLDER
    for engine in OURS:
        yield (
            f"ours {engine}",
            lambda e=engine: Encoder(threads=threads, engine=e, folder=folder).encode,  # type: ignore[misc]
        )
    yield "transformers, our weights", lambda: feature_extraction(ours)
    if importlib.util.find_spec("sentence_transformers"):
        minilm = minilm_folder()
        if minilm is not None:
            yield MINILM, lambda: sentence_transformers(minilm)
        yield "sentence-transformers, our weights", lambda: sentence_transformers(ours)
    if importlib.util.find_spec("openvino") and importlib.util.find_spec("nncf"):
        openvino = functools.cache(lambda: OpenVino(ours, threads, texts))
        for precision in ("f32", "bf16", "int8", "int8-bf16"):
            yield f"OpenVINO {precision}", lambda p=precision: openvino().run(p)  # type: ignore[misc]
    if importlib.util.find_spec("onnxruntime") and importlib.util.find_spec("onnx"):
        onnx = functools.cache(lambda: OnnxRuntime(ours, threads))
        for precision in ("f32", "int8"):
            yield f"ONNX Runtime {precision}", lambda p=precision: onnx().run(p)  # type: ignore[misc]


def first_tokens(encoder: object, texts: Sequence[str], most: int) -> list[list[int]]:
    """Return the lengths of the windows of the first texts, up to about ``most`` tokens."""
    found: list[list[int]] = []
    total = 0
    for windows in encoder._tokens.read(texts):  # type: ignore[attr-defined]
        if total >= most:
            break
        found.append([len(window) for window in windows])
        total += sum(found[-1])
    return found


def flops(lengths: Sequence[Sequence[int]], label: str) -> float:
    """Return the multiplications and additions that these windows need, padding not counted."""
    config = read_config(
        (minilm_folder() or EMBEDDED_FOLDER) if "MiniLM" in label else EMBEDDED_FOLDER
    )
    hidden, inner = int(config["hidden_size"]), int(config["intermediate_size"])
    narrow = int(config.get("embedding_size", 0))
    token = int(config["num_hidden_layers"]) * 2 * (4 * hidden**2 + 2 * hidden * inner)
    seen = int(config["num_hidden_layers"]) * 4 * hidden
    return float(
        sum(n * (token + 2 * narrow * hidden + seen * n) for windows in lengths for n in windows)
    )


def own_sentences() -> list[str]:
    """Return the sentences that ``models tune`` measures on."""
    from app.cli.tune import _lines

    return _lines(None)


def texts_of(name: str, data: Path) -> list[str]:
    """Return the texts of one set as they come, repeated ones too, those without text left out."""
    csv.field_size_limit(sys.maxsize)
    if name == "polis":
        files = sorted((data / "consultation" / "polis_opendata").glob("*/comments.csv"))
        column = "comment-body"
    elif name == "notes":
        files, column = [data / "clinical" / "aci-bench" / "train.csv"], "note"
    else:
        from tests.bench.bench_nhs import read_comments

        return [row.text for row in read_comments()[0] if row.text.strip()]
    found: list[str] = []
    for path in files:
        with path.open(encoding="utf-8", newline="") as file:
            found += [row[column] for row in csv.DictReader(file)]
    return [text for text in found if text.strip()]


if __name__ == "__main__":
    main()
