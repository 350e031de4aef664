"""Pages as Markdown: one text, a line of JSON for each, or a file for each. Each begins with its front matter:

    ---
    url: "https://example.org/a"
    title: "Bridge closed"
    date: "2024-03-05"
    ---

    # Bridge closed

The values are in quotes as in JSON, which YAML reads too. Files are named as the pages are: docs.example/topics/a.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import unquote, urlsplit

from xxhash import xxh3_64_hexdigest

from dowse.export.atomic_folder import growing_folder

Rows = Iterable[Mapping[str, Any]]
WriteRows = Callable[[Rows], int]
"""Writes rows with a `text`; how many there were comes back. Rows without a text are passed over."""

FRONT_MATTER = ("url", "title", "author", "date", "language", "sitename", "pages", "note")
_LONGEST_NAME = 100
_NO_NAME = re.compile(r"[^\w.+=@,-]+")
_PAGE_ENDING = re.compile(r"\.(?:x?html?|php|aspx?|jsp)$", re.IGNORECASE)


def write_markdown(rows: Rows, stream: TextIO) -> int:
    """One text, page after page."""
    count = 0
    for row in _with_text(rows):
        if count:
            stream.write("\n")
        stream.write(document(row))
        count += 1
    return count


def write_lines(rows: Rows, stream: TextIO) -> int:
    """A line of JSON for each page; its Markdown is `markdown`."""
    count = 0
    for row in _with_text(rows):
        fields = {name: value for name, value in row.items() if name != "text"}
        stream.write(json.dumps({**fields, "markdown": row["text"]}, ensure_ascii=False) + "\n")
        count += 1
    return count


WRITERS: Mapping[str, Callable[[TextIO], WriteRows]] = {
    "markdown": lambda stream: lambda rows: write_markdown(rows, stream),
    "jsonl": lambda stream: lambda rows: write_lines(rows, stream),
}


def write_folder(rows: Rows, folder: Path) -> int:
    """A file for each page. The folder takes its place when it is complete; one that has something in it stays."""
    taken: set[str] = set()
    count = 0
    with growing_folder(folder) as part:
        for row in _with_text(rows):
            file = part / file_name(str(row["url"]), taken)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(document(row), encoding="utf-8", newline="")
            count += 1
    return count


def document(row: Mapping[str, Any]) -> str:
    """A page with its front matter."""
    known = [(name, row[name]) for name in FRONT_MATTER if row.get(name)]
    head = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in known)
    return f"---\n{head}---\n\n{row['text']}\n"


def file_name(url: str, taken: set[str]) -> str:
    """Where the file of a page is, below the folder; no two are the same where letters count once.

    >>> taken = set()
    >>> file_name("https://docs.example/topics/", taken), file_name("https://docs.example/topics/a.html?x=../1", taken)
    ('docs.example/topics/index.md', 'docs.example/topics/a-x=..-1.md')
    """
    parts = urlsplit(url)
    *folders, last = parts.path.split("/")
    last = _PAGE_ENDING.sub("", last) or "index"
    names = [_name(part) for part in (parts.netloc, *folders, f"{last}-{parts.query}" if parts.query else last)]
    path = "/".join(name for name in names if name)
    # A file cannot stand where a folder does: what is below a page is in a folder of its name without the ending.
    if f"{path}.md".lower() in taken:
        path = f"{path}-{xxh3_64_hexdigest(url.encode())[:8]}"
    taken.add(f"{path}.md".lower())
    return f"{path}.md"


def _name(part: str) -> str:
    """A part of a URL as a name that every file system takes."""
    name = _NO_NAME.sub("-", unquote(part)).strip(".-")
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}-{xxh3_64_hexdigest(part.encode())[:8]}"


def _with_text(rows: Rows) -> Iterator[Mapping[str, Any]]:
    for row in rows:
        text = (row.get("text") or "").strip()
        if text:
            yield {**row, "text": text}
