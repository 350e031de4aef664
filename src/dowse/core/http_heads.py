"""Heads of HTTP messages, as bytes: as they were sent, letter by letter, but always one head that others read. Pure.

A head is its first line and its header lines, each ended by CR LF, without the empty line that ends it.
"""

from __future__ import annotations

import re

REDACTED = b"redacted"
"""What stands in a record in the place of a secret."""

_UNPRINTABLE = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
_FINE = bytes(byte for byte in range(256) if byte in (9, 10, 13) or (byte >= 32 and byte != 127))
_PROTOCOL = re.compile(rb"HTTP/(\d)(?:\.\d)?(?= |\r)")
_COOKIE = re.compile(rb"(?im)^(set-cookie[ \t]*+:[ \t]*+(?:[^=;\r\n]*+=)?+)[^;\r\n]*")


def whole(lines: bytes) -> bytes:
    """The head of what a server sent: up to the empty line, with no line that is none.

    >>> whole(b"HTTP/1.1 200 Fine\\nX-A:1\\n\\n"), whole(b"HTTP/1.0 200\\r\\nX-a: \\x00\\r\\n\\r\\nTrailer: 1\\r\\n")
    (b'HTTP/1.1 200 Fine\\r\\nX-A:1\\r\\n', b'HTTP/1.0 200\\r\\nX-a:  \\r\\n')
    """
    end = lines.find(b"\r\n\r\n")
    head = lines[: end + 2] if end >= 0 else lines
    ends = head.count(b"\n")
    if end >= 0 and head.count(b"\r") == ends == head.count(b"\r\n") and not head.translate(None, _FINE):
        return head
    kept = []
    for ended in lines.split(b"\n"):
        line = ended.rstrip(b"\r")
        if not line:
            break
        kept.append(_UNPRINTABLE.sub(b" ", line) + b"\r\n")
    return b"".join(kept)


def in_http_1(head: bytes) -> tuple[bytes, str]:
    """The head as HTTP/1.1 has it, which is what archives are written in, and the protocol it came by if another.

    >>> in_http_1(b"HTTP/2 200 \\r\\n"), in_http_1(b"HTTP/1.0 404 Gone\\r\\n")
    ((b'HTTP/1.1 200 \\r\\n', 'h2'), (b'HTTP/1.0 404 Gone\\r\\n', ''))
    """
    if head.startswith(b"HTTP/1."):
        return head, ""
    found = _PROTOCOL.match(head)
    return (b"HTTP/1.1" + head[found.end() :], f"h{found[1].decode()}") if found else (head, "")


def with_header(head: bytes, name: str, value: str) -> bytes:
    """The head with one header of that name, at its end."""
    if not head:
        return head
    others = re.sub(rb"(?im)^" + re.escape(name.encode()) + rb":[^\n]*\n", b"", head)
    return others + f"{name}: {value}\r\n".encode("latin-1", "replace")


def without_cookies(head: bytes) -> bytes:
    """The head of an answer without the values of the cookies it sets."""
    return _COOKIE.sub(rb"\g<1>" + REDACTED, head)


def redacted(head: bytes, names: frozenset[bytes]) -> bytes:
    """The head with no values for headers of these names, which are in lower case.

    >>> redacted(b"Host: a\\r\\nCookie: b=c\\r\\n", frozenset({b"cookie"}))
    b'Host: a\\r\\nCookie: redacted\\r\\n'
    """
    lines = []
    for line in head.splitlines(keepends=True):
        name, colon, _ = line.partition(b":")
        is_secret = colon and name.strip().lower() in names
        lines.append(name + b": " + REDACTED + b"\r\n" if is_secret else line)
    return b"".join(lines)
