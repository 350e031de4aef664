"""Numbers and foreign texts in words, as a terminal and a report show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import groupby

# C0 and C1 controls, and the marks that turn the direction of writing: a page's title must not steer the terminal.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")


def printable(text: str) -> str:
    """A text from the web without what would steer the terminal or turn the text around it."""
    return UNSAFE.sub(" ", text)


def shortened(text: str, width: int) -> str:
    """The text cut to a width, with a mark that it was."""
    return text if len(text) <= width else text[: width - 1] + "…"


def shortened_url(url: str, width: int) -> str:
    """A URL cut in the middle: its host and its end tell most.

    >>> shortened_url("https://www.example.com/a/long/way/to/page.html", 30)
    'https://www.ex…ay/to/page.html'
    """
    if len(url) <= width:
        return url
    tail = width // 2
    return f"{url[: width - tail - 1]}…{url[-tail:]}"


def counted(count: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> counted(1, "page"), counted(2_000, "page"), counted(3, "copy", "copies")
    ('1 page', '2,000 pages', '3 copies')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def run_text(words: Iterable[str], between: str = ", ") -> str:
    """Texts in a row; the same again and again is written once.

    >>> run_text(["click .next", "click .next", "click .more"])
    'click .next x 2, click .more'
    """
    groups = [(word, sum(1 for _ in same)) for word, same in groupby(words)]
    return between.join(word if times == 1 else f"{word} x {times}" for word, times in groups)


def size_text(size: float) -> str:
    """Bytes in the unit that keeps the number short: 140.2 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def duration_text(seconds: float) -> str:
    """A length of time: 0:12, 3:05, 1:02:03."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def span_text(seconds: float) -> str:
    """A length of time in prose: 0.4 ms, 38 ms, 1.2 s, 2 min 11 s, 3 h 20 min, 2 days 3 h."""
    if seconds < 59.5:
        value, unit = (seconds * 1000, "ms") if seconds < 0.9995 else (seconds, "s")
        digits = f"{value:.1f}".removesuffix(".0") if value < 9.95 else f"{value:.0f}"
        return f"{digits} {unit}"
    days, rest = divmod(round(seconds), 86400)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    parts = ((days, "day" if days == 1 else "days"), (hours, "h"), (minutes, "min"), (rest, "s"))
    first = next(place for place, (number, _) in enumerate(parts) if number)
    return " ".join(f"{number} {unit}" for number, unit in parts[first : first + 2] if number)


def share_text(part: float, whole: float) -> str:
    """A part in per cent that is never rounded to nothing or to all: under 1 %, 37 %, over 99 %."""
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 1:
        return "under 1 %"
    if 99 < share < 100:
        return "over 99 %"
    return f"{share:.0f} %"


def state_text(state: str) -> str:
    """A state's name as words: out of scope, refused by robots, under way."""
    return {"robots": "refused by robots", "out": "under way"}.get(state) or state.replace("_", " ")


def options_by_name(text: str) -> str:
    """A text about options of the command line, with the names that they have everywhere else.

    >>> options_by_name("Given in words (--topic), or as --max-pages 5.")
    'Given in words (topic), or as max_pages 5.'
    """
    return _OPTION.sub(lambda option: option[1].replace("-", "_"), text)


def meant(name: str, known: Sequence[str]) -> str:
    """What a name that is not known may have been, to be put behind a message.

    >>> meant("pagess", ["links", "pages"]), meant("x", ["pages"])
    ('; did you mean pages?', '')
    """
    return "".join(f"; did you mean {near}?" for near in get_close_matches(name, known, n=1))
