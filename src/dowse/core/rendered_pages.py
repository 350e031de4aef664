"""How one knows that a page was rendered, and how; and its states, which travel in its body.

A rendered body is the document, what its other states showed (hidden, for links and text), and the documents of these
states, as JSON in a script that no browser runs:

    <!doctype html><html>...</html> <section hidden ...> <script type="application/json" data-states>[...]</script>

The header says where the second and the third part begin, for those who take fields from each document as it stood.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec import Struct

RENDERED = "x-crawl-rendered"
"""The header that a rendered answer has besides those of its server: which browser, and whether it was cut off."""

STATES = "x-crawl-states"
"""The header of one whose page was taken through states: the lengths of the document, and of it with what is hidden."""

WRITTEN = "x-crawl-charset"
"""The header of one that was sent in another charset than UTF-8: the queries of its links are written in that."""

_BEFORE, _AFTER = b'<script type="application/json" data-states>', b"</script>"


class Written(NamedTuple):
    """A document for a browser: its bytes, the charset to read them in, and the one it was said to be written in."""

    body: bytes
    charset: str
    declared: str


class State(Struct, frozen=True):
    """A state of a page: the acts that lead there from the page as it is at first, and the links first seen in it."""

    path: tuple[str, ...]
    links: tuple[str, ...] = ()


class StateDocument(Struct, frozen=True):
    """A state as it stood, and the acts that led to it."""

    path: str
    html: str


class Rendered(Struct, frozen=True):
    """How a page was rendered: by which browser, in how many seconds, and whether its time ran out.

    `links` and `text` are what that added to the page as it was sent, in links and characters; None if nobody compared.
    `states` are those the page was taken through before it was read. `met` and `missed` are the steps and conditions
    that the page did and did not have anything for. `notices` are what the user should know of it. `declared` is the
    charset that the page was sent with, as it is spelled; "" if only a meta tag names one, which is still there.
    """

    browser: str
    elapsed: float
    cut: bool = False
    links: int | None = None
    text: int | None = None
    states: tuple[State, ...] = ()
    met: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    declared: str = ""


def ready_name(selector: str) -> str:
    """What the condition is called by which a page is ready, among its steps."""
    return f"ready {selector}"


def pack_states(document: str, hidden: str, states: tuple[StateDocument, ...]) -> tuple[bytes, str]:
    """The body of a rendered page and the value of its header, "" if it needs none."""
    # A lone half of a surrogate pair is no character, and cannot be written.
    parts = [document.encode("utf-8", "replace"), hidden.encode("utf-8", "replace")]
    if not hidden and not states:
        return parts[0], ""
    lengths = f"{len(parts[0])} {len(parts[0]) + len(parts[1])}"
    if states:
        plain = [StateDocument(_written(state.path), _written(state.html)) for state in states]
        parts += [_BEFORE, msgspec.json.encode(plain).replace(b"<", b"\\u003c"), _AFTER]
    return b"".join(parts), lengths


def unpack_states(headers: Mapping[str, str], body: bytes) -> tuple[bytes, list[StateDocument]]:
    """The document of a page alone, and its other states. A body that is no longer whole is one document."""
    lengths = headers.get(STATES, "").split()
    if len(lengths) != 2 or not all(length.isdecimal() for length in lengths):
        return body, []
    first, second = map(int, lengths)
    packed = body[second:]
    if not first <= second <= len(body) or not packed.startswith(_BEFORE):
        return body[:first], []
    try:
        return body[:first], msgspec.json.decode(packed[len(_BEFORE) : -len(_AFTER)], type=list[StateDocument])
    except msgspec.DecodeError:
        return body[:first], []


def _written(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
