"""What pages of a host have in common: the name of the site in their titles, headings and words of their frames.

It says nothing of what a page is about. What is seen on a seventh of a host's pages, and on three at least, is a part
of the template. It is known after a few pages, and hardly changes afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_SHARE = 0.15
_FEWEST = 3
_HOSTS_KEPT = 200
_PIECES_KEPT = 20_000
_BETWEEN = re.compile(r"(?<!\s)\s++[\u2014|\u00b7\u00bb:\u2013-]++\s++")
"""What stands between the name of a page and that of its site."""


class Template:
    """The pieces that pages of one host were seen with."""

    def __init__(self) -> None:
        self._pages = 0
        self._seen: Counter[str] = Counter()

    def add(self, pieces: Iterable[str]) -> None:
        """One more page, and the pieces it has."""
        self._pages += 1
        if len(self._seen) > _PIECES_KEPT:
            self._seen = Counter({piece: count for piece, count in self._seen.items() if count > 1})
        self._seen.update(set(pieces))

    def has(self, piece: str) -> bool:
        return self._seen[piece] >= max(_FEWEST, _SHARE * self._pages)


class Templates:
    """The templates of all hosts met, the last ones."""

    def __init__(self) -> None:
        self._hosts: dict[str, Template] = {}

    def of(self, host: str) -> Template:
        found = self._hosts.get(host)
        if found is None:
            if len(self._hosts) >= _HOSTS_KEPT:
                self._hosts.pop(next(iter(self._hosts)))
            found = self._hosts[host] = Template()
        return found


def title_parts(title: str) -> list[str]:
    """The parts of a title, one of which may be the name of the site.

    >>> title_parts("Time zones \u2014 Django documentation")
    ['Time zones', 'Django documentation']
    """
    return [part for part in _BETWEEN.split(title) if part]
