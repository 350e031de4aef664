"""Traps: corners of sites that make up new URLs for ever, and how a crawl gets out of each.

    ever-growing paths      is_repeated_path    /a/b/a/b/a/b
                            Families            /a/b/c/a, /b/a/c/a, ...: the same names in ever new arrangements
    calendars               next_chain          pages of one shape that lead only to each other
    facets                  Families            one path under ever new combinations of parameters or of their values
    sort links              Families            the same parameters in ever new orders
    session ids in paths    Families            one path behind ever new tokens (if the URL key has not dropped them)
    session ids             Families            ids that the URL key takes for names or numbers, where most are dropped
    endless sitemaps        core/sitemap_turns.py       lists of lists of lists, or more of them than anybody needs
    counters of pages       engine/paging_series.py     a last page that every further number shows again (--paging)

What these do not end is a maze that branches at every step into pages that look like any site's. For that the depth,
the pages of a host and the pages of the crawl have limits of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote

from dowse.core.job import ScopeOptions
from dowse.core.model import Request
from dowse.core.sitemap_turns import TOO_DEEP, TOO_MANY
from dowse.core.task_labels import PAGING_ENDED, PAGING_FIRST, PAGING_TOO_LONG

SESSION_PARAMETER = "trap: session parameter"
NESTED = "trap: nested requisites"

# The refusals that depend on what was seen before, and so cannot be worked out again from the URL alone.
MEMORY_TRAPS = (
    "trap: chain", "trap: session in path", SESSION_PARAMETER, "trap: repeated path", "trap: parameter sets",
    "trap: parameter order", "trap: parameter combinations", TOO_MANY, TOO_DEEP, NESTED,
    PAGING_ENDED, PAGING_FIRST, PAGING_TOO_LONG,
)  # fmt: skip

# How many orders of the same parameters, and how many session ids before or behind the same path, may still be chance.
ORDERS = 3
SESSIONS = 8

# How many paths with a long token may be found on pages of their own shape that had nothing else new. A history of
# commits looks like that too, but is also listed elsewhere, and what is found there is let in.
INBRED = 256

# How many paths may be made of the same segments when one of them comes twice.
ARRANGEMENTS = 16

# How many values a parameter may have and still be a choice among a few, such as an order or a colour.
CHOICES = 16

# What `Families` remembers: at least this many of the latest combinations, orders and ids, at most twice as many.
REMEMBERED = 50_000

_UUID = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
# Letters and digits mixed: neither a word nor a number.
_MIXED = "(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[0-9A-Za-z]{16,}"
_TOKEN = re.compile(f"(?<![0-9A-Za-z%])(?:{_UUID}|{_MIXED})(?![0-9A-Za-z])")
# What session ids are written in: hexadecimal, base64 or base64url, with or without dots and commas. A path is none.
_ID_LETTERS = re.compile("(?!/)[0-9A-Za-z_.,~+/=-]{8,}")
# What neither words nor numbers have, be they joined (`a-story-about-2026`) or counted (`section12`).
_LETTER_AFTER_DIGIT = re.compile("[0-9][A-Za-z]")
_WHOLE_TOKEN = re.compile(_MIXED)
# A shorter value is a choice or a number, and there are not many of those.
_LONG_VALUE = 8
_DIGITS = re.compile("[0-9]+")
_DIGITS_NOT_ESCAPES = re.compile("(?<!%)(?<!%[0-9A-Fa-f])[0-9]+")

# Where a token in a path is a session id; elsewhere it may as well be a commit or a product.
_SESSION = re.compile(
    # it stands before the whole site
    f"^/({_UUID}|{_MIXED})(?=/.)"
    # it follows a name that may say so
    f"|/(?:s|session)[/=~-]({_UUID}|{_MIXED})(?=/)"
    # it follows a name that surely says so
    "|/(?:sid|sess|sessid|sessionid|session_id|jsessionid|phpsessid)[/=~-]((?=[A-Za-z-]*[0-9])[0-9A-Za-z-]{8,})(?=/|$)",
    re.IGNORECASE,
)


def is_session_id(text: str) -> bool:
    """Whether the value of a parameter looks made up by a program. Neither a number nor a slug nor a counted word does.

    Of random ids of ten hexadecimal digits 2 in 100 do not look it either; `Families` sees to those.
    """
    if _ID_LETTERS.fullmatch(text) is None:
        return False
    return _LETTER_AFTER_DIGIT.search(text) is not None or _WHOLE_TOKEN.fullmatch(text) is not None


def without_tokens(text: str) -> str:
    """A text with a star for each of its words that looks made up by a program."""
    return _TOKEN.sub("*", text)


def shape(url: str) -> str:
    """What two URLs of one template have in common: numbers, tokens and the values of parameters left out.

    `https://example.org/d/2024/07?b=1&a=2` is of the shape `example.org/d/#/#?a&b`.
    """
    place, _, query = url.partition("://")[2].partition("?")
    host, _, path = place.partition("/")
    if query:
        names = {parameter.partition("=")[0] for parameter in query.split("&")}
        path = f"{path}?{'&'.join(sorted(names))}"
    if _DIGITS.search(path):
        digits = _DIGITS_NOT_ESCAPES if "%" in path else _DIGITS
        path = digits.sub("#", _TOKEN.sub("*", path))
    return f"{host}/{path}"


def next_chain(parent_chain: int, same_shape: bool, parent_brought_news: bool) -> int:
    """How many pages in a row, up to a new URL, were found on a page of their own shape that had nothing else new.

    `same_shape`: the URL is of its parent's shape. `parent_brought_news`: the parent led to at least one URL of
    another shape that the crawl did not know.

    Invariant: a walk in which no page brings news has chain n after n steps, so a calendar, left alone by a limit on
    the chain, ends that many pages after the last month that had anything in it. A walk in which every page brings
    news has chain 0 for ever, so pagination that keeps listing new pages never ends by it, however long it is.

    It says something of a walk and not of a URL: the same URL may be found by a shorter chain later.
    """
    return parent_chain + 1 if same_shape and not parent_brought_news else 0


def is_repeated_path(path: str, most: int) -> bool:
    """Whether a segment comes again more than `most` times, or a sequence of segments again and again in a row.

    A sequence is less likely than a single segment to come again by chance: it may do so `most` - 2 times, and once.
    """
    segments = path.strip("/").split("/")
    if len(segments) - len(set(segments)) <= most:
        return False
    if max(Counter(segments).values()) > most + 1:
        return True
    times = max(1, most - 2) + 2
    return any(_comes_in_a_row(segments, length, times) for length in range(2, len(segments) // times + 1))


def _comes_in_a_row(segments: list[str], length: int, times: int) -> bool:
    """Whether a sequence of that length stands somewhere that many times in a row."""
    run = 0
    for before, segment in zip(segments, segments[length:], strict=False):
        run = run + 1 if before == segment else 0
        if run == length * (times - 1):
            return True
    return False


class Families:
    """Remembers what one path was seen with, and refuses what goes beyond it. To ask is to tell.

    Its answer depends on what was asked before, but asking for the same URL again changes nothing: what was let in
    once is let in again as long as it is remembered.

    Memory is bounded by REMEMBERED, about 20 MB. What was not asked about for so long is forgotten, so a trap that
    is spread over more URLs than that gets its allowance anew.
    """

    def __init__(self, options: ScopeOptions) -> None:
        self._parameter_sets = options.parameter_sets
        self._combinations = options.parameter_combinations
        self._seen = _DistinctValues()
        self._sessions: set[tuple[str, str]] = set()  # hosts and names of parameters that session ids were dropped of

    def know_session(self, host: str, name: str) -> None:
        """A parameter of a host held a session id, which was dropped."""
        self._sessions.add((host, name))

    def forget_session(self, host: str, name: str) -> None:
        """It was none."""
        self._sessions.discard((host, name))

    def refuse(self, request: Request, inbred: bool = False) -> str:
        """The name of the trap that a new URL belongs to, or "".

        `inbred`: it was found on a page of its own shape that had nothing else new.
        """
        place, _, query = request.normal_form.partition("#")[0].partition("?")
        start = place.find("/", 8)
        return (
            self._refuse_session(place, place[start:], inbred)
            or self._refuse_segments(place[:start], place[start + 1 :].split("/"))
            or (self._refuse_query(place, query.split("&")) if query else "")
            or (self._refuse_parameter(place, query.split("&")) if query and self._sessions else "")
        )

    def _refuse_session(self, place: str, path: str, inbred: bool) -> str:
        session = _SESSION.search(path)
        if session:
            token = session[session.lastindex or 0]
            if not self._seen.admit(hash(("session", place.replace(token, "*"))), hash(token), SESSIONS):
                return "trap: session in path"
        if not (inbred and _TOKEN.search(path)):
            return ""
        return "" if self._seen.admit(hash(("inbred", shape(place))), hash(place), INBRED) else "trap: session in path"

    def _refuse_parameter(self, place: str, parameters: list[str]) -> str:
        """An id that looks like a name or a number, of a parameter that holds session ids on that host."""
        host = place.partition("://")[2].partition("/")[0]
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if len(value) < _LONG_VALUE or (host, name.lower()) not in self._sessions:
                continue
            if is_session_id(unquote(value)):
                continue  # one that looks it is in a key only to be compared with others; see core/url_spellings.py
            if not self._seen.admit(hash(("session", place, name)), hash(value), SESSIONS):
                return SESSION_PARAMETER
        return ""

    def _refuse_segments(self, origin: str, segments: list[str]) -> str:
        """Relative links that pile up make many paths of few names, each name again and again."""
        names = frozenset(segments)
        if len(names) == len(segments):
            return ""
        if self._seen.admit(hash(("segments", origin, names)), hash(tuple(segments)), ARRANGEMENTS):
            return ""
        return "trap: repeated path"

    def _refuse_query(self, place: str, parameters: list[str]) -> str:
        names = frozenset([parameter.partition("=")[0] for parameter in parameters])
        if not self._seen.admit(hash(("names", place)), hash(names), self._parameter_sets):
            return "trap: parameter sets"
        if len(parameters) == 1:
            return ""
        if not self._seen.admit(hash((place, *sorted(parameters))), hash(tuple(parameters)), ORDERS):
            return "trap: parameter order"
        if self._is_free(place, parameters):
            return ""
        is_new = self._seen.admit(hash(("choices", place)), hash(frozenset(parameters)), self._combinations)
        return "" if is_new else "trap: parameter combinations"

    def _is_free(self, place: str, parameters: list[str]) -> bool:
        """Whether one of the parameters has so many values that it must be a name or a number, not a choice."""
        free = False
        for name, _, value in (parameter.partition("=") for parameter in parameters):
            free |= not self._seen.admit(hash(("values", place, name)), hash(value), CHOICES)
        return free


class _DistinctValues:
    """Which different values each key came with, up to a number of them.

    Two generations: what is asked for moves to the young one, and when that is full the old one is dropped. Values are
    64-bit hashes, so a mistake would take some billions of them.
    """

    def __init__(self) -> None:
        self._young: dict[int, tuple[int, ...]] = {}
        self._old: dict[int, tuple[int, ...]] = {}
        self._size = 0

    def admit(self, key: int, value: int, most: int) -> bool:
        """Whether the value is one of the first `most` of its key."""
        values = self._young.get(key)
        if values is None:
            values = self._old.pop(key, ())
            self._keep(key, values, len(values))
        if value in values:
            return True
        if len(values) >= most:
            return False
        self._keep(key, (*values, value), 1)
        return True

    def _keep(self, key: int, values: tuple[int, ...], more: int) -> None:
        self._young[key] = values
        self._size += more
        if self._size >= REMEMBERED:
            self._old, self._young, self._size = self._young, {}, 0
