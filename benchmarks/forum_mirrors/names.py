"""What the pages of a mirror are called: as the board called them, or as the program that copied it named its files.

live      viewtopic.php?f=2&t=5           the board itself
wget      viewtopic.php%3Ff=2&t=5.html    wget -E -k
windows   viewtopic.php@f=2&t=5.html      the same with --restrict-file-names=windows
httrack   viewtopic3f2a.html?f=2&t=5      HTTrack: part of a sum of the parameters, which are kept in links
"""

from __future__ import annotations

from hashlib import md5
from urllib.parse import unquote

SCHEMES = ("live", "wget", "windows", "httrack")
_ENDINGS = (".html", ".htm", ".txt.gz", ".mbox")


def named(address: str, scheme: str) -> str:
    """What a mirror calls an address of the board.

    >>> named("viewtopic.php?f=2", "wget"), named("viewtopic.php?f=2", "windows"), named("threads/a.1/", "wget")
    ('viewtopic.php%3Ff=2.html', 'viewtopic.php@f=2.html', 'threads/a.1/index.html')
    """
    path, mark, query = address.partition("?")
    if scheme == "live":
        return address
    if not path or path.endswith("/"):
        path += "index.html"
    if scheme == "httrack":
        stem, dot, _ = path.rpartition(".") if "." in path.rpartition("/")[2] else (path, ".", "")
        summed = md5(query.encode()).hexdigest()[:4] if query else ""
        return f"{stem}{summed}{dot}html" + (f"?{query}" if query else "")
    sign = "@" if scheme == "windows" else "%3F"
    whole = f"{path}{sign}{query}" if mark else path
    return whole if whole.endswith(_ENDINGS) else f"{whole}.html"


def address_of(name: str, scheme: str, pages: str = "php") -> str:
    """The address of the board that a mirror has under a name; `pages` is what the files of the board end with.

    >>> address_of("viewtopic.php%3Ff=2.html", "wget"), address_of("threads/a.1/index.html", "wget")
    ('viewtopic.php?f=2', 'threads/a.1/')
    """
    if scheme == "live":
        return name
    path, _, query = name.partition("?")
    path = unquote(path)
    if scheme == "httrack":
        if query:
            path = path[: -len("0000.html")] + f".{pages}"
        elif path.endswith("/index.html") or path == "index.html":
            path = path[: -len("index.html")]
        return f"{path}?{query}" if query else path
    path = path.replace("@", "?", 1) if scheme == "windows" else path
    if "?" in path:
        return path.removesuffix(".html").replace("/index.html?", "/?", 1)
    if path.endswith("index.html"):
        return path[: -len("index.html")]
    return path.removesuffix(".html") if path.endswith(".php.html") else path
