"""What a worker sends home about a page and its links, and what is kept of a link that waits, as rows of numbers.

    PAGE    evidence about a page           its keywords, its vector, its signs and its commonest words, or those beside
                                            keywords
    HINT    what a page says of one link    anchor and context, as matches of keywords and as vectors
    LEAD    what all pages say of one URL   the means of those, and of the pages themselves

Vectors are in bytes (score/vectors.py), so that a lead is a few hundred bytes and not a few thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[Any]

PLAIN_HINT = np.dtype([("anchor", "<f4"), ("context", "<f4"), ("address", "<u4")])
"""How much of the topic is in the link's words and around it, and a number that stands for its URL."""

PLAIN_LEAD = np.dtype([("worth", "<f8"), ("inherited", "<f8")])


KEYWORD_PAGE = np.dtype([
    ("relevance", "<f4"), ("most", "<f4"), ("often", "<u4"), ("found", "<u2"), ("given", "<u2"),
])  # fmt: skip
"""The keywords of one page: its relevance by them, the density of the one it has most of, how often it has any, and how
many of those that were given it has. The words beside them follow, as numbers."""

IN_HEAD = 0.4
"""What a keyword in the title or the URL of a page counts beside any number of them in its text."""

MOST_WORDS = 48

LEVELS = 6
"""How many steps of the way to a URL are told apart: its host, and so many folders less one."""

EXPERTS = ("keywords", "shark", "parent", "priority", "breadth")
"""The baselines whose opinion of a link is kept (experts.py)."""

WORD = np.dtype([("stem", "<u4"), ("weight", "u1")])
"""A number that stands for a word, and how much of it a page has; 0 where there are no more words."""

TITLE, HEADING, OPENING, TOGETHER = 1, 2, 4, 8
"""The zones of a page that a term may be in, as bits. The last is the passage that has most of the topic."""

TITLE_PARTS, HEADINGS, HITS = 3, 4, 40
"""How many places of the topic's words are told of a page: parts of its title, headings, and words of its text."""

CLOSEST = 5
"""How many headings are told of that come closest to the topic in context."""

NOT_READ = -np.inf
"""The odds in context of a page that was not read like that."""


@cache
def page_type(terms: int, size: int) -> np.dtype[Any]:
    """The record of one page: how much of each term it has, its vector, the signs it is judged by, and the words it has
    most of."""
    about, signs = about_type(terms, size), signs_type(terms)
    return np.dtype([*_fields(about), *_fields(signs), ("words", WORD, (MOST_WORDS,))])


