"""What changed between two versions of a page: content, or only what changes of itself.

1  the text is compared block by block; menus, footers and advertisements that are marked as such do not count
2  a line that was replaced by another is left out if the two differ in nothing but a date or time that has passed
   ("as of 5 March"), a time ago, the number of a counter ("1,204 views") or a random token. A date to come is
   content: it may be a deadline. So is any other number: it may be a price. So is one letter of a name.
3  what is left is content, except where the same place of a page had another line at each of its last visits: a
   saying of the day, an advertisement that nobody marked. Which places these are is remembered from visit to visit
   by whoever asks (`Difference.places`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from operator import ne

from turbohtml import Element, Node, Text

from dowse.core.duplicates.fingerprint import checksum
from dowse.core.revisits.differences import Difference
from dowse.extract.dates import day_of, without_dates
from dowse.parse.page import Page

MOST_LINES = 3_000
"""Lines that are compared; longer pages are cut."""

MOST_PAIRS = 100_000
"""Pairs of equal lines that matching looks at. A page that says a few lines a thousand times has too many of them, and
counts as changed from the first line to the last that differ."""

MOST_NOISE = 300
"""Pairs of lines that are looked at for dates, counters and tokens; the others differ."""

LONGEST_NOISE = 500
"""Characters of a line that may differ in nothing but these; a longer one is running text."""

LONGEST_LINE = 2_000
_LONGEST_TEXT = 1_000_000
_LONGEST_ADVERTISEMENT = 400
"""Characters. Some call the whole head of a page its banner, with all that is said there."""
_DAY = 86_400.0

# A number beside one of these words counts something that goes on: visitors, readers, those who are there now.
_COUNTED = frozenset(
    {
        "view", "views", "viewed", "visits", "visitors", "visitor", "hits", "read", "reads", "readers", "online",
        "downloads", "downloaded", "likes", "followers", "subscribers", "counter", "clicks", "times", "queries",
        "seconds", "sec", "ms", "aufrufe", "besucher", "besuche", "zugriffe", "gelesen", "klicks", "vues", "visites",
        "visiteurs", "lectures", "téléchargements", "connectés", "vistas", "visitas", "visitantes", "lecturas",
        "descargas", "visite", "visitatori", "letture", "visualizações", "weergaven", "bezoekers", "просмотров",
        "просмотра", "просмотры", "посетителей", "wyświetleń", "odsłon", "görüntüleme", "okunma", "مشاهدات", "زيارات",
    }
)  # fmt: skip
_COUNTED_UNSPACED = ("閲覧", "回視聴", "浏览", "阅读", "點閱", "조회")
_NO_CONTENT = frozenset(
    {
        "script", "style", "noscript", "template", "iframe", "object", "embed", "button", "select", "input", "textarea",
        "option", "dialog", "canvas", "nav", "footer", "svg", "title", "head",
    }
)  # fmt: skip
_NO_CONTENT_ROLES = frozenset({"navigation", "banner", "contentinfo"})
_ADVERTISED = frozenset(
    {"ad", "ads", "advert", "advertisement", "adsense", "banner", "sponsor", "sponsored", "cookie", "cookies"}
)
_INLINE = frozenset(
    {
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
        "img", "ins", "kbd", "label", "mark", "q", "ruby", "rb", "rt", "s", "samp", "small", "span", "strike", "strong",
        "sub", "sup", "time", "tt", "u", "var", "wbr", "nobr",
    }
)  # fmt: skip
_AGO = re.compile(
    r"\b\d{1,4} ?(?:s|sec|seconds?|min|mins|minutes?|h|hours?|hrs?|d|days?|weeks?|months?|years?) ago\b"
    r"|\b(?:vor|il y a|hace|há) \d{1,4} \w{1,12}"
    r"|\b\d{1,4} \w{1,12} (?:fa|geleden|назад|temu|önce|sedan)\b"
    r"|\d{1,4} ?(?:秒|分|分钟|分鐘|時間|小时|小時|日|天)前"
    r"|\b(?:just now|a moment ago|yesterday|today|gestern|heute|hier|ayer|hoy)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d.,'\u00a0\u202f ]*")
_TOKEN = re.compile(r"(?<![\w-])(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-zA-Z])[\w-]{8,200}(?![\w-])")
_EDITED = 2
_MONEY = re.compile(r"[$€£¥₹₽₩]|\b(?:usd|eur|gbp|chf|jpy|pln|sek|nok|dkk)\b", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]+")
_FEW_WORDS = 9
"""A counter stands for itself: a longer line is a sentence, in which a number is content."""


def content_lines(page: Page) -> list[str]:
    """The lines of a page's content: the text of each paragraph, item and cell, without space around."""
    body = page.tree.find("body") if page.is_html else None
    pieces = _pieces(body) if body is not None else iter(page.text[:_LONGEST_TEXT].splitlines())
    lines = (_SPACE.sub(" ", piece).strip()[:LONGEST_LINE] for piece in pieces)
    return list(islice(filter(None, lines), MOST_LINES))


