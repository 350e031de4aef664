r"""The forms of the URLs of one site: numbers, and words that differ from page to page, left out.

    /topic/how-to-fix-it-12/?page=2     /topic/[^/?&]+-\d+/?page=\d+
    /thread-12.html, /forum-3.html      /thread-\d+\.html, /forum-\d+\.html

A word stays where many URLs have it in that place; others are left out. So what is a word and what is a name is learned
from the URLs of the site, and no list of words is needed. A form is a regular expression.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from dowse.core.mirrored_names import written_address
from dowse.core.url_patterns import escaped

MOST_WORDS = 2_000
"""Different words of one place that are counted."""

_LEAST_TIMES = 3
_LEAST_SHARE = 0.04
_MANY_WORDS = 10
_MANY_NUMBERED = 4
_SHARE_OF_MANY = 0.25
"""How often a word must stand in its place to be part of forms: more often where many do, for those are names. Beside a
number of its own, as in bicycles-4, it is one sooner."""
_MOST_WORDS_OF_NAME = 2
"""Words in a row that may be the name of a folder; more are a title."""

_ANY = r"[^/?&]+"
_DIGITS = r"\d+"
_PIECE = re.compile(r"\d+|[^\d]+")
_ENDING = re.compile(r"\.[a-zA-Z]{2,5}$")
_ID = re.compile(r"(?=[^\d]*\d)(?=(?:[^a-zA-Z]*[a-zA-Z]){2})[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{20,}")
_MIXED = re.compile(r"(?:[a-zA-Z]+\d+){2,}[a-zA-Z]*|(?:\d+[a-zA-Z]+){2,}\d*")
_SEPARATORS = "-_.,;:+~!*() "
_PLAIN = re.compile(r"[\w-]+")
_TELLING = re.compile(r"[^\W\d_]{2,}")
_ENDINGS = re.compile(r"\\\.[a-z]{2,5}|\\[dw]")
_BREAK = re.compile(r"[-_+]")
_ESCAPES = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_ESCAPED = "\0"
"""Stands for letters that are escaped in URLs; a word with one is a title, not the name of a folder."""

_SCRIPT = re.compile(r"/[^/\d]*\.[a-zA-Z]{2,5}$")
_NUMBERED_END = re.compile(r"\d[^/]*/?(?:index\.html?)?$")
_ACT_FOLDER = re.compile(r"(?<=\d)/[a-zA-Z]{3,12}/?$")
_ACT_WORD = re.compile(r"(?<=\d)[-_][a-z]{3,20}(?=\.html?$)")
_FRONT = re.compile(r"https?://[^/]+/(?:(?:[^/\d]+/)?(?:index|default)\.[a-z]{2,5})?", re.IGNORECASE)
_CARRIED = re.compile(r"[?&;][^=&?;]+=(?:/|%2F|https?(?::|%3A))", re.IGNORECASE)
_STAND_IN = "\x01"
_WORDS = re.compile(r"\x01(?:[^/?&=]*\x01)?")
_TITLE = re.compile(r"(?<!\\d\+)(?:\\d\+)*\x01(?:[^/?&=]*\x01)?(?:\\d\+)*")
"""A title within a form: from the first word that is left out to the last, without and with numbers that no sign sets
apart."""
_NUMBERED = re.compile(r"(/\\d\+/)(?:\\d\+[-_.])?\x01(?:[-_.]\\d\+)?(?=[/?&]|$)")
"""A title with numbers of its own, for the number of its page stands before it."""


class Address(NamedTuple):
    """A URL taken apart: its form without words, with `*` for each, and the words."""

    skeleton: str
    words: tuple[str, ...]


class UrlForms:
    """Learns which words are part of forms. `form` says what the form of a URL is by what is known now."""

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()
        self._words: dict[tuple[str, int], Counter[str]] = {}
        self._often: Counter[tuple[str, int]] = Counter()

    def learn(self, url: str) -> bool:
        """Count a URL that was not seen before; whether that makes a word part of a form."""
        skeleton, words = taken_apart(url)
        self._numbers[skeleton] += 1
        is_news = False
        for place, word in enumerate(words):
            counts = self._words.setdefault((skeleton, place), Counter())
            if word in counts or len(counts) < MOST_WORDS:
                counts[word] += 1
                if counts[word] == _LEAST_TIMES:
                    self._often[skeleton, place] += 1
                    is_news = True
        return is_news

    def form(self, url: str) -> str:
        """The form of a URL, as a regular expression for what is behind the host."""
        skeleton, words = taken_apart(url)
        parts = skeleton.split("*")
        found = [parts[0]]
        for place, (word, part) in enumerate(zip(words, parts[1:], strict=True)):
            counts = self._words.get((skeleton, place), Counter())
            is_numbered = _DIGITS in parts[place].rpartition("/")[2] + part.partition("/")[0]
            few = self._often[skeleton, place] <= (_MANY_NUMBERED if is_numbered else _MANY_WORDS)
            share = _LEAST_SHARE if few else _SHARE_OF_MANY
            least = max(_LEAST_TIMES, share * self._numbers[skeleton])
            is_name = counts[word] >= least and _ESCAPED not in word and len(_BREAK.findall(word)) < _MOST_WORDS_OF_NAME
            found += [escaped(word) if is_name else _ANY, part]
        return _simplified("".join(found), _TITLE)


def general(url: str) -> str:
    """The form of a URL with all words left out."""
    return _simplified(taken_apart(url).skeleton.replace("*", _ANY), _WORDS)


@lru_cache(maxsize=20_000)
def _simplified(form: str, title: re.Pattern[str]) -> str:
    """A form in which a title is one thing, whatever numbers it has: anna and anna12 are names, my-3-wishes-12 is a
    title and a number as winter-12 is, and where a number stands before it, all of winter-1963 is a title."""
    short = title.sub(_STAND_IN, form.replace(_ANY, _STAND_IN))
    return _NUMBERED.sub(r"\1" + _STAND_IN, short).replace(_STAND_IN, _ANY)


def joined(forms: Iterable[str], without_words: str) -> str:
    r"""One form for several that are the same without their words: a word stays where all have it.

    >>> joined([r"/forum/news-\d+/", r"/forum/[^/?&]+-\d+/"], r"/[^/?&]+/[^/?&]+-\d+/")
    '/forum/[^/?&]+-\\d+/'
    """
    columns = zip(*(form.replace(_ANY, _STAND_IN).split("/") for form in (without_words, *forms)), strict=True)
    parts = [told[0] if len(set(told)) == 1 else general for general, *told in columns]
    return "/".join(parts).replace(_STAND_IN, _ANY)


def has_word(form: str) -> bool:
    """Whether a form has a word of its own."""
    return _TELLING.search(_ENDINGS.sub("", form.replace(_ANY, ""))) is not None


def identities(form: str) -> int:
    """How many parts of a form differ from page to page."""
    return form.count(_ANY) + form.count(_DIGITS)


def is_front(url: str) -> bool:
    """Whether a URL is that of the first page of a site or of a folder next to it, of which there is one.

    >>> is_front("http://a.org/"), is_front("http://a.org/forum/index.php"), is_front("http://a.org/index.php?t=5")
    (True, True, False)
    """
    return _FRONT.fullmatch(written_address(url)) is not None


def is_script(path: str) -> bool:
    """Whether all that tells pages apart is behind a path: it is that of a program, and has no number.

    >>> is_script("http://a.org/index.php"), is_script("http://a.org/topic-5.html"), is_script("http://a.org/my-topic")
    (True, False, False)
    """
    return _SCRIPT.search(path) is not None


@lru_cache(maxsize=20_000)
def without_act(url: str) -> str:
    """The address of a page without the words that say what to do with it; "" if there are none, or nothing but them.

    >>> without_act("http://a.org/t?id=5&goto=last"), without_act("http://a.org/topic/x-4/last/")
    ('http://a.org/t?id=5', 'http://a.org/topic/x-4/')
    """
    path, _, query = written_address(url).partition("?")
    if query:
        parts = query.split("&")
        kept = [each for each in parts if each[-1:].isdigit()]
        is_named = _NUMBERED_END.search(path) is not None
        if len(kept) == len(parts) or not (kept or is_named):
            return ""
        return path if is_named else f"{path}?{'&'.join(kept)}"
    short = _ACT_FOLDER.sub("/", path)
    short = _ACT_WORD.sub("", path) if short == path else short
    return short if short != path else ""


def ends_in_title(form: str) -> bool:
    """Whether the last step of a form's path may be any words."""
    return form.rstrip("/").endswith(_ANY)


