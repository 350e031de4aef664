"""Entries to bytes: the three encodings of the HTML standard, in the charset of the form.

A character that the charset does not have is sent as a character reference, as browsers do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote_from_bytes

from xxhash import xxh3_64_hexdigest

from dowse.parse.decode import WITHOUT_ASCII, charset_name

URL_ENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
PLAIN = "text/plain"

_NEWLINE = re.compile(r"\r\n?|\n")
_PLAIN_BYTES = "*-._"
_QUOTED = {ord('"'): "%22", ord("\r"): "%0D", ord("\n"): "%0A"}

# Charsets that Python encodes as the standard does. All others are encoded by turning its decoders around.
_PYTHON = {"UTF-8": "utf-8", "gb18030": "gb18030", "ISO-2022-JP": "iso2022_jp"}
# Leading bytes of two that the encoders of the standard use: not those that only repeat other characters, or that old
# readers do not know.
_LEADS = {
    "GBK": range(0x81, 0xFF),
    "Big5": range(0xA1, 0xFF),
    "EUC-JP": range(0x8E, 0xFF),
    "EUC-KR": range(0x81, 0xFF),
    "Shift_JIS": [lead for lead in range(0x81, 0xFD) if lead not in (0xED, 0xEE)],
}
_LAST_OF_TWO = frozenset("\u2550\u255e\u2561\u256a\u5341\u5345")
_JAPANESE = {"\u00a5": b"\\", "\u203e": b"~"}


class Entry(NamedTuple):
    """One name and value that are sent. A file is always the empty one: nothing of this machine is sent."""

    name: str
    value: str
    is_file: bool = False


class Encoded(NamedTuple):
    """The bytes of a form, and the media type by which the server knows how to read them."""

    body: bytes
    media_type: str


def charset_of_form(accepted: str | None, of_page: str) -> str:
    """The charset in which a form is sent: the first of its own that is known, else that of its page.

    >>> charset_of_form("klingon latin1", "UTF-8"), charset_of_form(None, "UTF-16LE")
    ('windows-1252', 'UTF-8')
    """
    accepts = map(charset_name, accepted.split()) if accepted is not None else [of_page]
    charset = next(filter(None, accepts), "UTF-8")
    return charset if charset in _PYTHON or (charset not in WITHOUT_ASCII and _table(charset)) else "UTF-8"


def encode(entries: Sequence[Entry], enctype: str, charset: str) -> Encoded:
    """The body of a form that is sent by POST."""
    if enctype == MULTIPART:
        return _multipart(entries, charset)
    if enctype == PLAIN:
        lines = "".join(f"{_crlf(each.name)}={_crlf(each.value)}\r\n" for each in entries)
        return Encoded(_bytes(lines, charset), PLAIN)
    return Encoded(url_encoded(entries, charset).encode("ascii"), URL_ENCODED)


def url_encoded(entries: Sequence[Entry], charset: str) -> str:
    """The query of a form that is sent by GET.

    >>> url_encoded([Entry("q", "caf\u00e9 & \u0436"), Entry("n", "a\\nb")], "windows-1252")
    'q=caf%E9+%26+%26%231078%3B&n=a%0D%0Ab'
    """
    return "&".join(f"{_escaped(each.name, charset)}={_escaped(each.value, charset)}" for each in entries)


def _escaped(text: str, charset: str) -> str:
    quoted = quote_from_bytes(_bytes(_crlf(text), charset), safe=" " + _PLAIN_BYTES)
    return quoted.replace("~", "%7E").replace(" ", "+")


def _multipart(entries: Sequence[Entry], charset: str) -> Encoded:
    parts = []
    for entry in entries:
        name = _bytes(_crlf(entry.name).translate(_QUOTED), charset).decode("latin-1")
        head = f'Content-Disposition: form-data; name="{name}"'
        if entry.is_file:
            head += '; filename=""\r\nContent-Type: application/octet-stream'
        body = b"" if entry.is_file else _bytes(_crlf(entry.value), charset)
        parts.append(head.encode("latin-1") + b"\r\n\r\n" + body + b"\r\n")
    boundary = _boundary(parts)
    mark = b"--" + boundary.encode("ascii")
    body = b"".join(mark + b"\r\n" + part for part in parts) + mark + b"--\r\n"
    return Encoded(body, f"{MULTIPART}; boundary={boundary}")


def _boundary(parts: Sequence[bytes]) -> str:
    """The same for the same form, so that the same request is known again; never in what it bounds."""
    content = b"".join(parts)
    seed = content
    while True:
        boundary = f"----dowseFormBoundary{xxh3_64_hexdigest(seed)}"
        if boundary.encode("ascii") not in content:
            return boundary
        seed += b"+"


def _crlf(text: str) -> str:
    return _NEWLINE.sub("\r\n", text) if "\n" in text or "\r" in text else text


def _bytes(text: str, charset: str) -> bytes:
    """Text in a charset of the standard."""
    if text.isascii() and charset != "ISO-2022-JP":
        return text.encode("ascii")
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves of pairs are no characters
    if charset in _PYTHON:
        return text.encode(_PYTHON[charset], "xmlcharrefreplace")
    table = _table(charset)
    return b"".join(table.get(char) or b"&#%d;" % ord(char) for char in text)


@lru_cache(maxsize=64)
def _table(charset: str) -> dict[str, bytes]:
    """The bytes of each character of a charset; empty for a charset that nobody knows."""
    codec = f"whatwg-{charset.lower()}"
    try:
        pairs = [(bytes([byte]).decode(codec), bytes([byte])) for byte in range(256)]
    except (LookupError, UnicodeError):
        return {}
    wide = [bytes([lead, trail]) for lead in _LEADS.get(charset, ()) for trail in range(0x40, 0xFF)]
    table: dict[str, bytes] = {}
    for char, written in pairs + [(code.decode(codec), code) for code in wide]:
        if len(char) == 1 and char != "\ufffd" and (char not in table or (charset == "Big5" and char in _LAST_OF_TWO)):
            table[char] = written
    if charset in ("EUC-JP", "Shift_JIS"):
        table |= _JAPANESE | {"\u2212": table["\uff0d"]}
    return table
