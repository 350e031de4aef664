"""Pages by the ends of their URLs: index pages, names, and the words by which some are told from others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dowse.core.url_patterns import ENDING, WORD, Address, escaped

_INDEX = re.compile(r"(index|$)")
_MOST_NAMES = 4


def is_index(url: str) -> bool:
    """Whether a URL is that of a folder, or of a page with the name that such pages have."""
    return _INDEX.match(Address.parse(url).segments[-1]) is not None


def named(urls: Sequence[str]) -> str:
    """A pattern of pages by their names, such as `/(index|toc)\\.html$`; "" if they have too many different ones."""
    names = sorted({Address.parse(url).segments[-1] for url in urls})
    endings = {match[0] if (match := ENDING.search(name)) else "" for name in names if name}
    if len(names) > _MOST_NAMES or any("?" in url for url in urls):
        return ""
    ending = endings.pop() if len(endings) == 1 and "" not in names else ""
    stems = [escaped(name.removesuffix(ending)) for name in names if name]
    choice = stems[0] if len(stems) == 1 and len(names) == 1 else f"({'|'.join(stems)})" if stems else ""
    return f"/{choice}{'?' if stems and '' in names else ''}{escaped(ending)}$"


def told_apart(urls: Sequence[str], others: Sequence[str]) -> list[str]:
    """Patterns of a folder or a word that some URLs share and no other has; folders come first."""
    addresses = [Address.parse(url) for url in urls]
    foreign = [Address.parse(url) for url in others]
    folders = set.intersection(*(set(address.segments[:-1]) for address in addresses)) - {""}
    words = set.intersection(*(set(WORD.findall(_name(address))) for address in addresses))
    return [
        *(f"/{escaped(text)}/" for text in sorted(folders) if not any(text in each.segments for each in foreign)),
        *(escaped(word) for word in sorted(words) if not any(word in url for url in others)),
    ]


def _name(address: Address) -> str:
    return ENDING.sub("", address.segments[-1])


def ending_of(url: str) -> Iterator[str]:
    """Patterns of one URL by its last segments, the shortest first."""
    address = Address.parse(url)
    texts = [escaped(text) for text in address.segments]
    if address.query:
        texts[-1] += escaped("?" + address.query)
    begin = len(texts) - 2 if len(texts) > 1 and not texts[-1] else len(texts) - 1
    yield from (f"/{'/'.join(texts[place:])}$" for place in range(begin, -1, -1))
