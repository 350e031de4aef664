"""What rankers learned, packed and unpacked."""

from __future__ import annotations

import pytest
from msgspec import Struct, msgpack

from dowse.core.errors import CrawlError
from dowse.rank.ranker_state import pack, unpack


class Learned(Struct):
    pages: int = 0
    words: list[str] = []


def test_what_was_packed_comes_back() -> None:
    learned = Learned(3, ["heap", "sort"])
    assert unpack(pack(learned, (20, 4)), Learned, (20, 4)) == learned


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"\xc1",
        msgpack.encode(Learned()),  # without sizes
        pack(Learned(), (20,)),
        pack(Learned(), (24, 4)),
        pack({"pages": "many"}, (20, 4)),
        pack(Learned(), (20, 4))[:-1],
    ],
)
def test_another_form_is_refused_with_advice(packed: bytes) -> None:
    with pytest.raises(CrawlError, match=r"another version of dowse.* start a new crawl"):
        unpack(packed, Learned, (20, 4))
