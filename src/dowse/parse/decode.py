"""Bytes to text: which charset a body is written in, by byte order mark, header, declaration, then detection.

Names are those of the WHATWG Encoding standard, so latin1 is windows-1252. The parser decodes pages itself by the same
tables (`parse/tree.py`); `decode` is for bodies that are not parsed.
"""

from __future__ import annotations

import re
from functools import lru_cache

import turbohtml
from turbohtml.detect import detect

from dowse.parse.media import content_type

# Telling legacy charsets apart costs half a second a megabyte, so larger bodies are judged by a part.
DETECTED_BYTES = 200_000
_PRESCANNED_BYTES = 1_024

UTF16_MARKS = (b"\xfe\xff", b"\xff\xfe")
_MARKS = {b"\xef\xbb\xbf": "UTF-8", UTF16_MARKS[0]: "UTF-16BE", UTF16_MARKS[1]: "UTF-16LE"}
_NON_ASCII_WORD = re.compile(rb"[\x00-\x7f][\x80-\xff]")
_NON_ASCII_BYTES = bytes(range(0x80, 0x100))
_XML_DECLARATION = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_XML_UTF16 = {b"<\0?\0x\0": "UTF-16LE", b"\0<\0?\0x": "UTF-16BE"}
_META_CHARSET = re.compile(rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]{1,40})""", re.IGNORECASE)


def decode(body: bytes, headers: dict[str, str]) -> tuple[str, str]:
    """The text of a body and the charset it was read in. Bytes that are no text become U+FFFD."""
    charset = charset_of(headers, body)
    return decode_as(body, charset), charset


def decode_as(body: bytes, charset: str) -> str:
    """The text of a body whose charset is known."""
    return body.decode(f"whatwg-{charset.lower()}").removeprefix("\ufeff")


def charset_of(headers: dict[str, str], body: bytes) -> str:
    """The charset of a body."""
    for mark, charset in _MARKS.items():
        if body.startswith(mark):
            return charset
    return stated_charset(headers, body) or detect(_sample(body)).encoding or "UTF-8"


def stated_charset(headers: dict[str, str], body: bytes) -> str:
    """What the header says, else the XML declaration unless a meta tag (which the parser reads) overrules it; or ""."""
    label = content_type(headers.get("content-type", ""))[1]
    stated = charset_name(label) if label else ""
    if stated or body[:1] not in b"<\0":
        return stated
    return _xml_charset(body[:_PRESCANNED_BYTES])


def declared_charset(headers: dict[str, str], body: bytes) -> str:
    """What the header says, else the page itself, in their own words, which may be wrong; "" if neither does.

    >>> declared_charset({"content-type": "text/html"}, b'<meta charset="ISO-8859-1">')
    'iso-8859-1'
    """
    label = content_type(headers.get("content-type", ""))[1]
    if not label:
        start = body[:_PRESCANNED_BYTES]
        declared = _XML_DECLARATION.match(start) or _META_CHARSET.search(start)
        label = declared[1].decode("ascii", "replace") if declared else ""
    return label.lower()


@lru_cache(maxsize=256)
def charset_name(label: str) -> str:
    """The standard's name for a label, "" if it knows none.

    >>> charset_name("latin1"), charset_name("utf8"), charset_name("klingon")
    ('windows-1252', 'UTF-8', '')
    """
    try:
        return turbohtml.parse(b"", encoding=label).encoding or ""
    except (LookupError, ValueError):
        return ""


def is_utf8(body: bytes) -> bool:
    """ASCII is, too."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _xml_charset(start: bytes) -> str:
    for mark, charset in _XML_UTF16.items():
        if start.startswith(mark):
            return charset
    declared = _XML_DECLARATION.match(start)
    if not declared or _META_CHARSET.search(start):
        return ""
    charset = charset_name(declared[1].decode("ascii"))
    # Whoever can read the declaration byte by byte knows that it is not UTF-16.
    return "UTF-8" if charset.startswith("UTF-16") else charset


def _sample(body: bytes) -> bytes:
    """The beginning, where charsets are declared, and the part after the first byte that is not ASCII."""
    if len(body) <= DETECTED_BYTES:
        return body
    first = _NON_ASCII_WORD.search(body, _PRESCANNED_BYTES)
    start = first.start() if first else _PRESCANNED_BYTES
    part = body[start : start + DETECTED_BYTES]
    # No half characters: one of them would disprove UTF-8.
    return body[:_PRESCANNED_BYTES].rstrip(_NON_ASCII_BYTES) + part.rstrip(_NON_ASCII_BYTES)
