"""The name of a downloaded file: host and path of its URL, as far as every file system takes them. Pure.

Where a name does not say all that its URL says, it ends with a number made of the URL, so that two URLs have the same
name only if they differ in http and https or in an extension that one of them lacks; whoever gives names looks out for
that, and for disks on which a.pdf and A.pdf are one (modes/files/bookkeeping.py). No name leads out of its folder.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote, urlsplit

from xxhash import xxh3_64_hexdigest

from dowse.modes.files.wanted_files import extension_of, is_usual, usual_extension

_LONGEST = 120
"""Bytes of one part of a name; the most that file systems take is 255."""

_MOST_FOLDERS = 20
_UNSAFE = re.compile(r"""[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]""")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def file_name(url: str, media_type: str) -> str:
    """Where a file goes, with slashes between folders.

    >>> file_name("https://a.example/docs/Annual%20report.pdf", "application/pdf")
    'a.example/docs/Annual report.pdf'
    >>> file_name("https://a.example/get?id=7", "text/csv")
    'a.example/get_id=7-e26cb7e8.csv'
    """
    parts = urlsplit(url)
    steps = [unquote(step) for step in parts.path.split("/") if step] or ["index"]
    if parts.path.endswith("/") and steps != ["index"]:
        steps.append("index")
    exact = [parts.netloc.replace(":", "_"), *steps]
    folders, name = exact[:-1], exact[-1]
    if parts.query:
        stem, dot, extension = name.rpartition(".")
        name = f"{stem}_{unquote(parts.query)}{dot}{extension}" if dot and stem else f"{name}_{unquote(parts.query)}"
    safe = [_safe(step) for step in [*folders[:_MOST_FOLDERS], name]]
    is_whole = not parts.query and safe[:-1] == folders and safe[-1] == name and not _is_spelled_apart(parts.path)
    name = "/".join([*safe[:-1], _ended(safe[-1], url, media_type)])
    return name if is_whole else marked(name, url)


def marked(name: str, url: str, step: int = 0) -> str:
    """A name that only this URL has: with a number before its extension, another one for each step.

    >>> marked("a.example/get.csv", "https://a.example/get")
    'a.example/get-a5e2c37c.csv'
    """
    mark = xxh3_64_hexdigest(url.encode(), seed=step)[:8]
    folder, slash, last = name.rpartition("/")
    stem, dot, ending = last.rpartition(".")
    return f"{folder}{slash}" + (f"{stem}-{mark}{dot}{ending}" if dot and stem else f"{last}-{mark}")


def _ended(name: str, url: str, media_type: str) -> str:
    """The name with the extension of its type, if it has none that fits."""
    usual = usual_extension(media_type)
    if not usual or is_usual(media_type, extension_of(url)) or name.lower().endswith(f".{usual}"):
        return name
    return f"{name}.{usual}"


def _safe(step: str) -> str:
    step = _UNSAFE.sub("_", unicodedata.normalize("NFC", step)).strip(" .")
    if _RESERVED.match(step):
        step = f"_{step}"
    return _shortened(step) or "_"


def _shortened(step: str) -> str:
    """At most so many bytes, with the extension if there is one."""
    if len(step.encode()) <= _LONGEST:
        return step
    stem, dot, extension = step.rpartition(".")
    if not dot or len(extension) > 10:
        stem, dot, extension = step, "", ""
    return stem.encode()[: _LONGEST - len(extension.encode()) - 1].decode("utf-8", "ignore") + dot + extension


def _is_spelled_apart(path: str) -> bool:
    """Whether another path may be written the same: %2F and double slashes."""
    return "//" in path or "%2f" in path.lower()
