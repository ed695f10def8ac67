"""Scorers as plain values and arrays, and back: what a trained set is made of on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer

from pipelines.learn.features import CHARACTERS, WORDS, Dense, Lexical, Table, Weights
from pipelines.learn.kernel import Kernel
from pipelines.learn.linear import Linear
from pipelines.learn.prototypes import Prototypes
from pipelines.learn.scorer import KernelScorer, PrototypeScorer, Scorer, SvmScorer

Packed = tuple[dict[str, Any], dict[str, list[str]], dict[str, Any]]
"""JSON-ready values, vocabularies, arrays."""

# Scorers that pack themselves: kind, module, class with ``pack`` and ``unpack``.
_OTHERS = {
    "hashed": ("pipelines.learn.hashed", "HashedScorer"),
    "stance": ("pipelines.learn.stance", "StanceScorer"),
    "tuned": ("pipelines.learn.tuned", "TunedScorer"),
    "blend": ("pipelines.learn.blend", "BlendScorer"),
}


def pack(scorer: Scorer) -> Packed:
    """Return what a scorer is made of. Large arrays are stored in half precision."""
    if isinstance(scorer, PrototypeScorer):
        return {"kind": "prototypes"}, {}, {"points": scorer.prototypes.points}
    if isinstance(scorer, SvmScorer):
        names, arrays = _pack_lexical(scorer.lexical)
        return (
            {"kind": "svm", "questions": scorer.lexical.questions},
            names,
            arrays | {"weights": _half(scorer.svm.weights), "offsets": scorer.svm.offsets},
        )
    if not isinstance(scorer, KernelScorer):
        return _pack_other(scorer)
    names, arrays = _pack_lexical(scorer.lexical)
    kernel, dense = scorer.kernel, scorer.dense
    sparse = kernel.landmarks.sparse
    arrays |= {
        "mean": dense.mean,
        "mean_in_question": dense.mean_in_question,
        "landmarks_dense": _half(kernel.landmarks.dense),
        "landmarks_values": _half(sparse.data),
        "landmarks_columns": sparse.indices.astype(np.int32),
        "landmarks_rows": sparse.indptr.astype(np.int64),
        "coefficients": kernel.coefficients,
        "offsets": kernel.offsets,
    }
    values = {
        "kind": "kernel",
        "questions": scorer.lexical.questions,
        "lengths": [dense.length, dense.length_in_question],
        "weights": asdict(scorer.weights),
        "degree": kernel.degree,
    }
    return values, names, arrays


def unpack(
    values: Mapping[str, Any], names: Mapping[str, list[str]], arrays: Mapping[str, Any]
) -> Scorer:
    """Return the scorer that ``pack`` was given. Raises KeyError or ValueError where parts miss."""
    kind = values["kind"]
    if kind == "prototypes":
        return PrototypeScorer(Prototypes(_single(arrays["points"])))
    if kind in _OTHERS:
        other: Scorer = _other(kind).unpack(values, names, arrays)
        return other
    if kind not in ("svm", "kernel"):
        raise ValueError(f"unknown kind of scorer {kind!r}")
    lexical = Lexical(
        _vectoriser(WORDS, names["words"], arrays["words_idf"]),
        _vectoriser(CHARACTERS, names["characters"], arrays["characters_idf"]),
        tuple(values["questions"]),
    )
    if kind == "svm":
        return SvmScorer(lexical, Linear(_single(arrays["weights"]), arrays["offsets"]))
    shape = (
        len(arrays["landmarks_rows"]) - 1,
        len(names["words"]) + len(names["characters"]) + len(lexical.questions),
    )
    sparse = csr_matrix(
        (
            _single(arrays["landmarks_values"]),
            arrays["landmarks_columns"],
            arrays["landmarks_rows"],
        ),
        shape=shape,
    )
    landmarks = Table(sparse, _single(arrays["landmarks_dense"]))
    return KernelScorer(
        lexical,
        Dense(arrays["mean"], arrays["mean_in_question"], *values["lengths"]),
        Weights(**values["weights"]),
        Kernel(landmarks, arrays["coefficients"], arrays["offsets"], values["degree"]),
    )


def _pack_other(scorer: Scorer) -> Packed:
    """Return what a scorer that packs itself says it is made of."""
    pack_itself = getattr(scorer, "pack", None)
    if pack_itself is None:
        raise TypeError(f"a {type(scorer).__name__} cannot be saved")
    packed: Packed = pack_itself()
    return packed


def _other(kind: str) -> Any:
    """Return the class of a scorer that packs itself, imported when it is needed."""
    module, name = _OTHERS[kind]
    return getattr(import_module(module), name)


def _pack_lexical(lexical: Lexical) -> tuple[dict[str, list[str]], dict[str, Any]]:
    return (
        {"words": _ordered(lexical.words), "characters": _ordered(lexical.characters)},
        {
            "words_idf": lexical.words.idf_.astype(np.float32),
            "characters_idf": lexical.characters.idf_.astype(np.float32),
        },
    )


def _vectoriser(settings: Mapping[str, Any], names: list[str], idf: Any) -> TfidfVectorizer:
    vectoriser = TfidfVectorizer(
        **settings, vocabulary={name: column for column, name in enumerate(names)}
    )
    vectoriser.idf_ = idf
    return vectoriser


def _ordered(vectoriser: TfidfVectorizer) -> list[str]:
    return sorted(map(str, vectoriser.vocabulary_), key=vectoriser.vocabulary_.__getitem__)


def _half(table: Any) -> Any:
    return np.asarray(table, dtype=np.float16)


def _single(table: Any) -> Any:
    return np.asarray(table, dtype=np.float32)