def _pieces(body: Element) -> Iterator[str]:
    """The text between the borders of blocks."""
    text: list[str] = []
    waiting: list[Node | None] = [body]  # None: a block ends
    while waiting:
        node = waiting.pop()
        if isinstance(node, Text):
            text.append(node.data)
            continue
        is_border = not isinstance(node, Element) or node.tag not in _INLINE
        if is_border and text:
            yield "".join(text)
            text.clear()
        if isinstance(node, Element) and not _is_frame(node):
            if is_border:
                waiting.append(None)
            waiting += reversed(list(node.children))
    yield "".join(text)


def _is_frame(element: Element) -> bool:
    """Whether a part of a page is marked as none of its content."""
    if element.tag in _NO_CONTENT or element.attr("role") in _NO_CONTENT_ROLES:
        return True
    names = f"{element.attr('class') or ''} {element.attr('id') or ''}"
    if len(names) == 1 or _ADVERTISED.isdisjoint(_WORD.findall(names.lower())):
        return False
    return len(element.text) < _LONGEST_ADVERTISEMENT


def compare_pages(before: Page, after: Page) -> Difference:
    """How a page differs from its earlier version."""
    return compare_lines(content_lines(before), content_lines(after), after.language, after.response.fetched_at)


def compare_lines(before: Sequence[str], after: Sequence[str], language: str = "", now: float = 0.0) -> Difference:
    """The same of their lines; `now` is the time of the later one.

    >>> compare_lines(["Read 3 times", "Fish"], ["Read 4 times", "Fish"]), compare_lines(["Fish"], ["Fish", "Nets"])
    (Difference(added=0, removed=0, places=()), Difference(added=1, removed=0, places=()))
    """
    until = latest_day(now)
    added = removed = looked_at = 0
    places: list[int] = []
    for start, end, first, last in changed_runs(before, after):
        if end - start == last - first:
            pairs = [(at, first + at - start) for at in range(start, end)]
            room, looked_at = max(MOST_NOISE - looked_at, 0), looked_at + len(pairs)
            differing = [at for at, to in pairs[:room] if not is_noise(before[at], after[to], language, until)]
            differing += [at for at, _ in pairs[room:]]
            places += [place_in(before, start, at - start) for at in differing]
            added += len(differing)
            removed += len(differing)
        else:
            added += last - first
            removed += end - start
    return Difference(added, removed, tuple(places))


def latest_day(now: float) -> str:
    """The last day that is no date to come at a time; 0 is any time."""
    return day_of(now + _DAY) if now else "9999"


def changed_runs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Where lines differ: from and to in the one, from and to in the other."""
    head = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    inner, outer = before[head : len(before) - tail], after[head : len(after) - tail]
    counts = Counter(inner)
    if sum(counts[line] for line in outer) > MOST_PAIRS:
        yield head, len(before) - tail, head, len(after) - tail
        return
    for kind, start, end, first, last in SequenceMatcher(None, inner, outer, autojunk=False).get_opcodes():
        if kind != "equal":
            yield head + start, head + end, head + first, head + last


def is_noise(before: str, after: str, language: str = "", until: str = "9999") -> bool:
    """Whether two lines differ only in what changes of itself; dates later than `until` are content.

    >>> is_noise("Stand: 3.3.2024", "Stand: 4.3.2024"), is_noise("Price: 10 EUR", "Price: 12 EUR")
    (True, False)
    """
    if max(len(before), len(after)) > LONGEST_NOISE:
        return False
    (one, tokens), (other, others) = (_lasting(line, language, until) for line in (before, after))
    return one == other and not any(map(_is_edit, tokens, others))


def _is_edit(before: str, after: str) -> bool:
    """Whether a name (`sqlite3_open`) differs in a letter or two. Of random tokens nearly all letters are others."""
    return before != after and len(before) == len(after) and sum(map(ne, before, after)) <= _EDITED


def _lasting(line: str, language: str, until: str) -> tuple[str, list[str]]:
    """A line without what changes of itself, and what in it may be random tokens."""
    line = _AGO.sub("", without_dates(line, language, until))
    if _is_counter(line):
        line = _NUMBER.sub("#", line)
    return _SPACE.sub(" ", _TOKEN.sub("#", line)).strip(), _TOKEN.findall(line)


def _is_counter(line: str) -> bool:
    words = _WORD.findall(line.lower())
    if len(words) > _FEW_WORDS or _MONEY.search(line):
        return False
    return not _COUNTED.isdisjoint(words) or any(word in line for word in _COUNTED_UNSPACED)


def place_in(lines: Sequence[str], start: int, offset: int) -> int:
    """A place by the line before the run that changed, for that did not change, and how far behind it."""
    anchor = lines[start - 1] if start else ""
    return checksum(f"{offset}\n{anchor}".encode("utf-8", "replace"))
