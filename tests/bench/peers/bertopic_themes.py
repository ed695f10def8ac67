"""Themes by BERTopic and by k-means, on MiniLM vectors, each with the number of clusters asked for."""

from __future__ import annotations

from typing import Any

from tests.bench.peers.answer import Answering, serve
from tests.bench.peers.minilm import minilm_folder

SEED = 0
_SMALL = 1_000  # texts under which a topic may have three, as its documentation advises for few


def build(_: dict[str, Any]) -> Answering:
    """Return texts and a number of clusters to the clusters of every method; -1 for outliers."""
    from tests.bench.peers.plain import sentence_transformers

    folder = minilm_folder()
    if folder is None:
        raise RuntimeError("all-MiniLM-L6-v2 is not installed")
    encode = sentence_transformers(folder)

    def answer(item: dict[str, Any]) -> dict[str, list[int]]:
        texts, clusters = item["texts"], item["clusters"]
        vectors = encode(texts)
        found = _bertopic(texts, vectors, clusters)
        return {"k-means on MiniLM": _k_means(vectors, clusters), **found}

    return answer


def _k_means(vectors: Any, clusters: int) -> list[int]:
    from sklearn.cluster import KMeans

    model = KMeans(clusters, n_init=10, random_state=SEED)
    return [int(one) for one in model.fit_predict(vectors)]


def _bertopic(texts: list[str], vectors: Any, clusters: int) -> dict[str, list[int]]:
    """Return BERTopic's topics as they are, and with its outliers put in the nearest topic."""
    from bertopic import BERTopic
    from umap import UMAP

    model = BERTopic(
        embedding_model=None,
        nr_topics=clusters,
        min_topic_size=3 if len(texts) < _SMALL else 10,
        umap_model=UMAP(
            n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=SEED
        ),
    )
    topics, _ = model.fit_transform(texts, vectors)
    found = {"BERTopic with MiniLM": [int(one) for one in topics]}
    if -1 in topics:
        topics = model.reduce_outliers(texts, topics, strategy="embeddings", embeddings=vectors)
    found["BERTopic with MiniLM, outliers reduced"] = [int(one) for one in topics]
    return found


if __name__ == "__main__":
    serve("bertopic", build, warm=False)
