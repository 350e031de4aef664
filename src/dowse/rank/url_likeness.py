"""How much a URL has in common with wanted ones, by its words and folders. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]{3,}")


class Likeness:
    """Compares URLs with wanted ones.

    >>> like = Likeness(["http://a.org/guides/cats.html"])
    >>> like.of("http://a.org/guides/dogs.html") > like.of("http://a.org/contact.html")
    True
    """

    def __init__(self, wanted: Sequence[str]) -> None:
        self._folders = {folder for url in wanted for folder in _folders(url)}
        self._words = {word for url in wanted for word in _words(url)}

    def of(self, url: str) -> float:
        """From 0 to 3: to share all words with wanted URLs is worth 2, all folders 1."""
        folders, words = _folders(url), _words(url)
        shared = sum(folder in self._folders for folder in folders) / len(folders)
        known = sum(word in self._words for word in words) / len(words) if words else 0.0
        return shared + 2.0 * known


def _folders(url: str) -> list[str]:
    """The folders that a URL lies in, from its host down: `//a.org/`, `//a.org/b/`."""
    path = url.partition("?")[0].partition(":")[2].rpartition("/")[0]
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(3, len(parts) + 1)]


def _words(url: str) -> set[str]:
    return set(_WORD.findall(url.partition("://")[2].partition("/")[2].lower()))
