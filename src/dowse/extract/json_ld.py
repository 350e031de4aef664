"""JSON-LD blocks as pages have them: mostly JSON, else JSON with the mistakes that people make.

Forgiven are comments around and in it, `<![CDATA[`, commas before a closing bracket, a semicolon at the end, and line
breaks and tabs in strings. What is beyond that is passed over, block by block: one bad block does not hide the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

import msgspec
import regex

from dowse.parse.page import Page

LONGEST_BLOCK = 1_000_000
MOST_BLOCKS = 200

_TYPE = "application/ld+json"
# Strings are matched first, so that nothing in them is taken for a comment or a comma.
_SLIP = regex.compile(
    r"""("(?:[^"\\]|\\.)*+"?) | /\*(?:.*?\*/|.*+) | <!--|--> | (?://\s*+)?<!\[CDATA\[ | (?://\s*+)?\]\]> | //[^\n]*+ """
    r"""| ,(?=\s*+[}\]]) | ;\s*+$""",
    regex.VERBOSE | regex.DOTALL,
)
_decode = msgspec.json.Decoder().decode


def read_json_ld(page: Page) -> Iterator[dict[str, Any]]:
    """The nodes of a page's blocks, those of an array or an @graph one by one."""
    blocks = 0
    for script in page.tree.find_all("script"):
        if (script.attr("type") or "").partition(";")[0].strip().lower() != _TYPE:
            continue
        blocks += 1
        if blocks > MOST_BLOCKS:
            return
        text = script.text
        if len(text) <= LONGEST_BLOCK:
            yield from _nodes(decode_json(text))


def decode_json(text: str) -> Any:
    """The value of a JSON text, mended if need be; None if it cannot be."""
    try:
        return _decode(text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        pass
    mended = _SLIP.sub(r"\1", text).strip()
    try:
        return json.loads(mended, strict=False, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for part in value:
            if isinstance(part, dict):
                yield from _nodes(part)
    elif isinstance(value, dict):
        graph = value.get("@graph")
        if isinstance(graph, (list, dict)) and "@type" not in value:
            yield from (node for node in (graph if isinstance(graph, list) else [graph]) if isinstance(node, dict))
        else:
            yield value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
