"""Two sentences by bert-extractive-summarizer, given the sentences, otherwise as it comes.

Its default model, bert-large-uncased, cannot be had without the network. Its quality is measured with
the weights of all-MiniLM-L6-v2; for its speed a model of the default's shape is made, whose numbers
are random, which takes the same time.
"""

from __future__ import annotations

from typing import Any

from tests.bench.peers.answer import Answering, serve
from tests.bench.peers.minilm import minilm_folder


def build(question: dict[str, Any]) -> Answering:
    """Return sentences to those chosen; ``shape`` is minilm or bert-large, ``first`` its use_first."""
    import torch
    from summarizer import Summarizer
    from summarizer.text_processors.sentence_handler import SentenceHandler
    from transformers import BertConfig, BertModel, BertTokenizer

    class Given(SentenceHandler):
        """Sentences as they are given, one a line, within its own bounds of length."""

        def process(self, body: str, min_length: int = 40, max_length: int = 600) -> list[str]:
            """Return the lines of ``body``."""
            lines = [line for line in body.split("\n") if line]
            return [line for line in lines if min_length < len(line) < max_length] or lines[:2]

    torch.set_num_threads(1)
    torch.manual_seed(0)
    folder = str(minilm_folder())
    tokenizer = BertTokenizer.from_pretrained(folder)
    if question["shape"] == "minilm":
        model = BertModel.from_pretrained(folder, output_hidden_states=True)
    else:
        large = BertConfig(
            hidden_size=1024,
            num_hidden_layers=24,
            num_attention_heads=16,
            intermediate_size=4096,
            output_hidden_states=True,
        )
        model = BertModel(large)
    summarizer = Summarizer(
        custom_model=model, custom_tokenizer=tokenizer, sentence_handler=Given()
    )

    def answer(sentences: list[str]) -> list[str]:
        body = "\n".join(" ".join(sentence.split()) for sentence in sentences)
        found = summarizer.run(
            body,
            num_sentences=question["count"],
            use_first=question["first"],
            return_as_list=True,
        )
        return list(found)

    return answer


if __name__ == "__main__":
    serve("bert-extractive-summarizer", build, warm=False)
