"""URLs of a forum without session ids, so that each of its pages has one URL and one form.

Old forums write the session of a visitor into every link, under names of their own: `?t=3&sid=...`, `&s=...`. What the
crawl drops from URLs that it compares is left out here as well, and so is what nearly all links of a page share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dowse.core.job import UrlOptions
from dowse.core.options.option_checks import IF_SESSION
from dowse.core.traps import is_session_id
from dowse.core.url_keys import key_rules
from dowse.parse.page import Page

_FEWEST = 5
_SHARE = 0.8
"""How many links with parameters must have one, and which share of them, for it to be that of a session. The links of a
thread to its reply form and its print view share the id of the thread, but those to its boards do not."""


_LONG = re.compile("[0-9A-Za-z]{20,}")
"""A value that is no number of anything, though it may have digits only."""


def plain_urls(page: Page, options: UrlOptions) -> Callable[[str], str]:
    """What makes the links of a page plain. They stay in the order that they are written in."""
    queries = [link.url.partition("#")[0].partition("?")[2].split("&") for link in page.links if "?" in link.url]
    return plain_by(options, _sessions(queries, options))


def plain_by(options: UrlOptions, names: Sequence[str] = ()) -> Callable[[str], str]:
    """What makes URLs plain: it drops what the options drop, and what has one of these names."""
    dropped = (*options.drop_parameters, *names)
    rules = key_rules(
        replace(
            options, drop_parameters=dropped, sort_query=False, alias_www=False, alias_scheme=False, ignore_case=False
        )
    )
    return lambda url: rules.apply(url.partition("#")[0])


def _sessions(queries: Sequence[Sequence[str]], options: UrlOptions) -> list[str]:
    """The names of parameters that hold sessions: nearly all links have one value that looks like an id, or the name
    is often that of a session and its values are long."""
    often = {name.removesuffix(IF_SESSION) for name in options.drop_parameters if name.endswith(IF_SESSION)}
    counts = Counter(each for query in queries for each in set(query))
    found = set()
    for pair, number in counts.items():
        name, _, value = pair.partition("=")
        is_shared = number >= max(_FEWEST, _SHARE * len(queries)) and is_session_id(value)
        if is_shared or (name.lower() in often and _LONG.fullmatch(value)):
            found.add(name)
    return sorted(found)