def is_plainer(url: str, other: str) -> bool:
    """Whether of two URLs of one page this is its own: it has less in it.

    >>> is_plainer("http://a.org/t?id=5", "http://a.org/t?id=5&goto=last")
    True
    """

    def much(each: str) -> tuple[bool, int, int]:
        path, _, query = written_address(each).partition("?")
        return bool(without_act(each)), len(query.split("&")) * bool(query), len(path)

    return much(url) < much(other)


def leads_back(url: str) -> bool:
    """Whether a URL has another in it, to go to afterwards: it logs in, or does something else."""
    return _CARRIED.search(url) is not None


@lru_cache(maxsize=2_000)
def library_key(form: str) -> str:
    """What the form of a URL is called on any site of its software: without the folders that the forum is in.

    "" if no word is left, for then it could be of any software.
    """
    parts = form.replace(_ANY, "*").split("/")[1:]
    while len(parts) > 1 and _PLAIN.fullmatch(parts[0]) and _TELLING.search(_ENDINGS.sub("", "/".join(parts[1:]))):
        del parts[0]
    key = "/" + "/".join(parts)
    is_general = "*" not in key and "\\" not in key
    return "" if is_general or not _TELLING.search(_ENDINGS.sub("", key)) else key


@lru_cache(maxsize=50_000)
def taken_apart(url: str) -> Address:
    """A URL without what differs, and the words that may or may not."""
    written = written_address(url)
    parts = urlsplit(_ESCAPES.sub(_ESCAPED, written) if "%" in written else written)
    words: list[str] = []
    segments = [_generalised(segment, words) for segment in parts.path.split("/")]
    skeleton = "/".join(segments)
    if parts.query:
        pairs = sorted(text.partition("=")[::2] for text in parts.query.split("&") if text)
        # A name without a value may be all that the address says: ?topic-12
        told = [
            f"{escaped(name)}={_generalised(value, words)}" if value else _generalised(name, words)
            for name, value in pairs
        ]
        skeleton += r"\?" + "&".join(told)
    return Address(skeleton, tuple(words))


def _generalised(text: str, words: list[str]) -> str:
    """A segment or value with a pattern for numbers and a star for words."""
    if not text:
        return ""
    ending = _ENDING.search(text)
    stem = text[: ending.start()] if ending else text
    if _ID.fullmatch(stem) or _MIXED.fullmatch(stem):
        return r"\w+" + (escaped(ending[0]) if ending else "")
    pieces = []
    for piece in _PIECE.findall(stem):
        if piece.isdigit():
            pieces.append(_DIGITS)
            continue
        inner = piece.strip(_SEPARATORS)
        if not inner:
            pieces.append(escaped(piece))
            continue
        before, _, after = piece.partition(inner)
        words.append(inner)
        pieces.append(f"{escaped(before)}*{escaped(after)}")
    return "".join(pieces) + (escaped(ending[0]) if ending else "")
