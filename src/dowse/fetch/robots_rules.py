"""What one robots.txt says to us, by RFC 9309.

    Rules = literal prefixes     sorted, each linked to the longest other prefix it starts with
          + exact paths          `/page$`
          + patterns with `*`    see robots_patterns.py

The most specific rule that matches decides: most octets, and of two equally long ones the Allow. `rank` is that
order as one number. Rules and paths are compared in one form: octets outside ASCII escaped, escapes of ASCII
characters undone (but `%2F` and `%3F` in a path stay what they are), so `/%62%61%7a` and `/baz` are the same.

Protego was measured first. It takes three times as long, lets an unknown line end the names that a group begins
with, does not know a name that a word follows, and ends lines at characters that may stand in a path.
"""

from __future__ import annotations

import math
import re
import string
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from urllib.parse import quote

from dowse.fetch.robots_patterns import MOST_PARTS, MOST_PATTERNS, NO_RULE, Pattern, Patterns, Rule

SIZE_LIMIT = 512 * 1024
"""Octets read; RFC 9309 asks for 500 KiB at least. What comes after is ignored."""

CRAWL_DELAY_LIMIT = 300.0
"""Longest Crawl-delay obeyed, in seconds. Beyond that a site means Disallow, and can say so."""

_ANSWERS = 128
_LONG_URL = 500
_BYTES_A_RULE = 400
_BYTES_A_FILE = 20_000

_AGENT = re.compile(rb"[\w-]+")
_BYTE_ORDER_MARK = re.compile(rb"\A\xef(?:\xbb\xbf?)?")  # some files have only a part of it
_ESCAPE = re.compile("%([0-9a-fA-F]{2})")


def _unescaped(kept: str) -> list[str]:
    """What stands for each escaped octet: the character itself if it is printable ASCII and not `kept`."""
    return [chr(octet) if 32 <= octet < 127 and chr(octet) not in kept else f"%{octet:02X}" for octet in range(256)]


# A slash or question mark that is escaped in a path is not a delimiter there; in a query both spellings mean the same.
_IN_PATH = _unescaped("%#/?")
_IN_QUERY = _unescaped("%#")


class _Field(Enum):
    AGENT = 1
    ALLOW = 2
    DISALLOW = 3
    CRAWL_DELAY = 4
    SITEMAP = 5


# The misspellings are those that Google's parser takes as well: the site's wish is plain.
_FIELDS = {
    b"user-agent": _Field.AGENT, b"useragent": _Field.AGENT, b"user agent": _Field.AGENT,
    b"allow": _Field.ALLOW,
    b"disallow": _Field.DISALLOW, b"dissallow": _Field.DISALLOW, b"dissalow": _Field.DISALLOW,
    b"disalow": _Field.DISALLOW, b"diasllow": _Field.DISALLOW, b"disallaw": _Field.DISALLOW,
    b"crawl-delay": _Field.CRAWL_DELAY, b"crawldelay": _Field.CRAWL_DELAY, b"crawl delay": _Field.CRAWL_DELAY,
    b"sitemap": _Field.SITEMAP, b"site-map": _Field.SITEMAP,
}  # fmt: skip


class _Group:
    """All lines for one user agent, from however many places in the file."""

    def __init__(self) -> None:
        self.named = False
        self.rules: list[tuple[bool, bytes]] = []
        self.delays: list[bytes] = []


