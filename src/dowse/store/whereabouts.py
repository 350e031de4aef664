"""Where the tables of a crawl are, if not in its folder: a small file there names the database, without a password.

A folder can come from a stranger, and the database it names would get a password of ours from libpq. So only those are
connected to that this user has named before: with --store, or in the environment variable DOWSE_STORE.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from dowse.core.errors import CrawlError, JobError
from dowse.store.inner_paths import inside
from dowse.store.postgres.address import Address, is_address, password_of, schema_of, with_password, without_password

POINTER = "crawl.store"
VARIABLE = "DOWSE_STORE"

_KNOWN = "stores"
_given: dict[str, str] = {}
"""The URLs that this process was given, with their passwords, by what they are without."""


class _Pointer(msgspec.Struct, frozen=True):
    store: str
    schema: str


def has_pointer(directory: Path) -> bool:
    return (directory / POINTER).is_file()


def address_of(directory: Path) -> Address | None:
    """Where the tables of the crawl in a folder are; None if they are in the folder. A CrawlError says what is wrong
    with what the folder says of it."""
    if not has_pointer(directory):
        return None
    found = _read(directory / POINTER)
    return Address(_trusted(directory, without_password(found.store)), found.schema)


def schema_in(directory: Path) -> str:
    """The schema that a folder names."""
    return _read(directory / POINTER).schema


def _read(path: Path) -> _Pointer:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Pointer)
    except (OSError, msgspec.DecodeError) as error:
        raise CrawlError(f"{path} does not say where the crawl is: {error}") from error
    if not is_address(found.store):
        raise CrawlError(f"{path} names no database of PostgreSQL: {found.store!r:.80}")
    return found


def address_for(directory: Path, url: str) -> Address:
    """Where the tables of a crawl go that is begun in a folder, in a database that the user names."""
    check_address(url)
    _remember(url)
    return Address(url, schema_of(directory.resolve().name))


def check_address(url: str) -> None:
    if not is_address(url):
        raise JobError(f"store: expected postgresql://USER@HOST/DATABASE, got {url!r:.80}")


def point_to(directory: Path, address: Address) -> None:
    """Write down where the tables are, whole or not at all."""
    path = inside(directory, POINTER)
    new = inside(directory, f"{POINTER}.new")
    text = msgspec.json.encode(_Pointer(without_password(address.url), address.schema))
    new.write_bytes(msgspec.json.format(text, indent=2) + b"\n")
    new.replace(path)


def remove_pointer(directory: Path) -> None:
    inside(directory, POINTER).unlink(missing_ok=True)


def _remember(url: str) -> None:
    """This user has named the database: for this process with its password, for later ones without."""
    bare = without_password(url)
    if password_of(url) or bare not in _given:
        _given[bare] = url
    known = _known_file()
    try:
        if bare not in _known():
            known.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with known.open("a", encoding="utf-8") as stream:
                stream.write(f"{bare}\n")
    except OSError:
        pass  # there is no place to remember anything; DOWSE_STORE says it


def _trusted(directory: Path, bare: str) -> str:
    if bare in _given:
        return _given[bare]
    said = os.environ.get(VARIABLE, "")
    if said and without_password(said) == bare:
        return with_password(bare, password_of(said)) if password_of(said) else said
    if bare in _known():
        return bare
    raise CrawlError(
        f"the crawl in {directory} says that its tables are in {bare}, a database that you have not named here before;"
        f" if it is yours, say so: dowse resume {directory} --store {bare}, or {VARIABLE}={bare}"
    )


def _known() -> list[str]:
    try:
        return _known_file().read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _known_file() -> Path:
    return Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "dowse" / _KNOWN
