"""Facts about a crawl: what it was briefed with, and what is written down of one that does not run."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from dowse.core.briefing import Briefing
from dowse.store.database import Database
from dowse.store.folder import explained, take_over
from dowse.store.schema import SET_META


def keep_briefing(connection: Database, briefing: Briefing) -> None:
    """In the place of the one before, inside the caller's transaction."""
    connection.execute("DELETE FROM briefing")
    connection.executemany("INSERT INTO briefing VALUES (?, ?)", briefing.items())


def note(directory: Path, name: str, value: str) -> None:
    """Write a fact down; `CrawlReader.meta` reads it. Raises CrawlLocked if the crawl runs."""
    with closing(take_over(directory)) as connection, explained("write"), connection.transaction():
        connection.execute(SET_META, (name, value))
