"""Changes as Markdown, for mail and chat: what went is struck out, what came is bold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO
from urllib.parse import quote

from dowse.core.phrasing import counted, printable, shortened
from dowse.core.revisits.changes import KINDS, AboutChanges, Change, Piece
from dowse.export.change_faces.change_words import field_rows, heading, short_pieces
from dowse.export.pages.page_heads import moment, subject

MOST_PASSAGES = 20

# All that Markdown, or HTML within it, would take for more than a character.
_MARKS = re.compile(r"([\\`*_{}\[\]<>#+!|~&-])")
_HEADINGS = {
    "added": "Added", "changed": "Changed", "removed": "Removed", "moved": "Moved", "unreachable": "Not reachable",
}  # fmt: skip


def write_mail(about: AboutChanges, changes: Iterable[Change], stream: TextIO) -> int:
    """Write them by kind; the answer is how many there are."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.kind, []).append(change)
    total = sum(map(len, found.values()))
    since = f" since {moment(about.since)}" if about.since else ""
    stream.write(f"# What changed on {_plain(subject(about.seeds, about.name))}\n\n")
    stream.write(f"{counted(total, 'change')}{since}.\n" if total else f"Nothing changed{since}.\n")
    for kind in KINDS:
        if kind in found:
            stream.write(f"\n## {_HEADINGS[kind]} ({len(found[kind]):,})\n")
            for change in found[kind]:
                stream.write("\n" + "\n".join(_item(change)) + "\n")
    return total


def _item(change: Change) -> Iterator[str]:
    what = "" if change.what == "page" else f"{change.what}, "
    yield f"- [{_plain(shortened(heading(change), 200))}](<{_address(change.url)}>), {what}{moment(change.at)}"
    if change.kind == "moved" and isinstance(change.after, str):
        yield f"  - now at <{_address(change.after)}>"
        return
    for name, before, after in field_rows(change):
        sides = (f"~~{_plain(before)}~~" if before else "", f"**{_plain(after)}**" if after else "")
        yield f"  - {_plain(name)}: {' '.join(filter(None, sides))}"
    for passage in change.passages[:MOST_PASSAGES]:
        yield "  - " + "".join(map(_marked, short_pieces(passage.pieces)))
    if len(change.passages) > MOST_PASSAGES:
        yield f"  - and {counted(len(change.passages) - MOST_PASSAGES, 'more line')}"
    if change.lack:
        yield f"  - {_plain(change.lack)}"


def _marked(piece: Piece) -> str:
    text = _plain(piece.text)
    inner = text.strip()
    if piece.kind == "same" or not inner:
        return text
    mark = "~~" if piece.kind == "removed" else "**"
    start = text.index(inner)  # marks hold only next to letters
    return f"{text[:start]}{mark}{inner}{mark}{text[start + len(inner) :]}"


def _plain(text: str) -> str:
    return _MARKS.sub(r"\\\1", printable(text))


def _address(url: str) -> str:
    return quote(printable(url), safe="!$%&'()*+,/:;=?@[]#~")
