"""Bytes to text: which charset a body is written in, by byte order mark, header, declaration, then detection.

Names are those of the WHATWG Encoding standard, so latin1 is windows-1252, but for a few charsets that it does not know
(`parse/unknown_charsets.py`). The parser decodes pages itself by the same tables (`parse/tree.py`); `decode` is for
bodies that are not parsed.

Browsers obey a declaration even where the bytes disprove it, since they draw before they have read all. We have read
all and want text: `actual_charset` overrules declarations that cannot be true (`python -m benchmarks charsets`).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import turbohtml
from turbohtml.detect import detect

from dowse.core.model import Response
from dowse.core.rendered_pages import Written
from dowse.parse.media import content_type
from dowse.parse.unknown_charsets import CODECS, sensible_charset, told_charset

Attribute = Callable[[str], str | None]
"""The attributes of a tag, by name."""

# Telling legacy charsets apart costs half a second a megabyte, so larger bodies are judged by a part.
DETECTED_BYTES = 200_000
PRESCANNED_BYTES = 1_024
_LONGEST_LABEL = 40

UTF16_MARKS = (b"\xfe\xff", b"\xff\xfe")
_MARKS = {b"\xef\xbb\xbf": "UTF-8", UTF16_MARKS[0]: "UTF-16BE", UTF16_MARKS[1]: "UTF-16LE"}
_NON_ASCII_WORD = re.compile(rb"[\x00-\x7f][\x80-\xff]")
_NON_ASCII_BYTES = bytes(range(0x80, 0x100))
_XML_DECLARATION = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_XML_UTF16 = {b"<\0?\0x\0": "UTF-16LE", b"\0<\0?\0x": "UTF-16BE"}
_META_CHARSET = re.compile(rb"<meta(?:(?!charset\s*+=)[^<>])*+charset\s*+=", re.IGNORECASE)
_CHARSET = re.compile(rb"charset|encoding", re.IGNORECASE)
_NON_ASCII_RUN = re.compile(rb"[\x80-\xff]+")
_SURROGATE = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")

# In these ASCII bytes may be other characters, or a browser shows nothing on purpose; so the bytes do not show whether
# the declaration is true.
WITHOUT_ASCII = frozenset({"UTF-16BE", "UTF-16LE", "ISO-2022-JP", "replacement", "x-user-defined"})
# What servers and editors say when nobody told them; then one character of UTF-8 tells. Of other charsets two or three
# characters may be UTF-8 by chance, and a word of Chinese is.
_DEFAULT = "windows-1252"
_CHARACTERS_THAT_TELL = 5
# A Latin word has an accent here and there; words of nothing else are of another script.
_LONGEST_LATIN_RUN = 2.5

_PASTED = "dowse-pasted"


def decode(body: bytes, headers: dict[str, str]) -> tuple[str, str]:
    """The text of a body and the charset it was read in. Bytes that are no text become U+FFFD."""
    charset = charset_of(headers, body)
    return decode_as(body, charset), charset


def decode_as(body: bytes, charset: str) -> str:
    """The text of a body whose charset is known. Single bytes that are no UTF-8 were pasted from windows-1252."""
    if charset == "UTF-8":
        return body.decode("utf-8", _PASTED).removeprefix("\ufeff")
    if charset in CODECS:
        return body.decode(CODECS[charset], "replace").removeprefix("\ufeff")
    return body.decode(f"whatwg-{charset.lower()}").removeprefix("\ufeff")


def charset_of(headers: dict[str, str], body: bytes) -> str:
    """The charset of a body."""
    charset = told_charset(body) or marked_charset(body)
    return charset or actual_charset(body, stated_charset(headers, body) or detect(_sample(body)).encoding or "UTF-8")


def for_browser(headers: dict[str, str], body: bytes, given: str = "") -> Written:
    """A page written so that a browser reads what we read; as it is, unless browsers have no charset for it.

    `given` is the charset that the user says it has.

    >>> for_browser({}, "K\u00f6ln".encode()).charset, for_browser({}, "<p>K\u00f6ln".encode("utf-32-be")).body.decode()
    ('UTF-8', '<p>K\u00f6ln')
    """
    charset = charset_of(headers, body)
    declared = marked_charset(body) or header_label(headers)
    if not declared and not _META_CHARSET.search(body, 0, PRESCANNED_BYTES):
        declared = xml_label(body)
    if given and not marked_charset(body):
        return Written(decode_as(body, given).encode("utf-8", "replace"), "UTF-8", declared)
    if charset in CODECS or (charset == "UTF-8" and not is_utf8(body)):
        return Written(decode_as(body, charset).encode("utf-8", "replace"), "UTF-8", declared)
    return Written(body, charset, declared)


def marked_charset(body: bytes) -> str:
    """The charset whose byte order mark a body has; "" if it has none."""
    return _MARKS.get(body[:2]) or _MARKS.get(body[:3], "")


def actual_charset(body: bytes, charset: str) -> str:
    """The charset of a body that is said to be written in this one.

    >>> actual_charset("caf\u00e9".encode(), "windows-1252"), actual_charset(b"caf\\xe9", "UTF-8")
    ('UTF-8', 'windows-1252')
    """
    if body.isascii() or charset in WITHOUT_ASCII or (charset == "UTF-8" and is_utf8(body)):
        return charset
    right, wrong = _utf8_characters(body)
    if charset == "UTF-8":
        return charset if right >= wrong else sensible_charset(body, _detected(body))
    if right >= (1 if charset == _DEFAULT else _CHARACTERS_THAT_TELL) and right > 10 * wrong:
        return "UTF-8"
    return sensible_charset(body, _detected(body) if _is_disproved(body, charset) else charset)


def stated_charset(headers: dict[str, str], body: bytes) -> str:
    """What the header says, else the XML declaration unless a meta tag (which the parser reads) overrules it; or ""."""
    label = header_label(headers)
    stated = charset_name(label) if label else ""
    if stated or body[:1] not in b"<\0":
        return stated
    return _xml_charset(body[:PRESCANNED_BYTES])


def declared_charset(response: Response, metas: Iterable[Attribute]) -> str:
    """What a page is said to be written in, as it is spelled: by mark, header, meta tag or XML declaration."""
    if response.rendered is not None:
        label = response.rendered.declared or meta_label(metas)
    else:
        body = response.body
        label = marked_charset(body) or header_label(response.headers) or meta_label(metas) or xml_label(body)
    return label.strip().lower()[:_LONGEST_LABEL]


def header_label(headers: dict[str, str]) -> str:
    """The charset of the Content-Type header as the server spells it; "" if it names none."""
    return content_type(headers.get("content-type", ""))[1]


def meta_label(metas: Iterable[Attribute]) -> str:
    """The charset that the meta tags of a page name, as it is spelled; "" if they name none."""
    for meta in metas:
        if label := meta("charset"):
            return label
        if (meta("http-equiv") or "").strip().lower() == "content-type" and (
            label := content_type(meta("content") or "")[1]
        ):
            return label
    return ""


def xml_label(body: bytes) -> str:
    """The encoding of an XML declaration as it is spelled; "" if there is none."""
    declared = _XML_DECLARATION.match(body, 0, PRESCANNED_BYTES)
    return declared[1].decode("ascii") if declared else ""


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


def _utf8_characters(body: bytes) -> tuple[int, int]:
    """How many characters outside ASCII are UTF-8, and how many places are not."""
    text = body.decode("utf-8", "replace")
    wrong = text.count("\ufffd") - body.count(b"\xef\xbf\xbd")
    return len(text) - len(text.encode("ascii", "ignore")) - wrong, wrong


def _is_disproved(body: bytes, charset: str) -> bool:
    """Whether a body that is no UTF-8 is not in this charset either."""
    runs = _NON_ASCII_RUN.findall(body, 0, DETECTED_BYTES)
    if charset == _DEFAULT:
        return sum(map(len, runs)) > _LONGEST_LATIN_RUN * len(runs)
    return decode_as(body, charset).count("\ufffd") > len(runs) / 2


def _detected(body: bytes) -> str:
    """By the letters alone: a declaration that is known to be wrong must not be found again."""
    return detect(_CHARSET.sub(b"", _sample(body))).encoding or "UTF-8"


def _instead(error: UnicodeError) -> tuple[str, int]:
    """A single byte as windows-1252 has it; more of them are a character that lost its end, or half of a pair."""
    assert isinstance(error, UnicodeDecodeError)
    body, start, end = error.object, error.start, error.end
    if _SURROGATE.match(body, start):
        return "\ufffd", start + 3
    return (body[start:end].decode("cp1252", "replace") if end - start == 1 else "\ufffd"), end


codecs.register_error(_PASTED, _instead)


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
    first = _NON_ASCII_WORD.search(body, PRESCANNED_BYTES)
    start = first.start() if first else PRESCANNED_BYTES
    part = body[start : start + DETECTED_BYTES]
    # No half characters: one of them would disprove UTF-8.
    return body[:PRESCANNED_BYTES].rstrip(_NON_ASCII_BYTES) + part.rstrip(_NON_ASCII_BYTES)
