"""The names of files in the folder of a crawl for files: each is given once, and stays.

Invariant: no two names differ in case alone, for on many disks they would be one file, and none is the folder of
another. Who comes first has the plain name (core/file_names.py); who comes later has one with a mark.
"""

from __future__ import annotations

from itertools import count

from dowse.core.file_names import file_name, marked
from dowse.store.database import Database

_AFTER_SLASH = "0"
"""The character behind the slash: what begins with "a/" is between "a/" and "a0"."""


class NamedFiles:
    """Gives names, in the transaction in which the files are written down."""

    def __init__(self, connection: Database) -> None:
        self._connection = connection

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
