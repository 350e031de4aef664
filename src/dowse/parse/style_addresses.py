"""The addresses in a style sheet: of images and fonts, and of the sheets that it imports.

Strings and comments are passed over, so that `content: "url(x)"` is no address; so is the name of a namespace.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Change = Callable[[str], str | None]
"""Is told an address as it is meant, and answers with another, or None if it stays."""

_STRING = r"""(?:"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')"""
_URL = rf"\burl\(\s*+(?P<url>{_STRING}|(?:[^\s\"'()\\]|\\[0-9a-f]{{1,6}}\s?|\\.)*+)\s*+\)"
_PART = re.compile(
    r"/\*.*?(?:\*/|\Z)"
    r"|@namespace[^;]*+;?"
    rf"|@import\s*+(?P<sheet>{_STRING})"
    rf"|{_URL}"
    rf"|\bimage-set\((?P<images>(?:[^()\"']|\([^()]*+\)|{_STRING})*+)\)"
    rf"|{_STRING}",
    re.IGNORECASE | re.DOTALL,
)
_IMAGE = re.compile(rf"\btype\([^()]*+\)|{_URL}|(?P<image>{_STRING})", re.IGNORECASE | re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(\n)|(.))", re.DOTALL)


def change_style(text: str, change: Change) -> str:
    """The same style sheet with other addresses.

    >>> change_style('a { background: url(old.png) } @import "b.css";', {"old.png": "new.png"}.get)
    'a { background: url("new.png") } @import "b.css";'
    """

    def one_image(found: re.Match[str]) -> str:
        return _replaced(found, "url", change) or _replaced(found, "image", change) or found[0]

    def one_part(found: re.Match[str]) -> str:
        if images := found["images"]:
            start = found.start("images") - found.start()
            return f"{found[0][:start]}{_IMAGE.sub(one_image, images)})"
        return _replaced(found, "url", change) or _replaced(found, "sheet", change) or found[0]

    return _PART.sub(one_part, text)


def _replaced(found: re.Match[str], name: str, change: Change) -> str:
    """What is found with another address; "" if it stays."""
    written = found[name]
    if not written:
        return ""
    meant = _ESCAPE.sub(_unescaped, written[1:-1] if written[0] in "\"'" else written).strip()
    new = change(meant) if meant else None
    if new is None:
        return ""
    start, end = found.start(name) - found.start(), found.end(name) - found.start()
    return f"{found[0][:start]}{_quoted(new)}{found[0][end:]}"


def _unescaped(escape: re.Match[str]) -> str:
    code, line_end, character = escape.groups()
    if code is None:
        return "" if line_end else str(character)
    number = int(code, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def _quoted(url: str) -> str:
    return '"' + url.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ") + '"'
