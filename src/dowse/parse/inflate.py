"""Undoing gzip piece by piece, in bounded memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

PIECE = 64 * 1024
GZIP = b"\x1f\x8b"

_GZIP_WINDOW = 31


class Inflater:
    """Turns the bytes of a file, gzipped or not, into pieces of at most `PIECE` octets.

    A gzip file may have several members; what follows the last one is ignored. `is_open` says that a member has
    not come to its end, `is_broken` that the data cannot be read any further.
    """

    def __init__(self, *, packed: bool) -> None:
        self._stream = zlib.decompressobj(_GZIP_WINDOW) if packed else None
        self.is_broken = False

    @property
    def is_open(self) -> bool:
        return self._stream is not None and not self._stream.eof

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        if self._stream is not None:
            yield from self._unpack(chunk)
        elif len(chunk) <= PIECE:
            yield chunk
        else:
            yield from (chunk[start : start + PIECE] for start in range(0, len(chunk), PIECE))

    def _unpack(self, chunk: bytes) -> Iterator[bytes]:
        stream, octets = self._stream, b""
        # A full piece may have left more behind in the stream, even when all of the chunk was taken.
        while stream is not None and (chunk or len(octets) == PIECE):
            if stream.eof:
                if not chunk.startswith(GZIP[:1]):
                    return
                stream = self._stream = zlib.decompressobj(_GZIP_WINDOW)
            try:
                octets = stream.decompress(chunk, PIECE)
            except zlib.error:
                self.is_broken = True
                return
            yield octets
            chunk = stream.unused_data if stream.eof else stream.unconsumed_tail
