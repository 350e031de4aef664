"""Pages that do harm: each function gives a page for `Site` that misbehaves in one way, without end if need be."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from itertools import count, repeat

import brotli
import zstandard

from tests.servers import CUT, Page, Reply, Request, Step

HOUR = 3600.0
MEGABYTE = 1 << 20

# The connection


def silent() -> Page:
    """Takes the request and says nothing."""
    return Reply(delay=HOUR)


def hang_up() -> Page:
    """Drops the connection instead of answering."""
    return Reply([CUT], bare=True)


def cut_off(body: bytes, after: int) -> Page:
    """Drops the connection after that many bytes of the body it promised."""
    return lambda _: Reply([body[:after], 0.05, CUT], headers={"Content-Length": str(len(body))})


def not_http(answer: bytes = b"SSH-2.0-OpenSSH_9.6\r\n") -> Page:
    """Another protocol on this port."""
    return Reply(answer, bare=True)


def bad_chunks() -> Page:
    """A chunked body whose second chunk has no length."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    return Reply(head + b"4\r\nabcd\r\nzz\r\nefgh\r\n0\r\n\r\n", bare=True)


# The pace and the size


def drip(body: bytes, pause: float) -> Page:
    """One byte at a time: never idle for long, and never done in time."""

    def steps() -> Iterator[Step]:
        for number in range(len(body)):
            yield body[number : number + 1]
            yield pause

    return lambda _: Reply(steps(), headers={"Content-Length": str(len(body))})


class Endless:
    """A body that does not end. `sent` says how much of it went out, over all requests."""

    def __init__(self, chunk: bytes = b"<p>and on and on</p>\n" * 800) -> None:
        self.chunk = chunk
        self.sent = 0

    def __call__(self, _: Request) -> Reply:
        return Reply(self._steps())

    def _steps(self) -> Iterator[Step]:
        while True:
            self.sent += len(self.chunk)
            yield self.chunk


def wrong_length(body: bytes, declared: int) -> Page:
    """Promises more or fewer bytes than it sends, then closes."""
    return lambda _: Reply([body], headers={"Content-Length": str(declared)})


def endless_headers() -> Page:
    """A head without an end."""

    def steps() -> Iterator[Step]:
        yield b"HTTP/1.1 200 OK\r\n"
        for number in count():
            yield b"X-Flood-%d: %s\r\n" % (number, b"x" * 1000)

    return lambda _: Reply(steps(), bare=True)


def header_flood(lines: int, size: int) -> Page:
    """A head with that many lines of that many bytes, and a page after it."""
    return Reply("<p>flooded</p>", headers=[(f"X-Flood-{number}", "x" * size) for number in range(lines)])


# Redirects


def redirect(to: str, status: int = 302) -> Reply:
    return Reply(status=status, headers={"Location": to})


def redirect_loop(length: int, start: str = "/loop") -> dict[str, Page]:
    """Pages start/0, start/1, ... that send the client round in a circle."""
    return {f"{start}/{number}": redirect(f"{start}/{(number + 1) % length}") for number in range(length)}


def redirect_chain(length: int, end: str, start: str = "/chain") -> dict[str, Page]:
    """Pages start/0, start/1, ... of which each redirects to the next and the last to `end`: `length` hops."""
    targets = [f"{start}/{number}" for number in range(1, length)] + [end]
    return {f"{start}/{number}": redirect(target) for number, target in enumerate(targets)}


def endless_redirects(start: str = "/further") -> dict[str, Page]:
    """Every page redirects to one that was never seen before."""

    def further(request: Request) -> Reply:
        return redirect(f"{start}/{int(request.path.rpartition('/')[2]) + 1}")

    return {f"{start}/*": further}


# Compression


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda body: bytes(brotli.compress(body, quality=4)),
    "zstd": zstandard.compress,
}


def compressed(body: bytes, coding: str) -> Reply:
    """A page in that content coding, whatever the client accepts."""
    return Reply(CODINGS[coding](body), headers={"Content-Encoding": coding})


def false_coding(body: bytes, coding: str = "gzip") -> Reply:
    """Plain text that claims to be compressed."""
    return Reply(body, headers={"Content-Encoding": coding})


def gzip_bomb(megabytes: int) -> Page:
    """A gzip stream that unpacks to that many megabytes and is a thousandth of it on the wire.

    The block for one megabyte is made once and repeated, so that a large bomb costs no time to build.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    zeros = bytes(MEGABYTE)
    block = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(megabytes):
        checksum = zlib.crc32(zeros, checksum)
    end = packer.flush(zlib.Z_FINISH) + checksum.to_bytes(4, "little")
    end += (megabytes * MEGABYTE % (1 << 32)).to_bytes(4, "little")
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    return lambda _: Reply([head, *repeat(block, megabytes), end], headers={"Content-Encoding": "gzip"})


# The markup


def deep_nesting(depth: int) -> str:
    """Elements within elements, and one link at the bottom."""
    return "<div>" * depth + '<a href="/bottom">bottom</a>' + "</div>" * depth


def many_links(number_of_links: int) -> str:
    return "".join(f'<a href="/many/{number}">{number}</a>\n' for number in range(number_of_links))


MALFORMED = {
    # what is wrong: a page that still holds a link to /found
    "unclosed": '<html><body><p><b><a href="/found">found',
    "crossed": "<b><i><a href=/found>found</b></i></a></table></html><p>after",
    "no quotes": "<a class=x href=/found title=a b>found</a>",
    "odd case": '<A HrEf="/found">found</A>',
    "nul byte": '<p>\0<a href="/found">fo\0und</a>',
    "stray brackets": '<p>1 < 2 && 3 > 2 <a href="/found">found</a> <<<',
    "comment never closed before": '<!-- a -- b --><a href="/found">found</a><!-- never closed',
    "entities": '<a href="&#47;found">found &nosuch; &#xFFFFFFF;</a>',
}

BROKEN_CHARSETS: dict[str, Reply] = {
    # what is wrong: the answer
    "says utf-8, is latin-1": Reply("<p>caf\u00e9</p>".encode("latin-1")),
    "unknown name": Reply("<p>caf\u00e9</p>", headers={"Content-Type": "text/html; charset=klingon-8"}),
    "cut in a character": Reply("<p>caf\u00e9".encode()[:-1]),
    "bom against header": Reply(
        "<p>caf\u00e9</p>".encode("utf-16"), headers={"Content-Type": "text/html; charset=iso-8859-1"}
    ),
    "meta against header": Reply(
        '<meta charset="utf-8"><p>caf\u00e9</p>'.encode("latin-1"),
        headers={"Content-Type": "text/html; charset=iso-8859-1"},
    ),
}
