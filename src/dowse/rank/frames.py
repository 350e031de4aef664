"""The frames of sites: what their pages have in common says nothing of what a page is about.

That is the name of the site in titles, and headings and words of menus. A piece that is on 3 % of a host's pages, and
on three at least, is a part of its frame. This is known of pages as far as they were seen beside each other; their
evidence stays as it came, so that the first page of a site and its last are judged by the same frame.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.rank.evidence import HEADING, OPENING, TITLE, TOGETHER, Rows

_SHARE = 0.03
"""Chosen on judged manuals that may be looked at: 0.15, 0.1, 0.06 and 0.03 make an F1 of 0.75, 0.76, 0.75 and 0.77
there, and 0.03 the fewest requests. On topics of the encyclopedia it hardly matters."""

_FEWEST = 3


class Frames(Struct, frozen=True):
    """The pieces of frames: the numbers that stand for them, in order, as bytes."""

    pieces: bytes = b""

    def without(self, rows: Rows) -> Rows:
        """Pages as they are without their frames: the zones that their own terms are in, how much of their own title is
        the topic, how often each term is in their own text, and how near the nearest heading is, if it is theirs; in
        context, how near the nearest one is that is theirs."""
        in_title, in_heading = self._has(rows["titles"]["piece"]), self._has(rows["headings"]["piece"])
        in_text = self._has(rows["hits"]["left"]) | self._has(rows["hits"]["right"])
        in_nearest, in_closest = self._has(rows["nearest"]), self._has(rows["closest"]["piece"])
        some_framed = [part.any(axis=1) for part in (in_title, in_heading, in_text, in_closest)]
        framed = np.flatnonzero(np.logical_or.reduce([*some_framed, in_nearest]))
        if not len(framed):
            return rows
        made, some = rows.copy(), rows[framed]
        head, made["title_share"][framed] = _head(some, ~in_title[framed], ~in_heading[framed])
        among = _flags(some["hits"]["terms"], some) * in_text[framed][..., None]
        made["counts"][framed] = np.maximum(some["counts"].astype(int) - among.sum(axis=1), 0)
        made["zones"][framed] = head + (some["zones"] & (OPENING | TOGETHER)) * (made["counts"][framed] > 0)
        made["heading_near"][in_nearest] = 0
        made["closest_near"] = (rows["closest"]["near"] * ~in_closest).max(axis=1)
        return made

    def _has(self, pieces: NDArray[np.uint32]) -> NDArray[np.bool_]:
        known = np.frombuffer(self.pieces, np.uint32)
        if not len(known):
            return np.zeros(pieces.shape, bool)
        found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, pieces), len(known) - 1)] == pieces
        return found


def frames_of(rows: Rows) -> Frames:
    """What pages of a host have in common."""
    hits = rows["hits"]
    pieces = np.sort(
        np.hstack(
            [
                *(rows[name]["piece"] for name in ("titles", "headings", "closest")),
                rows["nearest"][:, None],
                hits["left"],
                hits["right"],
            ]
        ),
        axis=1,
    )
    is_first = pieces > 0
    is_first[:, 1:] &= pieces[:, 1:] != pieces[:, :-1]
    pages = np.nonzero(is_first)[0]
    kinds, places, counts = np.unique(pieces[is_first], return_index=True, return_counts=True)
    _, hosts, sizes = np.unique(rows["host"], return_inverse=True, return_counts=True)
    fewest = np.maximum(_FEWEST, _SHARE * sizes[hosts[pages[places]]])
    return Frames(kinds[counts >= fewest].astype(np.uint32).tobytes())


def _head(rows: Rows, is_own_part: NDArray[np.bool_], is_own_heading: NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """The zones of pages and how much of their title is the topic, given which parts and headings are their own."""
    titles, headings = rows["titles"], rows["headings"]
    words, topical = ((titles[name] * is_own_part).sum(axis=1) for name in ("words", "topical"))
    title = np.bitwise_or.reduce(titles["terms"] * is_own_part[..., None], axis=1)
    # They are told in order, the best one first; behind the last are some that have no terms.
    best = is_own_heading.argmax(axis=1)[:, None]
    heading = np.take_along_axis(headings["terms"] * is_own_heading[..., None], best[..., None], axis=1)[:, 0]
    return TITLE * _flags(title, rows) + HEADING * _flags(heading, rows), topical / np.maximum(words, 1)


def _flags(bits: NDArray[np.uint8], rows: Rows) -> NDArray[np.uint8]:
    """The terms of places of pages as flags, of terms as bits."""
    return np.unpackbits(bits, axis=-1, count=rows["counts"].shape[1])
