"""Reads a topic and a part of a page together, and says how likely the page is on topic, by a small language model on
this machine. Never any network.

The model is all-MiniLM-L6-v2 (Apache 2.0): six layers of attention over the parts of words. It was trained further, on
topics over manuals judged page by page and on kinds of things in WordNet (benchmarks/reader_training.py), for as it is
published it compares texts that it has read apart, and cannot tell a page about a thing from one that mentions it. Its
weights, a byte each, are in `page_reader.onnx`, and onnxruntime computes with them.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dowse.score.local_models import checksum, open_model

WEIGHTS = f"{__file__.rpartition('/')[0]}/page_reader.onnx"
LONGEST = 176
"""Tokens that are read. What is longer is cut: of a page with long headings the end of the second passage."""

_ANEW = "install dowse anew"


@cache
def page_reader() -> PageReader:
    """The model of this process. Raises NoModel."""
    return PageReader(WEIGHTS)


class PageReader:
    """Judges texts beside a topic."""

    def __init__(self, file: str) -> None:
        self.checksum = checksum(file, _ANEW)
        """Of its weights: another model tells odds on another scale."""
        self._session, self._tokenizer = open_model(file, LONGEST, _ANEW)

    def odds(self, topic: str, text: str) -> float:
        """The logarithm of the odds that a page with this text is on topic. Each text goes through by itself: side by
        side they would be rounded to the same steps, and one would differ a little with what stands beside it."""
        tokens = self._tokenizer.encode(topic, text)
        ids, kinds = np.array([tokens.ids]), np.array([tokens.type_ids])
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        (found,) = self._session.run(None, given)
        return float(found[0])
