"""Where the full-text index of a crawl is: a file beside the crawl's database, with a lock of its own.

The crawl may be running, and has one writer. So the index is no part of its database: whoever searches can bring it up
to date, one process at a time, and the others read what is there.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import filelock

from dowse.core.errors import CrawlError
from dowse.store.database import Trouble
from dowse.store.folder import DATABASE
from dowse.store.inner_paths import inside, make_private
from dowse.store.search.fts5_index import Fts5Index, Reader
from dowse.store.sqlite import files_of, open_file, trouble_of

SEARCH = "search.db"
_LOCK = "search.lock"

FILES = (*(file.name for file in files_of(Path(SEARCH))), _LOCK)
"""The files in the folder of a crawl that are for searches."""


def open_to_read(directory: Path, version: str, words: Reader) -> Fts5Index | None:
    """The index of a crawl; None if there is none, or one of another version."""
    for file in files_of(directory / SEARCH):
        inside(directory, file.name)
    if not (directory / SEARCH).exists():
        return None
    with ExitStack() as undo:
        index = Fts5Index(open_file(directory / SEARCH, read_only=True), version, words)
        undo.callback(index.close)
        try:
            is_ours = index.is_readable()
        except Exception as error:
            if (found := trouble_of(error)) is None:
                raise
            if found[0] is Trouble.DAMAGED:
                raise _damaged(directory) from error
            raise CrawlError(f"cannot read {directory / SEARCH}: {found[1]}") from error
        if not is_ours:
            return None
        undo.pop_all()
    return index


def open_to_write(directory: Path, version: str, words: Reader) -> Fts5Index | None:
    """The index of a crawl, made if there is none; None if another process writes to it now. Raises CrawlError where
    nothing can be written."""
    for name in FILES:
        inside(directory, name)
    if not os.access(directory, os.W_OK):
        raise CrawlError(
            f"the search index of {directory} cannot be written there: the folder is read-only;"
            " get the right to write to it, or search a copy of the folder"
        )
    lock = filelock.FileLock(directory / _LOCK)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return None
    with ExitStack() as undo:
        undo.callback(lock.release)
        if (directory / DATABASE).exists() and not (directory / DATABASE).stat().st_mode & 0o077:
            make_private(directory / SEARCH)  # as the crawl is
        database = open_file(directory / SEARCH)
        undo.callback(database.close)
        try:
            database.set_up()
            index = Fts5Index(database, version, words)
            index.prepare()
        except Exception as error:
            if isinstance(error, CrawlError) or (found := trouble_of(error)) is None:
                raise
            if found[0] is Trouble.DAMAGED:
                raise _damaged(directory) from error
            raise CrawlError(f"cannot write {directory / SEARCH}: {found[1]}") from error
        database.keep(lock)
        undo.pop_all()
    return index


def _damaged(directory: Path) -> CrawlError:
    file = directory / SEARCH
    return CrawlError(f"{file} is damaged; remove it, and the next search makes it anew from the stored pages")
