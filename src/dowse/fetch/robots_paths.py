"""Which rule of a robots.txt holds for a path, by RFC 9309.

    rules = literal prefixes     sorted, each linked to the longest other prefix it starts with
          + exact paths          `/page$`
          + patterns with `*`    see robots_patterns.py

The most specific rule that matches decides: most octets, and of two equally long ones the Allow. `rank` is that
order as one number. Rules and paths are compared in one form: octets outside ASCII escaped, escapes of ASCII
characters undone (but `%2F` and `%3F` in a path stay what they are), so `/%62%61%7a` and `/baz` are the same.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from dowse.fetch.robots_patterns import MOST_PARTS, MOST_PATTERNS, NO_RULE, Pattern, Patterns, Rule

NormalPath = tuple[tuple[tuple[str, ...], bool], ...]
"""A path of a rule in the form in which it is compared: its parts between the `*`, and whether it is bound to the end,
for each place at which the query may begin."""

_BYTES_A_RULE = 400

_ESCAPE = re.compile("%([0-9a-fA-F]{2})")


def _unescaped(kept: str) -> list[str]:
    """What stands for each escaped octet: the character itself if it is printable ASCII and not `kept`."""
    return [chr(octet) if 32 <= octet < 127 and chr(octet) not in kept else f"%{octet:02X}" for octet in range(256)]


# A slash or question mark that is escaped in a path is not a delimiter there; in a query both spellings mean the same.
_IN_PATH = _unescaped("%#/?")
_IN_QUERY = _unescaped("%#")


class PathRules:
    """Rules for paths, each an octet string as it stands in the file."""

    def __init__(self, rules: Iterable[tuple[bool, bytes, str]]) -> None:
        """Each rule: whether it allows, the path, and its line for people."""
        self._exact: dict[str, Rule] = {}
        patterns: list[Pattern] = []
        prefixes: dict[str, Rule] = {}
        for allow, value, line in rules:
            for rule, parts, anchored in _spellings(allow, value, line):
                if len(parts) > 1 and (anchored or any(parts[1:])):
                    if len(patterns) < MOST_PATTERNS:
                        patterns.append(_pattern(rule, parts, anchored))
                else:
                    table = self._exact if anchored else prefixes
                    table[parts[0]] = max(rule, table.get(parts[0], NO_RULE))
        self._patterns = Patterns(patterns)
        self._prefixes = sorted(prefixes)
        self._shorter, self._best = _chains(self._prefixes, prefixes)
        kept = [*self._exact.values(), *prefixes.values(), *(pattern.rule for pattern in patterns)]
        self.size = sum(_BYTES_A_RULE + 2 * len(rule.line) for rule in kept)
        """About how many bytes of memory this takes; none if there are no rules."""

    def decide(self, path: str) -> Rule:
        """The rule that holds for a path in the form of `path_of`."""
        # Every prefix of the path is also a prefix of the last entry that sorts before the path, so one search and
        # a walk along the links finds the longest; `_best` has already weighed it against the shorter ones.
        at = bisect_right(self._prefixes, path) - 1
        while at >= 0 and not path.startswith(self._prefixes[at]):
            at = self._shorter[at]
        best = self._best[at] if at >= 0 else NO_RULE
        if self._exact:
            best = max(best, self._exact.get(path, NO_RULE))
        return self._patterns.best(path, best) if self._patterns else best


def _spellings(allow: bool, value: bytes, line: str) -> Iterator[tuple[Rule, list[str], bool]]:
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
    rule = Rule(rank, line, allow)
    for parts in spellings:
        yield rule, parts, anchored


def normal_path(value: bytes) -> NormalPath:
    """What all spellings of one path in a file have in common."""
    return tuple((tuple(parts), anchored) for _rule, parts, anchored in _spellings(True, value, ""))


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


def path_of(url: str) -> str:
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
