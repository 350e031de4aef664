"""What a record is known by: the address of its link, without what the query has put there.

Many sites mark the words of a query on the pages that results lead to, and write them into the links. So the same page
has another link for each query.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote_plus


def record_keys(links: Sequence[str], asked: frozenset[str]) -> list[str]:
    """The links of the results of one answer without the parameters that repeat what was asked for.

    A parameter is left out if it has no other value in any of the links. One parameter stays, or nothing may be left
    that tells a record; and all stay if links were the same without them.

    >>> record_keys(["/page?id=kettle&s[]=tea", "/page?id=pot&s[]=tea"], frozenset({"tea"}))
    ['/page?id=kettle', '/page?id=pot']
    >>> record_keys(["/page?name=tea"], frozenset({"tea"}))
    ['/page?name=tea']
    """
    parts = [link.partition("?") for link in links]
    pairs = [query.split("&") if query else [] for _, _, query in parts]
    told = {_name(pair) for each in pairs for pair in each if _value(pair) not in asked}
    kept = [[pair for pair in each if _name(pair) in told] or each[:1] for each in pairs]
    keys = [path + ("?" + "&".join(each) if each else "") for (path, _, _), each in zip(parts, kept, strict=True)]
    return keys if len(set(keys)) == len(set(links)) else list(links)


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _value(pair: str) -> str:
    return unquote_plus(pair.partition("=")[2]).lower()
