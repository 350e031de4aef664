"""The addresses behind the names of mirrored files: programs that copy sites write parameters into names.

viewtopic.php%3Ft=5.html    viewtopic.php?t=5     wget
viewtopic.php@t=5.html      viewtopic.php?t=5     wget for disks that know no question marks
viewtopic3f2a.html?t=5      viewtopic.html?t=5    HTTrack, which puts a part of a sum of the parameters into the name
index.php?topic=5.0;all     index.php?topic=5.0&all

Such an address says what a page is as the board itself would. It is for comparing only: the file has its own name.
"""

from __future__ import annotations

import re
from functools import lru_cache

_IN_NAME = re.compile(r"(?:%3[Ff]|@(?=[\w%.\[\]-]+=))")
_ADDED = re.compile(r"\.html?$")
_SUMMED = re.compile(r"[0-9a-f]{4}(?=\.html?$)")
_SESSION = re.compile(r"=[0-9a-f]{20,64}$")
"""A session, which is no part of what a page is."""

_SUM = re.compile(r"(?<=[a-z])(?=[0-9a-f]{0,3}[a-f])(?=[0-9a-f]{0,3}[0-9])[0-9a-f]{4}(?=\.html?$)")
"""A sum in a name whose parameters are not told: it has digits and letters."""


@lru_cache(maxsize=50_000)
def written_address(url: str) -> str:
    """A URL as the site wrote it before it was copied.

    >>> written_address("http://a.org/f/viewtopic.php%3Ft=5&start=10.html")
    'http://a.org/f/viewtopic.php?t=5&start=10'
    """
    path, mark, query = url.partition("?")
    folder, slash, name = path.rpartition("/")
    if not mark and (told := _IN_NAME.search(name)):
        query = _ADDED.sub("", name[told.end() :])
        name = name[: told.start()]
        # The page without parameters has the ending too.
        name += ".html" if name and "." not in name and _ADDED.search(path) else ""
    elif mark and query:
        name = _SUMMED.sub("", name)
    elif not mark:
        name = _SUM.sub("0000", name)
    query = "&".join(each for each in query.replace(";", "&").split("&") if not _SESSION.search(each))
    return f"{folder}{slash}{name}" + (f"?{query}" if query else "")
