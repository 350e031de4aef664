"""Changes as one HTML page, complete in itself: differences in colour, side by side where there is room, and filters.

The page loads nothing. Its policy lets through the one style sheet and the one script by their checksums, so nothing
that a crawled page put into its text can run. The script only hides what the reader does not want to see; without it
everything is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import islice
from typing import TextIO
from xml.etree.ElementTree import Element

from dowse.core.changes import KINDS, AboutChanges, Change, Passage, Piece
from dowse.core.phrasing import counted
from dowse.export.change_faces.change_words import field_rows, heading, short_pieces, standard_time
from dowse.export.document_heads import document_head, moment, subject
from dowse.export.report.markup import LONGEST_TEXT, element, link, number, write_document
from dowse.version import VERSION

MOST_CHANGES = 2_000
"""Changes that are shown; a page with more would not open any more. The other formats have them all."""

MOST_PASSAGES = 60


def write_page(about: AboutChanges, changes: Iterable[Change], stream: TextIO) -> int:
    """Write the page; the answer is how many changes are in it."""
    waiting = iter(changes)
    shown = list(islice(waiting, MOST_CHANGES))
    more = sum(1 for _ in waiting)
    shown.sort(key=lambda change: -change.number)
    main = element("main", {"id": "changes"}, *map(_article, shown))
    if not shown:
        main.append(element("p", {"class": "note"}, "Nothing changed."))
    body = element("body", None, _heading(about, shown, more), _filters(shown), main, _footer(about))
    script = element("script")
    script.text = _part("changes.js")
    body.append(script)
    write_document(element("html", {"lang": "en"}, _head(about), body), stream)
    return len(shown)


def _part(name: str) -> str:
    return files("dowse.export.change_faces").joinpath(name).read_text(encoding="utf-8")


def _head(about: AboutChanges) -> Element:
    title = f"{subject(about.seeds, about.name)}: what changed"
    return document_head(title, _part("changes.css"), _part("changes.js"))


def _heading(about: AboutChanges, shown: Sequence[Change], more: int) -> Element:
    made = element("header", None, element("h1", None, f"What changed on {subject(about.seeds, about.name)}"))
    if shown:
        first, last = shown[-1].at, shown[0].at
        span = f"From {moment(about.since or first)} to {moment(last)}. "
    else:
        span = f"Since {moment(about.since)}. " if about.since else ""
    lost = f" The first {number(len(shown))} are here, {number(more)} more in the other formats." if more else ""
    made.append(element("p", {"class": "lead"}, f"{span}The crawl has {counted(about.pages, 'page')}.{lost}"))
    counts = Counter(change.kind for change in shown)
    tiles = element("dl", {"class": "tiles"})
    for kind in KINDS:
        if counts[kind]:
            name = element("dt", None, kind)
            tiles.append(element("div", {"class": kind}, name, element("dd", None, number(counts[kind]))))
    made.append(tiles)
    return made


def _filters(shown: Sequence[Change]) -> Element:
    """Boxes for what there is of each. The script takes away `hidden`: without it they would do nothing."""
    made = element("form", {"id": "filters", "hidden": "hidden"})
    for name, values in (("kind", KINDS), ("what", sorted({change.what for change in shown}))):
        there = [value for value in values if any(getattr(change, name) == value for change in shown)]
        if len(there) < 2:
            continue
        group = element("fieldset", None, element("legend", None, name))
        for value in there:
            box = element("input", {"type": "checkbox", "name": name, "value": value, "checked": "checked"})
            group.append(element("label", None, box, f" {value}"))
        made.append(group)
    entry = element("input", {"type": "search", "id": "sought", "placeholder": "words in title, address or text"})
    made.append(element("label", {"class": "sought"}, element("span", None, "with "), entry))
    made.append(element("output", {"id": "shown"}, ""))
    return made


def _article(change: Change) -> Element:
    when = element("time", {"datetime": standard_time(change.at)}, moment(change.at))
    line = element("p", {"class": "facts"}, element("span", {"class": "kind"}, change.kind), f" {change.what}, ", when)
    title = element("h2", None, link(change.url, heading(change), 200))
    address = element("p", {"class": "address"}, change.url) if change.title else None
    attributes: dict[str, object] = {
        "class": f"change {change.kind}",
        "data-kind": change.kind,
        "data-what": change.what,
    }
    return element("article", attributes, line, title, address, *_details(change))


def _details(change: Change) -> Iterable[Element]:
    if change.kind == "moved" and isinstance(change.after, str):
        yield element("p", {"class": "target"}, "now at ", link(change.after))
    elif rows := list(field_rows(change)):
        yield _table("fields", [_field(*row) for row in rows])
    if change.passages:
        yield _table("passages", [_passage(each) for each in change.passages[:MOST_PASSAGES]])
    if len(change.passages) > MOST_PASSAGES:
        yield element("p", {"class": "note"}, f"and {counted(len(change.passages) - MOST_PASSAGES, 'more line')}")
    if change.lack:
        yield element("p", {"class": "note"}, f"The text cannot be shown: {change.lack}.")


def _table(kind: str, rows: Sequence[Element]) -> Element:
    return element("div", {"class": kind}, *rows)


def _field(name: str, before: str, after: str) -> Element:
    old = element("div", {"class": "before"}, element("del", None, *_chunks(before)) if before else None)
    new = element("div", {"class": "after"}, element("ins", None, *_chunks(after)) if after else None)
    return element("div", {"class": "row"}, element("div", {"class": "name"}, name), old, new)


def _passage(passage: Passage) -> Element:
    pieces = list(short_pieces(passage.pieces))
    sides = [_side(pieces, "removed", "del", "before"), _side(pieces, "added", "ins", "after")]
    return element("div", {"class": "row"}, *sides)


def _side(pieces: Sequence[Piece], kind: str, tag: str, name: str) -> Element:
    """One version of a line, with what the other has not."""
    parts: list[Element | str] = []
    if any(piece.kind == kind for piece in pieces) or any(piece.kind == "same" for piece in pieces):
        for piece in pieces:
            if piece.kind == kind:
                parts.append(element(tag, None, *_chunks(piece.text)))
            elif piece.kind == "same":
                parts += _chunks(piece.text)
    return element("div", {"class": name}, *parts)


def _chunks(text: str) -> list[str]:
    """A text in parts that are not cut."""
    return [text[start : start + LONGEST_TEXT] for start in range(0, len(text), LONGEST_TEXT)]


def _footer(about: AboutChanges) -> Element:
    text = f"Written by dowse {VERSION} on {moment(about.written_at)} from the crawl {about.name}."
    return element("footer", None, f"{text} This page loads nothing from elsewhere.")
