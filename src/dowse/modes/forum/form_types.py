"""What the pages of each form of URLs are, by how they link to each other.

One page alone says too little: a board that shows the latest post of each of its threads looks like a thread, a profile
that lists what someone wrote looks like a board. Beside each other they are told apart:

    users    who the posts are by: the form of the URLs of their authors, and of what else every post links to
    threads  pages with posts that list no others with posts
    lists    pages that list threads
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from msgspec import Struct

from dowse.modes.forum.url_forms import ends_in_title, has_word, identities, is_front, without_act

LISTS = 1.5
"""How many pages of another form a page must list, on average, to be an index of them."""

BOTH_WAYS = 3.0
"""How many times more one form lists another than that lists it."""

BEARS = 0.5
"""The share of pages with posts from which a form has posts."""

_ROOM = 0.5
"""How much like threads the pages of a form must look, beside how much they look like lists, to be threads."""

USERS = 2
_SHARE_OF_AUTHORS = 0.25
"""How many authors must have URLs of a form, and what share of all posts, for it to be that of users."""

OF_POST = "#"
"""What the URLs of posts end with among those of their authors."""

_LEFT = 0.2
"""How much of its share of neither is left to a page that lists threads or has posts."""

_PROGRAM = re.compile(r"\\\.[a-z]{2,5}$")

Shares = tuple[float, float, float]


class Observation(Struct, frozen=True, array_like=True):
    """What came of a URL: how much of an index page, of a thread and of neither it looks, how many posts it has, the
    URLs of their authors and of themselves, where its groups of titles lead (a link of each, and how many there are),
    and how many threads and lists of them it leads to that no other page did."""

    url: str
    place: str
    index: float
    thread: float
    other: float
    posts: int = 0
    authors: list[str] = []
    leads: list[tuple[str, int]] = []
    news: int = 0

    @property
    def shares(self) -> Shares:
        return self.index, self.thread, self.other


class Types(NamedTuple):
    """The forms that are told by their links; `posts` are those of permalinks: threads have another URL."""

    users: frozenset[str] = frozenset()
    posts: frozenset[str] = frozenset()
    threads: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()


class _Facts:
    """What is known of one form: pages, those that a link led to, those with posts, looks, and how many links to each
    form they have."""

    __slots__ = ("bearing", "example", "leads", "linked", "looks", "pages")

    def __init__(self) -> None:
        self.example = ""
        self.pages = self.linked = self.bearing = 0
        self.looks = [0.0, 0.0, 0.0]
        self.leads: Counter[str] = Counter()

    def add(self, seen: Observation, forms: Callable[[str], str]) -> None:
        self.pages += 1
        self.example = self.example or seen.url
        self.linked += bool(seen.place)
        self.bearing += seen.posts > 0
        for place, share in enumerate(seen.shares):
            self.looks[place] += share
        for url, number in seen.leads:
            self.leads[forms(url)] += number

    @property
    def may_be_threads(self) -> bool:
        """Whether its looks leave room for it: a page that is all mail and links may look like a list as well."""
        index, thread, other = self.looks
        return thread >= _ROOM * index and index + thread >= other

    @property
    def looks_like_lists(self) -> bool:
        return self.looks[0] >= BEARS * self.pages

    def is_list_of(self, threads: AbstractSet[str]) -> bool:
        """Whether its pages list threads: several each, or, where they look like lists, several of them together."""
        number = sum(self.leads[thread] for thread in threads)
        return number >= LISTS * self.pages or (number >= LISTS and self.looks_like_lists)

    def leads_to(self, threads: AbstractSet[str]) -> bool:
        """Whether its pages have posts, or list threads."""
        return self.bearing >= BEARS * self.pages or sum(map(self.lists, threads)) >= LISTS

    def lists(self, form: str) -> float:
        return self.leads[form] / self.pages


class FormTypes:
    """Learns from pages what forms are."""

    def __init__(self, forms: Callable[[str], str]) -> None:
        self._forms = forms
        self._facts: dict[str, _Facts] = {}
        self._authors: dict[str, set[str]] = {}
        self._posts: Counter[str] = Counter()
        self._permalinks: Counter[str] = Counter()
        self.types = Types()

    def clear(self) -> None:
        self._facts.clear()
        self._authors.clear()
        self._posts.clear()
        self._permalinks.clear()

    def add(self, seen: Observation) -> None:
        """Count a page; `resolve` says what follows from it."""
        self._facts.setdefault(self._forms(seen.url), _Facts()).add(seen, self._forms)
        for url in seen.authors:
            is_post = url.endswith(OF_POST)
            form = self._forms(url.removesuffix(OF_POST)) if url else ""
            self._posts[form] += not is_post
            self._permalinks[form] += is_post
            if url:
                self._authors.setdefault(form, set()).add(url)

    def resolve(self) -> bool:
        """Say what forms are by all that is known; whether that is news."""
        before = self.types
        users = self._named_by(self._posts)
        posts = self._named_by(self._permalinks) | {form for form, facts in self._facts.items() if self._is_way(facts)}
        listed = {
            form
            for own, facts in self._facts.items()
            for form in facts.leads
            if facts.looks_like_lists and form != own and facts.lists(form) >= LISTS
        }
        bearing = {
            form: facts
            for form, facts in self._facts.items()
            if form not in users
            and form not in posts
            and identities(form)
            and not is_front(facts.example)
            and facts.bearing >= BEARS * facts.pages
            and (facts.may_be_threads or (form in listed and not facts.looks_like_lists))
        }
        above = {form for form in bearing if self._is_above(form, bearing)}
        threads = bearing.keys() - above
        lists = above | {
            form
            for form, facts in self._facts.items()
            if form not in users and form not in threads and facts.is_list_of(threads)
        }
        users |= {form for form in self._parts(threads) if form not in lists}
        self.types = Types(frozenset(users), frozenset(posts - lists), frozenset(threads), frozenset(lists))
        return self.types != before

    def _is_way(self, facts: _Facts) -> bool:
        """Whether the URLs of a form say what to do with a page of another: its last post, the next thread."""
        plain = without_act(facts.example)
        is_title = "?" not in facts.example and ends_in_title(self._forms(facts.example))
        return bool(plain) and not is_title and self._forms(plain) in self._facts

    def _named_by(self, counts: Counter[str]) -> set[str]:
        """The forms of what many posts name."""
        least = max(1.0, _SHARE_OF_AUTHORS * self._posts.total())
        return {
            form
            for form, urls in self._authors.items()
            if len(urls) >= USERS and counts[form] >= least and identities(form)
        }

    def _parts(self, threads: AbstractSet[str]) -> set[str]:
        """The forms of links that each post of a thread has, and that lead neither to posts nor to lists of threads."""
        found = set()
        for thread in threads:
            facts = self._facts[thread]
            for form in facts.leads:
                part = self._facts.get(form)
                is_often = facts.pages >= USERS and facts.lists(form) >= LISTS
                if is_often and part is not None and form not in threads and not part.leads_to(threads):
                    found.add(form)
        return found

    @staticmethod
    def _is_above(form: str, bearing: dict[str, _Facts]) -> bool:
        """Whether the pages of a form list those of another that have posts, and are not listed by them in turn."""
        own = bearing[form]
        return any(
            own.lists(other) >= max(LISTS, BOTH_WAYS * facts.lists(form))
            for other, facts in bearing.items()
            if other != form
        )

    def is_user(self, url: str) -> bool:
        """Whether a URL is that of a user, or of a page below it: what someone wrote, whom they follow."""
        form = self._forms(url)
        if form in self.types.users:
            return not is_front(url)
        path = "/" + url.partition("://")[2].partition("/")[2]
        return any(_below(each, path) for each in self.types.users if has_word(each))

    def is_post(self, url: str) -> bool:
        """Whether a URL is that of a post, which is on a page of a thread."""
        return self._forms(url) in self.types.posts

    def has_posts(self, form: str) -> bool:
        """Whether most pages of a form have posts, and it is not one of users."""
        facts = self._facts.get(form)
        return facts is not None and form not in self.types.users and facts.bearing >= BEARS * facts.pages

    def is_told(self, form: str) -> bool:
        """Whether a form is one of threads or of lists of them. That of the page that the user named, which may be one
        of many views of a thread, is not as long as no link led to another of it."""
        is_one = (form in self.types.threads or form in self.types.lists) and form not in self.types.posts
        return is_one and self._facts[form].linked > 0

    def lists_threads(self, seen: Observation) -> bool:
        """Whether a page itself lists threads of another form than its own."""
        own = self._forms(seen.url)
        others = self.types.threads - {own}
        found = sum(number for url, number in seen.leads if self._forms(url) in others)
        return found >= LISTS

    def shares(self, seen: Observation) -> Shares:
        """How much a page is of each type, by its looks and by its links."""
        form, (index, thread, other) = self._forms(seen.url), seen.shares
        if self.is_user(seen.url):
            return 0.0, 0.0, 1.0
        if (form in self.types.threads or form in self.types.posts) and not is_front(seen.url):
            if seen.posts:
                return 0.0, index + thread + (1 - _LEFT) * other, _LEFT * other
            return index, thread, other
        if seen.news or self.lists_threads(seen):
            return index + thread + (1 - _LEFT) * other, 0.0, _LEFT * other
        # Threads are many: a URL without a number or name is one of its kind.
        is_list = form in self.types.lists or not identities(form) or is_front(seen.url)
        return (index + thread, 0.0, other) if is_list else (index, thread, other)


def _below(form: str, path: str) -> bool:
    # What is behind the name of a program is not below it: all pages of a board may have one.
    return re.match(form.rstrip("/") + ("[/&]" if _PROGRAM.search(form) else "[/?&]"), path) is not None
