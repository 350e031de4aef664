"""What is known of the URLs of one forum: which forms lead to boards and threads, learned from where they led.

Links are judged by three things, each of which outweighs the one before it: how their group looks on its page, what
came of URLs of the same form, and what came of those in the same place. A form that nothing is known of is tried with a
link or two. One that led astray is left, also later: whatever comes home counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from dowse.core.mirrored_names import written_address
from dowse.modes.forum.form_types import FormTypes, Observation, Shares
from dowse.modes.forum.url_forms import (
    UrlForms,
    ends_in_title,
    general,
    identities,
    is_front,
    is_script,
    leads_back,
    library_key,
    without_act,
)

GOOD = 0.5
"""How promising a link must be to be followed."""

KNOWN = 2
"""Pages of a form that must have come before more than a few of it go out."""

MOST_OBSERVATIONS = 4_000
_MANY = 4
"""Pages that must have come of a form without its words before it says something of one that is not known."""

_FAIR = 0.3
"""How promising a link must look itself to be taken for one of those: /post/1 is /topic/1 but for a word."""

_MOSTLY = 20
"""Pages of a form without its words that must have been wanted, for each that was not, for less to do."""

_SURE = 0.8
"""How promising a link to a thread or a list of them is at least, wherever it stands."""

_WEIGHT = 2.0
_DOUBT = 5.0
"""How many pages a first impression counts for, a good one and a bad one: a list of what a user wrote looks like a
board, and only the look of the links to it tells that it is none."""


class Known(Struct, frozen=True, array_like=True):
    """What came of the URLs of a form."""

    index: float
    thread: float
    other: float

    @property
    def number(self) -> float:
        return self.index + self.thread + self.other

    @property
    def wanted(self) -> float:
        return self.index + self.thread


_NOTHING = Known(0.0, 0.0, 0.0)
K = TypeVar("K")


class Patterns:
    """The patterns of one forum. `earlier` are what forms of other forums of the same software led to."""

    def __init__(self, earlier: dict[str, Known] | None = None) -> None:
        self.forms = UrlForms()
        self._types = FormTypes(self.forms.form)
        self.earlier = earlier or {}
        self._seen: dict[str, None] = {}
        self._addresses: set[str] = set()
        self._may_act: dict[str, str] = {}
        self._acts: Counter[str] = Counter()
        self._observations: dict[str, Observation] = {}
        self._by_general: dict[str, Known] = {}
        self._by_form: dict[str, Known] = {}
        self._by_place: dict[tuple[str, str], Known] = {}
        self._out: Counter[str] = Counter()
        self._pages: dict[str, set[frozenset[str]]] = {}

    def see(self, urls: Iterable[str]) -> bool:
        """Take note of URLs; whether forms have changed by that."""
        is_news = False
        for url in urls:
            if url not in self._seen and len(self._seen) < MOST_URLS:
                self._seen[url] = None
                self._addresses.add(written_address(url).rstrip("/"))
                if plain := without_act(url).rstrip("/"):
                    self._may_act[url] = plain
                is_news |= self.forms.learn(url)
        if is_news:
            self._count()
        return is_news

    def observe(self, observation: Observation) -> None:
        """Learn from a page that came home."""
        is_known = observation.url in self._observations
        self._keep(observation)
        self._types.add(observation)
        if observation.other < GOOD:
            self.has(observation.url)
        if self._types.resolve() or is_known:
            self._count()
        else:
            self._add(observation)
        self.came_back(observation.url)

    def credit(self, url: str) -> None:
        """A page led to a thread or a list of them that no other did, so it is one to visit, whatever it looks like."""
        seen = self._observations.get(url)
        if seen is not None:
            self._observations[url] = replace(seen, news=seen.news + 1)
            if not seen.news:
                self._count()

    def sent(self, url: str, *, counts: bool = True) -> None:
        """A page is asked for; it `counts` among those by which its form is tried."""
        if counts and not self.is_page(url):
            self._out[self.forms.form(url)] += 1
        self.has(url)

    def has(self, url: str) -> None:
        """A page is one of the crawl: what only adds to its URL is another view of it."""
        path, _, query = written_address(url).partition("?")
        known = self._pages.setdefault(path, set())
        if len(known) < MOST_VIEWS:
            known.add(frozenset(query.split("&")) - {""})

    def is_page(self, url: str) -> bool:
        """Whether a page is one of the crawl already."""
        path, _, query = written_address(url).partition("?")
        return frozenset(query.split("&")) - {""} in self._pages.get(path, ())

    def has_front(self, folder: str) -> bool:
        """Whether the first page of a folder is one of the crawl, under its name: /forum/index.php is /forum/."""
        return any(path.startswith(folder) and is_front(path) for path in self._pages)

    def is_view(self, url: str) -> bool:
        """Whether a URL is that of a page of the crawl with parameters more: another order, a post, a search word."""
        path, _, query = written_address(url).partition("?")
        if self.is_act(url):
            return True
        if not query or not (known := self._pages.get(path)):
            return False
        given = frozenset(query.split("&"))
        is_named = identities(self.forms.form(path)) > 0 and not is_script(path)
        return any(own < given and (own or is_named) for own in known)

    def is_act(self, url: str) -> bool:
        """Whether a URL says what to do with a page that others link to by a URL without that: its last post, the next
        thread, its print view. Where many of a form do, all of them do."""
        plain = without_act(url)
        if not plain:
            return False
        form = self.forms.form(url)
        if "?" not in url and ends_in_title(form):
            return False
        if plain.rstrip("/") in self._addresses:
            return True
        return self._acts[form] >= KNOWN

    def came_back(self, url: str) -> None:
        """It is here, or will not come."""
        form = self.forms.form(url)
        if self._out[form] > 0:
            self._out[form] -= 1

    def known(self, form: str) -> Known:
        """What is known of a form."""
        return self._by_form.get(form, _NOTHING)

    def worth(self, url: str, place: str, prior: float) -> float:
        """How promising a link is, from 0 to 1."""
        if self._types.is_user(url) or self._types.is_post(url) or leads_back(url):
            return 0.0
        form = self.forms.form(url)
        before = self.earlier.get(library_key(form)) if self.earlier else None
        if before is not None:
            prior = (prior + before.wanted) / (1.0 + before.number)
        by_form = self._by_form.get(form, _NOTHING)
        alike = self._by_general.get(general(url), _NOTHING)
        least = _FAIR if alike.wanted < _MOSTLY * (1 + alike.other) else _FAIR / 2
        if by_form.number < KNOWN and alike.number >= _MANY and prior >= least:
            prior = (_WEIGHT * prior + alike.wanted) / (_WEIGHT + alike.number)
        weight = _WEIGHT if prior >= GOOD else _DOUBT
        value = (weight * prior + by_form.wanted) / (weight + by_form.number)
        by_place = self._by_place.get((form, place), _NOTHING)
        value = (_WEIGHT * value + by_place.wanted) / (_WEIGHT + by_place.number)
        return max(value, _SURE) if self.is_wanted(form) else value

    def is_wanted(self, form: str) -> bool:
        """Whether a form is one of threads or of lists of them, by all that came of it."""
        known = self.known(form)
        return self._types.is_told(form) and known.wanted >= known.other

    def has_posts(self, form: str) -> bool:
        """Whether most pages of a form have posts, whatever they look like."""
        return self._types.has_posts(form)

    def shares(self, seen: Observation) -> Shares:
        """How much a page is of each type, by its looks and by its links."""
        return self._types.shares(seen)

    def has_room(self, url: str, prior: float) -> bool:
        """Whether a link of that form may go out now: of an unknown one only a few do."""
        form = self.forms.form(url)
        alike = self._by_general.get(general(url), _NOTHING)
        if (
            self.known(form).number >= KNOWN
            or library_key(form) in self.earlier
            or alike.wanted >= _MANY + 10 * alike.other
        ):
            return True
        return self._out[form] < (KNOWN if prior >= 0.8 else 1)

    @property
    def is_settled(self) -> bool:
        """Whether it is known which pages are threads, and which list them."""
        return bool(self._types.types.threads and self._types.types.lists)

    def type_of(self, seen: Observation) -> str:
        """What a page is: by its own looks and links, and by what others of its form were.

        That it looks like neither says less: so do boards without threads, and threads without posts.
        """
        shares = self._types.shares(seen)
        known = self.known(self.forms.form(seen.url))
        if known.number < KNOWN:
            known = self._by_general.get(general(seen.url), _NOTHING)
        own = 1.0 + 0.25 * known.number
        votes = (known.index, known.thread, known.other)
        weights = (own, own, 1.0)
        sums = [share * weight + vote for share, weight, vote in zip(shares, weights, votes, strict=True)]
        return ("index", "thread", "other")[sums.index(max(sums))]

    def learned(self) -> dict[str, Known]:
        """All forms with what they led to."""
        return dict(self._by_form)

    def load(self, observations: Iterable[Observation]) -> None:
        """Learn from pages that came home before."""
        for each in observations:
            self._keep(each)
        self._count()

    def _keep(self, seen: Observation) -> None:
        self._observations[seen.url] = seen
        if len(self._observations) > MOST_OBSERVATIONS:
            del self._observations[next(iter(self._observations))]

    def _count(self) -> None:
        """Forms have changed: count by them anew."""
        self._types.clear()
        for each in self._observations.values():
            self._types.add(each)
        self._types.resolve()
        self._acts = Counter(self.forms.form(url) for url, plain in self._may_act.items() if plain in self._addresses)
        for table in (self._by_general, self._by_form, self._by_place):
            table.clear()
        for each in self._observations.values():
            self._add(each)

    def _add(self, seen: Observation) -> None:
        form, shares = self.forms.form(seen.url), self._types.shares(seen)
        _count_in(self._by_general, general(seen.url), shares)
        _count_in(self._by_form, form, shares)
        _count_in(self._by_place, (form, seen.place), shares)


def _count_in(table: dict[K, Known], key: K, shares: Shares) -> None:
    known = table.get(key, _NOTHING)
    table[key] = Known(known.index + shares[0], known.thread + shares[1], known.other + shares[2])


MOST_VIEWS = 200
MOST_URLS = 20_000
"""URLs from which forms are learned."""
