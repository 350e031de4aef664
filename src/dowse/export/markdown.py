"""Pages as one Markdown text: each begins with its front matter, which tells where it came from.

    ---
    url: "https://example.org/a"
    title: "Bridge closed"
    date: "2024-03-05"
    ---

    # Bridge closed

The values are in quotes as in JSON, which YAML reads too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

FRONT_MATTER = ("url", "title", "author", "date", "language", "sitename")


def write_markdown(rows: Iterable[Mapping[str, Any]], stream: TextIO) -> int:
    """Write rows with a `text`; how many there were comes back. Rows without a text are passed over."""
    count = 0
    for row in rows:
        text = (row.get("text") or "").strip()
        if not text:
            continue
        if count:
            stream.write("\n")
        known = [(name, row[name]) for name in FRONT_MATTER if row.get(name)]
        head = "".join(f"{name}: {json.dumps(str(value), ensure_ascii=False)}\n" for name, value in known)
        stream.write(f"---\n{head}---\n\n{text}\n")
        count += 1
    return count