class RobotsRules:
    """The rules of one robots.txt for one product token."""

    def __init__(self, body: bytes, product_token: str) -> None:
        group, self.sitemaps = _read(body[:SIZE_LIMIT], product_token)
        self.crawl_delay = _longest_delay(group.delays)
        self._exact: dict[str, Rule] = {}
        patterns: list[Pattern] = []
        prefixes: dict[str, Rule] = {}
        for allow, value in group.rules:
            for rule, parts, anchored in _spellings(allow, value):
                if len(parts) > 1 and (anchored or any(parts[1:])):
                    if len(patterns) < MOST_PATTERNS:
                        patterns.append(_pattern(rule, parts, anchored))
                else:
                    table = self._exact if anchored else prefixes
                    table[parts[0]] = max(rule, table.get(parts[0], NO_RULE))
        self._patterns = Patterns(patterns)
        self._prefixes = sorted(prefixes)
        self._shorter, self._best = _chains(self._prefixes, prefixes)
        self._free = not (self._exact or self._patterns or self._prefixes)
        self._answers: dict[str, str] = {}
        rules = [*self._exact.values(), *prefixes.values(), *(pattern.rule for pattern in patterns)]
        self.size = sum(_BYTES_A_RULE + 2 * len(rule.line) for rule in rules) + (_BYTES_A_FILE if rules else 0)
        self.size += sum(100 + len(sitemap) for sitemap in self.sitemaps)
        """About how many bytes of memory this takes."""

    def allows(self, url: str) -> bool:
        """Whether we may fetch this absolute URL."""
        return self._free or not self.refusal(url)

    def refusal(self, url: str) -> str:
        """The line that forbids this absolute URL, such as `Disallow: /private/`; empty when it is allowed."""
        answer = self._answers.get(url)
        if answer is None:
            rule = self._decide(_path(url))
            answer = "" if rule.allow else rule.line
            if len(self._answers) >= _ANSWERS:
                self._answers.clear()
            if len(url) <= _LONG_URL:
                self._answers[url] = answer
        return answer

    def _decide(self, path: str) -> Rule:
        if path == "/robots.txt":
            return NO_RULE
        # Every prefix of the path is also a prefix of the last entry that sorts before the path, so one search and
        # a walk along the links finds the longest; `_best` has already weighed it against the shorter ones.
        at = bisect_right(self._prefixes, path) - 1
        while at >= 0 and not path.startswith(self._prefixes[at]):
            at = self._shorter[at]
        best = self._best[at] if at >= 0 else NO_RULE
        if self._exact:
            best = max(best, self._exact.get(path, NO_RULE))
        return self._patterns.best(path, best) if self._patterns else best


def rule_lines(body: bytes, product_token: str) -> list[str]:
    """The rules of a robots.txt for one product token, as lines."""
    return [_line(allow, value) for allow, value in _read(body[:SIZE_LIMIT], product_token)[0].rules]


def _read(body: bytes, product_token: str) -> tuple[_Group, tuple[str, ...]]:
    """The lines that are for us (those for everyone when none name us) and the sitemaps."""
    ours, everyone = _Group(), _Group()
    by_agent = {b"*": everyone}
    if product_token:
        by_agent[product_token.lower().encode()] = ours
    sitemaps: list[str] = []
    current: list[_Group] = []
    delayed: list[_Group] = []  # those of the names right above
    header = naming = True
    for field, value in _fields(body):
        if field is _Field.AGENT:
            if not header:
                header, current = True, []
            if not naming:
                naming, delayed = True, []
            group = by_agent.get(_agent(value))
            if group is None:
                continue
            group.named = True
            for groups in (current, delayed):
                if group not in groups:
                    groups.append(group)
        elif field is _Field.SITEMAP:
            sitemaps.append(value.decode("utf-8", "replace"))
        elif field is _Field.CRAWL_DELAY:
            # Not a rule of RFC 9309, so it may not end the list of user agents a group starts with. But what is said
            # of the next robot's delay is not said of those before it.
            naming = False
            for group in delayed:
                group.delays.append(value)
        else:
            header = naming = False
            for group in current:
                group.rules.append((field is _Field.ALLOW, value))
    return (ours if ours.named else everyone), tuple(filter(None, dict.fromkeys(sitemaps)))


def _fields(body: bytes) -> Iterator[tuple[_Field, bytes]]:
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        body = body.decode("utf-16", "replace").encode()
    for whole_line in _BYTE_ORDER_MARK.sub(b"", body, count=1).splitlines():
        line = whole_line.partition(b"#")[0].strip()
        if not line:
            continue
        name, colon, value = line.partition(b":")
        if not colon:
            words = line.split()
            if len(words) != 2:
                continue
            name, value = words
        field = _FIELDS.get(name.rstrip().lower())
        if field is not None:
            yield field, value.lstrip()


