"""What somebody at the page names: files, which lie in the served folders, and secrets, which it does not read."""

from __future__ import annotations

from collections.abc import Iterable

from dowse.core.errors import JobError
from dowse.core.options.revisit_options import WAYS
from dowse.core.secret import references
from dowse.modes.rules.rule_databases import POSTGRES, SQLITE, named_table
from dowse.web.served_folders import ServedFolders

WEB = ("http://", "https://")

PLACES: dict[str, tuple[str, ...]] = {
    "table": POSTGRES,
    "like": WEB,
    "unlike": WEB,
    "backlinks": WEB,
    "known": (),
    "profile": (),
    "bodies_at": (),
    "weights": (),
}
"""Options that name files and folders, and how a value begins that names something elsewhere."""

_WORDS = {"weights": WAYS}
"""Values of such options that name no file."""

_NO_FILE = "the page reads no secrets from files; name where it is kept: env:NAME or keyring:SERVICE/USER"
_NO_TERMINAL = "the page cannot ask for it; name where it is kept: env:NAME or keyring:SERVICE/USER"


def served_place(option: str, name: str, folders: ServedFolders) -> str:
    """A value of such an option, with the file that it names if that lies in a served folder; else a JobError."""
    check_references(option, [name])
    if not name or name.startswith(PLACES[option]) or name in _WORDS.get(option, ()):
        return name
    if option == "table" and name.startswith(SQLITE):
        # Parted as the reader of the table parts it: two readings of one name would be a way out.
        database, table = named_table(name)
        return f"{SQLITE}{folders.within(database.removeprefix(SQLITE))}#{table}"
    if "://" in name:
        raise JobError(f"{name!r:.90} is none of {', '.join([*PLACES[option], 'a file of the served folders'])}")
    return str(folders.within(name))


def check_references(option: str, texts: Iterable[str]) -> None:
    """Refuse secrets by a reference that would read any file, or ask whoever sits at the terminal of the server."""
    for text in texts:
        for reference in references(option, text):
            if reference.startswith("file:"):
                raise JobError(f"{option}: {_NO_FILE}")
            if reference.startswith("ask:"):
                raise JobError(f"{option}: {_NO_TERMINAL}")
