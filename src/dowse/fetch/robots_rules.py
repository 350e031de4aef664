"""What one robots.txt says to us: where we may go, how fast, and what pages may be used for.

Lines are read by robots_lines.py and paths compared by robots_paths.py. Content-Usage follows
draft-ietf-aipref-attach-05: of all its lines the one with the longest path that matches counts, and lines with one path
add up, however it is spelled. Content-Signal (contentsignals.org) may name a path in the same way. The preferences of
both add up, and in doubt the one that forbids counts (core/usage.py).

Protego was measured first. It takes three times as long, lets an unknown line end the names that a group begins
with, does not know a name that a word follows, and ends lines at characters that may stand in a path.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from dowse.core.usage import Statement, combined, forbids, read_signal, read_usage
from dowse.fetch.robots_lines import SIZE_LIMIT as SIZE_LIMIT
from dowse.fetch.robots_lines import read_group
from dowse.fetch.robots_paths import NormalPath, PathRules, normal_path, path_of

CRAWL_DELAY_LIMIT = 300.0
"""Longest Crawl-delay obeyed, in seconds. Beyond that a site means Disallow, and can say so."""

_ANSWERS = 128
_LONG_URL = 500
_BYTES_A_FILE = 20_000

_READ = {"Content-Usage": read_usage, "Content-Signal": read_signal}


class RobotsRules:
    """The rules of one robots.txt for one product token, and for one purpose: `uses` is what pages are wanted for."""

    def __init__(self, body: bytes, product_token: str, uses: Collection[str] = ()) -> None:
        group, self.sitemaps = read_group(body, product_token)
        self.crawl_delay = _longest_delay(group.delays)
        self._rules = PathRules((allow, value, _line(allow, value)) for allow, value in group.rules)
        self._usage = [rules for name in _READ if (rules := _UsageRules(name, group.usage)).size]
        self._uses = uses
        self._free = not self._rules.size
        self._answers: dict[str, str] = {}
        self.size = self._rules.size + sum(rules.size for rules in self._usage)
        self.size += (_BYTES_A_FILE if self.size else 0) + sum(100 + len(sitemap) for sitemap in self.sitemaps)
        """About how many bytes of memory this takes."""

    def allows(self, url: str) -> bool:
        """Whether we may fetch this absolute URL, whatever it is for."""
        return self._free or not self._disallowed(path_of(url))

    def refusal(self, url: str) -> str:
        """The line that forbids this absolute URL for our purpose, such as `Disallow: /private/`; else empty."""
        answer = self._answers.get(url)
        if answer is None:
            answer = self._refusal(path_of(url))
            if len(self._answers) >= _ANSWERS:
                self._answers.clear()
            if len(url) <= _LONG_URL:
                self._answers[url] = answer
        return answer

    def _refusal(self, path: str) -> str:
        return self._disallowed(path) or (forbids(self._statements(path), self._uses) if self._uses else "")

    def _disallowed(self, path: str) -> str:
        rule = self._rules.decide(path)
        return "" if rule.allow or path == "/robots.txt" else rule.line

    def usage(self, url: str) -> tuple[Statement, ...]:
        """What is said of the use of this absolute URL."""
        return self._statements(path_of(url)) if self._usage else ()

    def _statements(self, path: str) -> tuple[Statement, ...]:
        return tuple(found for rules in self._usage if (found := rules.statement(path)) is not None)


class _UsageRules:
    """The lines of one kind about the use of pages."""

    def __init__(self, name: str, lines: Iterable[tuple[str, bytes]]) -> None:
        by_path: dict[NormalPath, list[tuple[bytes, bytes]]] = {}
        for kind, value in lines:
            path, said = (*value.split(None, 1), b"")[:2] if value.startswith(b"/") else (b"/", value)
            if kind == name:
                by_path.setdefault(normal_path(path), []).append((path, said))
        self._said: dict[str, Statement] = {}
        rules = []
        for spellings in by_path.values():
            path = min((path for path, _said in spellings), key=len)  # what is escaped makes a path no more specific
            texts = [said.decode("utf-8", "replace").strip() for _path, said in spellings]
            shown = f"{name}: {path.decode('utf-8', 'replace')} {', '.join(texts)}"
            self._said[shown] = Statement(shown, combined(map(_READ[name], texts)))
            rules.append((True, path, shown))
        self._rules = PathRules(rules)
        self.size = self._rules.size

    def statement(self, path: str) -> Statement | None:
        return self._said.get(self._rules.decide(path).line)


def rule_lines(body: bytes, product_token: str) -> list[str]:
    """The rules of a robots.txt for one product token, as lines."""
    group = read_group(body, product_token)[0]
    lines = [_line(allow, value) for allow, value in group.rules]
    return lines + [f"{name}: {value.decode('utf-8', 'replace')}" for name, value in group.usage]


def _line(allow: bool, value: bytes) -> str:
    return f"{'Allow' if allow else 'Disallow'}: {value.decode('utf-8', 'replace')}"


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
