"""The names of files in the folder of a crawl for files: each is given once, and stays.

Invariant: no two names differ in case alone, for on many disks they would be one file, and none is the folder of
another. Who comes first has the plain name (modes/files/file_names.py); who comes later has one with a mark.
"""

from __future__ import annotations

from itertools import count

from dowse.core.protocols import Tally
from dowse.modes.files.file_names import file_name, marked
from dowse.modes.files.options import IS_FILE
from dowse.store.bookkeeping import Bookkeeping
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS file (
    task   INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,                  -- with slashes between folders
    folded TEXT NOT NULL UNIQUE            -- without its case
)""",
)
_NEW = """SELECT judgement.id, task.id, task.url, visit.media_type FROM judgement JOIN task ON task.id = judgement.task
    JOIN visit ON visit.id = task.visit WHERE judgement.id > ? AND judgement.relevance >= ? ORDER BY judgement.id"""

_AFTER_SLASH = "0"
"""The character behind the slash: what begins with "a/" is between "a/" and "a0"."""


class NamedFiles(Bookkeeping):
    """Gives names, in the transaction in which the files are written down; the ranker has told which they are."""

    tables = _TABLES

    def __init__(self, *, may_be_enough: bool = False) -> None:
        """Files `may_be_enough` if the crawl has a patience that can end."""
        self._may_be_enough = may_be_enough

    def load(self, connection: Database) -> None:
        super().load(connection)
        self._last, self._number = connection.execute(
            "SELECT coalesce(max(id), 0), count(*) FILTER (WHERE relevance >= ?) FROM judgement", (IS_FILE,)
        ).fetchone()

    def written(self, admission: Admission) -> None:
        for judgement, number, url, media_type in self._connection.execute(_NEW, (self._last, IS_FILE)).fetchall():
            self.add(number, url, media_type)
            self._last = judgement
            self._number += 1

    @property
    def found(self) -> Tally:
        return Tally("file", self._number, self._may_be_enough)

    def called(self, task: int) -> str:
        row = self._connection.execute("SELECT 1 FROM file WHERE task = ?", (task,)).fetchone()
        return "file" if row else ""

    def add(self, number: int, url: str, media_type: str) -> None:
        """Give the file of this task a name, unless it has one."""
        if self._connection.execute("SELECT 1 FROM file WHERE task = ?", (number,)).fetchone():
            return
        name = self._beside_files(file_name(url, media_type))
        if self._is_taken(name):
            name = next(each for step in count(1) if not self._is_taken(each := marked(name, url, step)))
        self._connection.execute("INSERT INTO file VALUES (?, ?, ?)", (number, name, name.casefold()))

    def _beside_files(self, name: str) -> str:
        """The name with no folder that is the name of a file."""
        *folders, last = name.split("/")
        for place in range(len(folders)):
            while self._is_file("/".join(folders[: place + 1])):
                folders[place] += "_"
        return "/".join([*folders, last])

    def _is_file(self, name: str) -> bool:
        row = self._connection.execute("SELECT 1 FROM file WHERE folded = ?", (name.casefold(),)).fetchone()
        return row is not None

    def _is_taken(self, name: str) -> bool:
        """Whether a file, or a folder with files, has the name."""
        folded = name.casefold()
        row = self._connection.execute(
            "SELECT 1 FROM file WHERE folded = ? OR (folded > ? AND folded < ?) LIMIT 1",
            (folded, f"{folded}/", f"{folded}{_AFTER_SLASH}"),
        ).fetchone()
        return row is not None
