"""XML with the mistakes that people make, mended piece by piece, so that one of them does not end the file.

?a=1&b=2            the most common one: an address put there as it is
\\x0b  &#11;  U+FFFE  characters that XML does not allow are left out
"""

from __future__ import annotations

import re

_CONTROL = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
_NO_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_NUMBER = re.compile(r"&#(?:x([0-9a-fA-F]++)|(\d++));")
_BARE_AMPERSAND = re.compile(r"&(?!(?:#\d+|#x[0-9a-fA-F]+|[A-Za-z]\w*);)")
_UNFINISHED_ENTITY = re.compile(r"&#?\w{0,30}\Z")


class XmlMender:
    """Takes a text in pieces of any size; an entity that may go on in the next piece waits for it."""

    def __init__(self) -> None:
        self._entity = ""

    def mend(self, text: str) -> bytes:
        text = self._entity + text
        self._entity = ""
        if "&" in text:
            unfinished = _UNFINISHED_ENTITY.search(text, max(0, len(text) - 32))
            if unfinished:
                self._entity = unfinished[0]
                text = text[: unfinished.start()]
            text = _entities(text)
        octets = text.encode().translate(None, _CONTROL)
        for no_character in _NO_CHARACTERS if b"\xef\xbf" in octets else ():
            octets = octets.replace(no_character, b"")
        return octets

    def rest(self) -> bytes:
        """What was waiting when the text had ended."""
        return _entities(self._entity).encode()


def _entities(text: str) -> str:
    if "&#" in text:
        text = _NUMBER.sub(_character, text)
    return _BARE_AMPERSAND.sub("&amp;", text)


def _character(reference: re.Match[str]) -> str:
    """A reference to a character; nothing if there is no such character in XML."""
    digits = (reference[1] or reference[2]).lstrip("0")[:12] or "0"
    code = int(digits, 16 if reference[1] else 10)
    is_character = code in (0x09, 0x0A, 0x0D) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD
    return reference[0] if is_character or 0x10000 <= code <= 0x10FFFF else ""
