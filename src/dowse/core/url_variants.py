"""URLs that differ in something that never matters, learned from what was fetched.

    parameter   of a script or in a folder      /show?id=7&ref=home  is  /show?id=7&ref=news
    host        a scheme and host               http://www.example.org/a  is  http://example.org/a

Evidence is a pair of visited pages whose URLs differ in that one thing alone. A pair that turned out to be the same
page (by the tests of content) speaks for it; a single pair of different pages speaks against it for good. A crawl that
has met `REMEMBERED` things that do matter learns nothing more. What was learned is put to the test for as long as the
crawl runs: one in `CHECKED` of the URLs that could be skipped is fetched all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from dowse.core.duplicates.fingerprint import SeenKeys
from dowse.core.url_keys import key_of

# How often a thing must not have mattered, on how many pages, with how many different values. One script is one place;
# what is said of a whole folder needs more, from more of its pages.
PAIRS_OF_SCRIPT = 6
PAIRS_OF_FOLDER = 10
PAGES_OF_FOLDER = 5
PAIRS_OF_HOST = 8
PAGES_OF_HOST = 5
VALUES = 4

CHECKED = 16
MOST_PARAMETERS = 6
"""URLs with more are not looked at: every parameter of every page costs a microsecond."""

REMEMBERED = 20_000
"""Things under suspicion, and things that are above it; about 500 bytes each."""


class Alike(NamedTuple):
    """What never matters. For a parameter: where, and its name. For a host: which, and the one it is the same as."""

    kind: Literal["parameter", "host"]
    place: str
    name: str

    def __str__(self) -> str:
        if self.kind == "parameter":
            return f"parameter {self.name} at {self.place}"
        return f"{self.place} is {self.name}"

    @property
    def sentence(self) -> str:
        """For people."""
        if self.kind == "parameter":
            return f"the parameter {self.name} never changes what {self.place.rstrip('?')} says"
        return f"{self.place} has the same pages as {self.name}"


class Twin(NamedTuple):
    """A rule that covers a URL, and the key of what the URL is without what does not matter."""

    rule: Alike
    key: int
    group: int


class _Evidence:
    """What speaks for a rule."""

    __slots__ = ("pages", "pairs", "values")

    def __init__(self) -> None:
        self.pairs = 0
        self.pages: set[int] = set()
        self.values: set[int] = set()

    def add(self, original: int, value: int) -> None:
        self.pairs += 1
        if len(self.pages) < PAGES_OF_FOLDER:
            self.pages.add(original)
        if len(self.values) < VALUES:
            self.values.add(value)


class Variants:
    """Learns rules from visited pages and says which URLs they cover. `keep` are parameters that matter by decree."""

    def __init__(self, keep: Collection[str] = ()) -> None:
        self.rules: set[Alike] = set()
        self._keep = frozenset(name.lower() for name in keep)
        self._visited = SeenKeys()
        self._evidence: dict[Alike, _Evidence] = {}
        self._against: set[Alike] = set()
        self._hosts: dict[str, set[str]] = {}

    def take(self, rule: Alike, *, broken: bool) -> None:
        """A rule that was learned before, or one that was found wrong."""
        if broken:
            self._against.add(rule)
            self.rules.discard(rule)
        elif rule.kind == "host":
            self._hosts.setdefault(rule.place, set()).add(rule.name)
            self.rules.add(rule)
        elif rule.name.lower() not in self._keep:
            self.rules.add(rule)

    def twins(self, url: str) -> Iterator[Twin]:
        """What a URL is without the things that do not matter, one at a time."""
        if not self.rules:
            return
        if "?" in url:
            for part in _parameters(url):
                rule = next((rule for rule in part.rules() if rule in self.rules), None)
                if rule is not None:
                    yield Twin(rule, key_of(part.rest), part.group)
        origin, path = _split(url)
        for other in self._hosts.get(origin, ()):
            rule = Alike("host", origin, other)
            if rule in self.rules:
                yield Twin(rule, key_of(other + path), 0)

    def observe(self, url: str, original: int, original_url: str = "") -> tuple[set[Alike], set[Alike]]:
        """A page was visited and is the same as `original` (itself, if it is new): rules learned, and rules broken.

        `original_url` is that of the other page, where there is one.
        """
        learned: set[Alike] = set()
        broken: set[Alike] = set()
        for part in _parameters(url) if "?" in url else ():
            before = self._visited.get(part.group) or self._visited.get(key_of(part.rest))
            if before and part.name.lower() not in self._keep:
                for rule in part.rules():
                    self._weigh(rule, before == original, original, part.value, learned, broken)
            self._visited.add(part.group, original)
        self._observe_host(url, original, original_url, learned, broken)
        self._visited.add(key_of(url), original)
        return learned - broken, broken

    def _observe_host(
        self, url: str, original: int, original_url: str, learned: set[Alike], broken: set[Alike]
    ) -> None:
        origin, path = _split(url)
        if original_url:
            other, its_path = _split(original_url)
            if other != origin and its_path == path:
                self._hosts.setdefault(origin, set()).add(other)
        for other in self._hosts.get(origin, ()):
            before = self._visited.get(key_of(other + path))
            if before and Alike("host", other, origin) not in self.rules:  # of two that are the same, the first counts
                self._weigh(Alike("host", origin, other), before == original, original, 0, learned, broken)

    def _weigh(
        self, rule: Alike, same: bool, original: int, value: int, learned: set[Alike], broken: set[Alike]
    ) -> None:
        is_full = len(self._against) >= REMEMBERED
        if not same:
            self._evidence.pop(rule, None)
            if not is_full:
                self._against.add(rule)
            if rule in self.rules:
                self.rules.discard(rule)
                broken.add(rule)
        elif rule not in self._against and rule not in self.rules and not is_full:
            if len(self._evidence) >= REMEMBERED:
                self._evidence.clear()
            evidence = self._evidence.setdefault(rule, _Evidence())
            evidence.add(original, value)
            if _is_enough(rule, evidence):
                self.rules.add(rule)
                learned.add(rule)


def is_checked(key: int) -> bool:
    """Whether a URL is one of those that put a rule to the test."""
    return key % CHECKED == 0


class _Parameter(NamedTuple):
    """One parameter of a URL, and the URL without it."""

    script: str
    name: str
    value: int
    rest: str
    group: int

    def rules(self) -> tuple[Alike, Alike]:
        folder = self.script[: self.script.rindex("/") + 1]
        return Alike("parameter", folder, self.name), Alike("parameter", self.script + "?", self.name)


def _is_enough(rule: Alike, evidence: _Evidence) -> bool:
    pairs, pages = evidence.pairs, len(evidence.pages)
    if rule.kind == "host":
        return pairs >= PAIRS_OF_HOST and pages >= PAGES_OF_HOST
    if len(evidence.values) < VALUES:
        return False
    if rule.place.endswith("?"):
        return pairs >= PAIRS_OF_SCRIPT
    return pairs >= PAIRS_OF_FOLDER and pages >= PAGES_OF_FOLDER


def _parameters(url: str) -> Iterator[_Parameter]:
    script, _, query = url.partition("?")
    written = query.split("&")
    if len(written) > MOST_PARAMETERS:
        return
    names = [parameter.partition("=")[0] for parameter in written]
    for at, name in enumerate(names):
        if not name or names.count(name) > 1:
            continue
        others = "&".join(written[:at] + written[at + 1 :])
        rest = f"{script}?{others}" if others else script
        yield _Parameter(script, name, hash(written[at]), rest, key_of(f"{name} {rest}"))


def _split(url: str) -> tuple[str, str]:
    start = url.index("/", 8)
    return url[:start], url[start:]
