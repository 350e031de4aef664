"""gzip members, one a record, so that each can be read without those before it.

They are made by ISA-L where there is one for the machine: the format of zlib at level 1 in a quarter of the time, and a
little smaller.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Protocol, cast

_GZIP = 31
"""What zlib calls the format."""


class Unpacker(Protocol):
    """Takes a member piece by piece."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def _pack_by_zlib(data: bytes) -> bytes:
    return zlib.compress(data, 1, _GZIP)


def _unpacker_of_zlib() -> Unpacker:
    return zlib.decompressobj(_GZIP)


pack: Callable[[bytes], bytes] = _pack_by_zlib
pack_small: Callable[[bytes], bytes] = _pack_by_zlib
"""For records of a few hundred bytes."""
unpacker: Callable[[], Unpacker] = _unpacker_of_zlib
DAMAGE: tuple[type[Exception], ...] = (zlib.error, EOFError)
"""What unpacking raises when the data is no member."""

try:
    from isal import igzip_lib, isal_zlib
except ImportError:  # there are machines for which it is not made
    pass
else:

    def _pack_by_isal(data: bytes) -> bytes:
        return igzip_lib.compress(data, 1, igzip_lib.COMP_GZIP, igzip_lib.MEM_LEVEL_MEDIUM)

    def _pack_small_by_isal(data: bytes) -> bytes:
        # Level 1 works out a code for each record, which takes longer than packing it: 8 microseconds against 2, to
        # save a tenth of the 300 bytes.
        return igzip_lib.compress(data, 0, igzip_lib.COMP_GZIP)

    def _unpacker_of_isal() -> Unpacker:
        return isal_zlib.decompressobj(_GZIP)

    pack, pack_small, unpacker = _pack_by_isal, _pack_small_by_isal, _unpacker_of_isal
    DAMAGE += (cast(type[Exception], igzip_lib.error),)


def unpack_start(data: bytes, limit: int) -> bytes:
    """What the beginning of a member holds. Not by ISA-L, which always unpacks 64 kB: 10 microseconds against 45."""
    return zlib.decompressobj(_GZIP).decompress(data, limit)
