"""Changes as an Atom feed (RFC 4287), so that a feed reader can follow a crawl.

Ids are made of the crawl and the change, so a change has the same one however often the feed is written, and wherever.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TextIO
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from dowse.core.phrasing import printable, shortened
from dowse.core.revisits.changes import AboutChanges, Change
from dowse.export.change_faces.change_words import field_rows, heading, short_pieces
from dowse.export.pages.page_heads import standard_time, subject
from dowse.export.pages.templates import is_web, render
from dowse.version import VERSION

MOST_ENTRIES = 500
"""The latest; a feed reader asks again and again."""

MOST_PASSAGES = 20

_ATOM = "http://www.w3.org/2005/Atom"


def write_feed(about: AboutChanges, changes: Iterable[Change], stream: TextIO) -> int:
    """Write the latest changes, the last one first; the answer is how many there are in the feed."""
    latest = deque(changes, maxlen=MOST_ENTRIES)
    crawl = uuid5(NAMESPACE_URL, f"{about.seeds[0] if about.seeds else about.name} {about.begun}")
    feed = Element("feed", {"xmlns": _ATOM})
    _add(feed, "id", f"urn:uuid:{crawl}")
    _add(feed, "title", f"What changed on {subject(about.seeds, about.name)}")
    _add(feed, "updated", standard_time(latest[-1].at if latest else about.begun))
    _add(SubElement(feed, "author"), "name", "dowse")
    SubElement(feed, "generator", {"version": VERSION}).text = "dowse"
    if about.seeds and is_web(about.seeds[0]):
        SubElement(feed, "link", {"rel": "alternate", "href": printable(about.seeds[0])})
    for change in reversed(latest):
        feed.append(_entry(crawl, change))
    indent(feed)
    stream.write('<?xml version="1.0" encoding="utf-8"?>\n')
    ElementTree(feed).write(stream, encoding="unicode")
    stream.write("\n")
    return len(latest)


def _entry(crawl: UUID, change: Change) -> Element:
    entry = Element("entry")
    _add(entry, "id", f"urn:uuid:{uuid5(crawl, f'{change.number} {change.at}')}")
    what = "" if change.what == "page" else f" {change.what}"
    _add(entry, "title", f"{change.kind}{what}: {shortened(heading(change), 200)}")
    _add(entry, "updated", standard_time(change.at))
    if is_web(change.url):
        SubElement(entry, "link", {"rel": "alternate", "href": printable(change.url)})
    SubElement(entry, "category", {"term": change.kind})
    SubElement(entry, "category", {"term": change.what})
    content = SubElement(entry, "content", {"type": "html"})
    content.text = _content(change)
    return entry


def _content(change: Change) -> str:
    """HTML, in which every text that was crawled is escaped."""
    words = {"field_rows": field_rows, "short_pieces": short_pieces, "most_passages": MOST_PASSAGES}
    return render("feed_entry.html", change=change, **words)


def _add(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = printable(text)
