"""Facts about a crawl that does not run, written down by whoever has its folder for that moment."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from dowse.store.folder import explained, take_over
from dowse.store.schema import SET_META


def note(directory: Path, name: str, value: str) -> None:
    """Write a fact down; `CrawlReader.meta` reads it. Raises CrawlLocked if the crawl runs."""
    with closing(take_over(directory)) as connection, explained("write"), connection.transaction():
        connection.execute(SET_META, (name, value))
