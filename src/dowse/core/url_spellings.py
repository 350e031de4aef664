"""Spellings of a URL: what the built-in list of parameters merges, and how a crawl finds out that it should not have.

    /story?utm_source=a  and  /story?utm_source=b      one key, two spellings: the first is fetched, the other merged

A few of the merged spellings are fetched all the same and compared with the page they were taken for (*probes*). One
that says the same is a duplicate; one that says something else is a page of its own. When two probes of a host and its
parameters say two different things, the parameters matter there: the rule is undone and all that was merged by it is
let in.

Only the built-in list is put to the test. What a user declares not to matter does not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from msgspec.structs import replace

from dowse.core.job import UrlOptions
from dowse.core.model import Request
from dowse.core.options.option_checks import IF_SESSION
from dowse.core.tracking_parameters import TRACKING_PARAMETERS
from dowse.core.url_keys import KeyRules, key_of, key_rules
from dowse.core.urls import host_of

# Two, because one page may be different by chance: it changes with every visit, or says that a session is over.
DIFFERENT = 2

MOST_KEPT = 10_000
"""Spellings of one merger that are kept, some 400 bytes each. What comes later is merged without a note."""

# Names that were in the list without a condition; crawls that were begun then have them so in their job.
_ONCE_BUILT_IN = ("sessionid", "session_id", "sid")
_BUILT_IN = frozenset((*TRACKING_PARAMETERS, *_ONCE_BUILT_IN))


_PLAIN = "#plain"
"""How the key of a plain address ends that is fetched though others were taken for it."""

BY_PARAMETER = "parameter "
"""How the reason of a spelling begins that turned out to be the page it was taken for."""


class Merger(NamedTuple):
    """What spellings were merged by: the parameters (with spaces between them) that were dropped on a host."""

    host: str
    names: str

    def __str__(self) -> str:
        """For the ledger."""
        return BY_PARAMETER + self.names.replace(" ", ", ")


class Trials:
    """What is known of one merger: spellings met, probes made, and what those said that was different."""

    __slots__ = ("different", "is_barren", "is_out", "met", "probes")

    def __init__(self) -> None:
        self.met = 0
        self.probes = 0
        self.is_out = False
        self.is_barren = False  # none of its spellings can be probed before another page that they stand for is there
        self.different: set[int] = set()

    @property
    def is_due(self) -> bool:
        """Whether another probe is worth a request: the more was merged, the more, but ever more seldom.

        1, 4, 16, 64 ... spellings are worth 1, 2, 3, 4 ... probes, and each that was different is worth two more.
        """
        if self.is_out or self.is_barren:
            return False
        return self.probes < (self.met.bit_length() + 1) // 2 + 2 * len(self.different)

    @property
    def is_refuted(self) -> bool:
        return len(self.different) >= DIFFERENT


def bare(options: UrlOptions) -> UrlOptions:
    """Options by which two URLs are the same if they differ only in what the built-in list names, whatever its value.

    The links of a page under two session ids are the same by them, even if no other rule takes those for session ids.
    """
    names = (name.removesuffix(IF_SESSION) for name in (*options.drop_parameters, *_BUILT_IN))
    return replace(options, drop_parameters=tuple(sorted(set(names))))


class Spelled:
    """Which parameters are dropped from a URL, and which of them matter on its host after all."""

    def __init__(self, options: UrlOptions) -> None:
        self._options = options
        self._keeping: dict[frozenset[str], KeyRules] = {}  # by the parameters that count
        names = tuple(name for name in options.drop_parameters if name.lower() in _BUILT_IN)
        sessions = tuple(name.removesuffix(IF_SESSION) + IF_SESSION for name in names)
        self._rules = key_rules(replace(options, drop_parameters=names))
        self._sessions = key_rules(replace(options, drop_parameters=sessions))
        self.matter: dict[str, frozenset[str]] = {}

    def merger(self, url: str) -> Merger | None:
        """What would merge this URL with others; None if it has nothing that the built-in list drops."""
        host = host_of(url)
        names = self._rules.dropped(url)
        names = [name for name in names if name not in self.matter.get(host, ())]
        return Merger(host, " ".join(names)) if names else None

    def undo(self, host: str, names: Iterable[str]) -> None:
        """From now on these parameters count on this host."""
        self.matter[host] = self.matter.get(host, frozenset()) | frozenset(names)

    def request(self, request: Request) -> Request:
        """A request by what is known now: with another key if parameters that matter had been dropped from it."""
        matter = self.matter.get(request.host)
        return self.keeping(request, matter) if matter and request.key else request

    def own(self, request: Request) -> Request:
        """A request by a key of its own, whatever else it would be taken for."""
        dropped = self._rules.dropped(request.url)
        if dropped:
            return self.keeping(request, (*dropped, *self.matter.get(request.host, ())))
        # The plain address, which others were taken for: no URL here has a fragment, so one can tell it from them.
        return _with_key(request, request.normal_form + _PLAIN)

    def keeping(self, request: Request, names: Collection[str]) -> Request:
        """The same request by the key it has if these parameters count."""
        if not request.is_plain:
            return request
        counted = frozenset(names)
        rules = self._keeping.get(counted)
        if rules is None:
            options = replace(self._options, keep_parameters=(*self._options.keep_parameters, *sorted(counted)))
            rules = self._keeping[counted] = KeyRules(options)
        return _with_key(request, rules.apply(request.url))

    def suspects(self, merger: Merger, urls: Iterable[str]) -> list[str]:
        """Which of the parameters may be what matters: if there are others, not those that hold session ids."""
        sessions = {name for url in urls for name in self._sessions.dropped(url)}
        names = merger.names.split(" ")
        return [name for name in names if name not in sessions] or names


def _with_key(request: Request, key: str) -> Request:
    if key == request.normal_form:
        return request
    return replace(request, key="" if key == request.url else key, key_hash=key_of(key))


def is_of_url(key: str) -> bool:
    """Whether a stored key is made of a URL alone: method and body stand in others as a fragment."""
    return "#" not in key or key.endswith(_PLAIN)


def matters(host: str, name: str) -> str:
    """That a parameter of the built-in list counts on a host, for people."""
    return f"the parameter {name} changes what {host} says, so it counts there"