@cache
def signs_type(terms: int) -> np.dtype[Any]:
    """What a page shows of the topic, by terms and as a whole (modes/focus/page_signs.py).

    `linking_near` comes from the links to it: how near to the topic the pages are that they are on. The ranker adds it.
    The last four are the places of the topic's words, each with numbers that stand for what is there and with its
    terms as bits. `zones`, `title_share` and `counts` as they are without the frame of the site come of these
    (frames.py), and `closest_near` of `closest`.

    `passages_near`, `words_near` and `closest` are there if pages are read in context (modes/focus/page_context.py):
    how near the likeliest passages are, as wholes to the topic and by their words to each term, and how near the
    headings are. `in_context` are the odds of the page then, else NOT_READ.
    """
    bits = ("terms", "u1", (-(-terms // 8),))
    title, heading = [("piece", "<u4"), ("words", "u1"), ("topical", "u1"), bits], [("piece", "<u4"), bits]
    hit, close = [("left", "<u4"), ("right", "<u4"), bits], [("piece", "<u4"), ("near", "<f4")]
    return np.dtype([
        ("zones", "u1", (terms,)), ("counts", "u1", (terms,)), ("alike", "u1", (terms,)),
        ("own", "<f4"), ("length", "<f4"), ("title_share", "<f4"), ("text_near", "<f4"), ("linking_near", "<f4"),
        ("heading_near", "<f4"), ("nearest", "<u4"), ("passages_near", "<f4"), ("words_near", "<f4", (terms,)),
        ("in_context", "<f4"), ("closest_near", "<f4"), ("closest", close, (CLOSEST,)),
        ("host", "<u4"), ("titles", title, (TITLE_PARTS,)), ("headings", heading, (HEADINGS,)), ("hits", hit, (HITS,)),
    ])  # fmt: skip


def _fields(kind: np.dtype[Any]) -> list[tuple[str, Any]]:
    assert kind.fields is not None
    return [(name, field[0]) for name, field in kind.fields.items()]


@cache
def about_type(terms: int, size: int) -> np.dtype[Any]:
    """The record of one page without what only its verdict needs. `foreign` is 1 if it is written in another language
    than the topic, -1 if in that of the topic, 0 if that is not told (score/spoken.py)."""
    return np.dtype([("terms", "u1", (terms,)), ("vector", "i1", (size,)), ("foreign", "i1")])


@cache
def hint_type(size: int) -> np.dtype[Any]:
    """The record of one link where links are compared by vectors of that size. `tree` are the numbers of its host and
    folders from the top down (0: no more), `language` that of the language its address names (0: none, 1: the topic's);
    `is_item` says whether it is an item of a list and no word in a sentence."""
    return np.dtype([
        ("anchor_match", "<f4"), ("address_match", "<f4"), ("context_match", "<f4"), ("heading", "<f4"),
        ("heading_match", "<f4"), ("is_item", "u1"), ("path", "<u2"), ("tree", "<u2", (LEVELS,)), ("language", "<u2"),
        ("anchor", "i1", (size,)), ("context", "i1", (size,)),
    ])  # fmt: skip


@cache
def lead_type(size: int) -> np.dtype[Any]:
    """The record of one URL that waits. `parents` counts the pages; `parent` is the mean of their vectors,
    `parent_foreign` that of their languages, `above` that of what the pages above them are worth; `heading` is how near
    to the topic the nearest heading above a link is.

    `source` is the host of the first of these pages (0: a seed), `list` stands for the links beside it there, and
    `hub` is how much the best of its lists names the topic. `experts` is what these make of it, and `inherited` what
    Shark-Search hands on.
    """
    return np.dtype([
        ("parents", "<u2"), ("path", "<u2"), ("tree", "<u2", (LEVELS,)), ("language", "<u2"), ("source", "<u2"),
        ("list", "<u4"), ("hub", "<f4"),
        ("anchor_match", "<f4"), ("address_match", "<f4"), ("context_match", "<f4"), ("parent_match", "<f4"),
        ("parent_foreign", "<f4"), ("above", "<f4"), ("heading", "<f4"), ("experts", "<f4", (len(EXPERTS),)),
        ("inherited", "<f4"),
        ("anchor", "i1", (size,)), ("context", "i1", (size,)), ("parent", "i1", (size,)),
    ])  # fmt: skip


def rows_of(records: Sequence[bytes] | bytes, kind: np.dtype[Any]) -> Rows:
    """Records as rows; one that is not there (b"") is a row of zeros."""
    if isinstance(records, bytes):
        return np.frombuffer(records, kind)
    empty = bytes(kind.itemsize)
    return np.frombuffer(b"".join(record or empty for record in records), kind)


def rows_at(records: bytes, kind: np.dtype[Any], places: Sequence[int]) -> Rows:
    """Some of the rows. They are taken as bytes, for field by field it takes twice as long."""
    taken = np.frombuffer(records, np.uint8).reshape(-1, kind.itemsize).take(np.array(places, np.intp), axis=0)
    made: Rows = taken.view(kind).ravel()
    return made


def deepest_folders(rows: Rows) -> NDArray[np.intp]:
    """The numbers of the deepest folders of links or leads that are told apart."""
    tree = rows["tree"]
    folders: NDArray[np.intp] = tree[np.arange(len(tree)), np.maximum((tree > 0).sum(axis=1) - 1, 0)].astype(np.intp)
    return folders


class Fields:
    """Views of fields of hints or leads that stand side by side, so that they are worked on in one go."""

    def __init__(self, rows: Rows) -> None:
        kind = rows.dtype
        matrix = rows.view(np.int8).reshape(len(rows), kind.itemsize)
        places = _places(kind)
        self.kinds: NDArray[np.uint16] = matrix[:, places.kinds].view("<u2")
        """Path, tree and language."""
        self.numbers: NDArray[np.float32] = matrix[:, places.numbers].view("<f4")
        self.vectors: NDArray[np.int8] = matrix[:, places.vectors]


class _Places(NamedTuple):
    kinds: slice
    numbers: slice
    vectors: slice


@cache
def _places(kind: np.dtype[Any]) -> _Places:
    """Where in a record its kinds, its numbers and its vectors are."""
    assert kind.fields is not None
    at = {name: field[1] for name, field in kind.fields.items()}
    last = at["above"] if "above" in at else at["context_match"]
    return _Places(
        slice(at["path"], at["language"] + 2), slice(at["anchor_match"], last + 4), slice(at["anchor"], None)
    )


def records_of(rows: Rows) -> list[bytes]:
    """Each row as bytes."""
    data, size = rows.tobytes(), rows.dtype.itemsize
    return [data[start : start + size] for start in range(0, len(data), size)]