def _agent(value: bytes) -> bytes:
    if value.startswith(b"*"):
        return b"*" if len(value.split(None, 1)[0]) == 1 else b""
    name = _AGENT.match(value)
    return name[0].lower() if name else b""


def _longest_delay(values: Iterable[bytes]) -> float | None:
    delays = []
    for value in values:
        try:
            delay = float(value)
        except ValueError:
            continue
        if math.isfinite(delay) and delay >= 0:
            delays.append(min(delay, CRAWL_DELAY_LIMIT))
    return max(delays, default=None)


def _spellings(allow: bool, value: bytes) -> Iterator[tuple[Rule, list[str], bool]]:
    """The rule, its literal parts between the `*`, and whether it is bound to the end; none if it can match nothing.

    After a `*` a part may stand in the path or in the query, where an escaped slash means different things. So there is
    a spelling for every place at which the query may begin.
    """
    if not value.startswith((b"/", b"*")):
        return
    text = _ascii(value)
    rank = 2 * len(text) + allow
    if text.count("*") > MOST_PARTS:
        text = "*".join(text.split("*")[:MOST_PARTS]) + "*"
    anchored = text.endswith("$")
    path, mark, query = text.removesuffix("$").partition("?")
    head, *rest = path.split("*")
    spellings = [[_unescape(head, _IN_PATH), *(_unescape(part, _IN_PATH) for part in rest)]]
    if mark:
        first, *later = (_unescape(part, _IN_QUERY) for part in query.split("*"))
        spellings[0][-1] += "?" + first
        spellings[0] += later
    else:
        in_path, in_query = spellings[0], [_unescape(part, _IN_QUERY) for part in (head, *rest)]
        spellings += [
            [*in_path[:at], "?", *in_query[at:]] for at in range(1, len(in_path)) if in_path[at:] != in_query[at:]
        ]
    rule = Rule(rank, _line(allow, value), allow)
    for parts in spellings:
        yield rule, parts, anchored


def _line(allow: bool, value: bytes) -> str:
    return f"{'Allow' if allow else 'Disallow'}: {value.decode('utf-8', 'replace')}"


def _pattern(rule: Rule, parts: list[str], anchored: bool) -> Pattern:
    tail = parts[-1] if anchored else None
    middle = tuple(filter(None, parts[1:-1] if anchored else parts[1:]))
    return Pattern(rule, max(parts, key=len), parts[0], middle, tail)


def _chains(prefixes: list[str], rules: dict[str, Rule]) -> tuple[list[int], list[Rule]]:
    """For each sorted prefix the index of the next shorter one it starts with (-1: none), and the best rule of both."""
    shorter: list[int] = []
    best: list[Rule] = []
    for prefix in prefixes:
        at = len(shorter) - 1
        while at >= 0 and not prefix.startswith(prefixes[at]):
            at = shorter[at]
        shorter.append(at)
        best.append(max(rules[prefix], best[at]) if at >= 0 else rules[prefix])
    return shorter, best


def _path(url: str) -> str:
    """Path and query of an absolute URL in the form in which they are compared."""
    start = url.find("/", 8)
    path = url[start:] if start >= 0 else "/"
    if "#" in path:
        path = path.partition("#")[0]
    if path.isascii():
        if "%" not in path:
            return path
    else:
        path = _ascii(path)
    path, mark, query = path.partition("?")
    return _unescape(path, _IN_PATH) + mark + _unescape(query, _IN_QUERY)


def _ascii(text: str | bytes) -> str:
    octets = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return octets.decode() if octets.isascii() else quote(octets, safe=string.printable)


def _unescape(text: str, table: list[str]) -> str:
    return _ESCAPE.sub(lambda escape: table[int(escape[1], 16)], text) if "%" in text else text
