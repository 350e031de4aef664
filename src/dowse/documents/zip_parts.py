"""The parts of a document that is a zip archive of XML files: unpacked within limits, and read as a stream.

Never is a part in memory as a tree. An archive that unpacks to more than `MOST_BYTES` is read up to there. XML that
declares entities is refused: no office program writes any, and they can stand for a thousand times their size.
"""

from __future__ import annotations

import io
import lzma
import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Protocol
from urllib.parse import unquote
from xml.parsers import expat

from dowse.documents.growing_html import Enough, Markup, Unreadable

MOST_BYTES = 100_000_000
"""What the parts of a document may unpack to, in all."""

_CHUNK = 1 << 16
_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, NotImplementedError)
_RELATION = "relationships id"


class Target(Protocol):
    """Hears of XML piece by piece; names are without their namespaces, but for `rel:id`, which names a relation."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def data(self, text: str) -> None: ...


class Parts:
    """The files in an archive."""

    def __init__(self, body: bytes, markup: Markup) -> None:
        """`markup` knows how much time is left."""
        self._markup = markup
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(body))
        except _DAMAGE as error:
            raise Unreadable("no whole zip archive") from error
        self._names = set(self._archive.namelist())
        self._left = MOST_BYTES

    def has(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        """A whole part; b"" if there is none of that name."""
        return b"".join(self._chunks(name))

    def parse(self, name: str, target: Target, skipped: frozenset[str] = frozenset()) -> None:
        """Tell a part to a target, without what is inside of elements that are `skipped`."""
        parser = _parser(target, skipped)
        try:
            for chunk in self._chunks(name):
                parser.Parse(chunk, False)
        except expat.ExpatError as error:
            raise Unreadable(f"damaged at {name}: {expat.ErrorString(error.code)}") from error

    def _chunks(self, name: str) -> Iterator[bytes]:
        if name not in self._names:
            return
        try:
            with self._archive.open(name) as stream:
                while chunk := stream.read(_CHUNK):
                    self._left -= len(chunk)
                    self._markup.check_time()
                    if self._left < 0:
                        raise Enough("the first part, for it unpacks to far too much")
                    yield chunk
        except RuntimeError as error:  # what the library has to say of passwords
            raise Unreadable("protected by a password") from error
        except _DAMAGE as error:
            raise Unreadable(f"damaged at {name}") from error


def _parser(target: Target, skipped: frozenset[str]) -> expat.XMLParserType:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    below = 0  # how deep inside of what is skipped

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal below
        local = name.rpartition(" ")[2]
        if below or local in skipped:
            below += 1
            return
        target.start(local, {_local(key): value for key, value in attributes.items()} if attributes else attributes)

    def end(name: str) -> None:
        nonlocal below
        if below:
            below -= 1
        else:
            target.end(name.rpartition(" ")[2])

    def data(text: str) -> None:
        if not below:
            target.data(text)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    parser.EntityDeclHandler = _refuse_entities
    return parser


def _local(name: str) -> str:
    return "rel:id" if name.endswith(_RELATION) else name.rpartition(" ")[2]


def _refuse_entities(*_declared: object) -> None:
    raise Unreadable("its XML declares entities")


class Relations:
    """What a part of an Office Open XML file refers to: links, and other parts."""

    def __init__(self, parts: Parts, name: str) -> None:
        """`name` is the part; "" stands for the whole file."""
        folder, _, file = name.rpartition("/")
        self._folder = folder
        self.links: dict[str, str] = {}
        self.parts: dict[str, str] = {}
        self.kinds: dict[str, str] = {}
        parts.parse(posixpath.join(folder, "_rels", f"{file}.rels"), self)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        number, target = attributes.get("Id", ""), attributes.get("Target", "")
        if name != "Relationship" or not target:
            return
        if attributes.get("TargetMode") == "External":
            self.links[number] = target
            return
        place = target if target.startswith("/") else posixpath.join("/", self._folder, target)
        self.parts[number] = posixpath.normpath(unquote(place)).lstrip("/")
        self.kinds.setdefault(attributes.get("Type", "").rpartition("/")[2], self.parts[number])

    def end(self, name: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


def main_part(parts: Parts) -> str:
    """The part of an Office Open XML file that the others belong to."""
    found = Relations(parts, "").kinds.get("officeDocument", "")
    if not parts.has(found):
        raise Unreadable("it has no main part")
    return found
