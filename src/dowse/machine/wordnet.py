"""WordNet, from the files of its database where they are on this machine: what a word means, and the words beside it.

    $WNSEARCHDIR, $WNHOME/dict           as WordNet's own programs look for it
    /usr/share/wordnet                   apt install wordnet-base
    /opt/homebrew, /usr/local            brew install wordnet
    nltk_data/corpora/wordnet            python -m nltk.downloader wordnet, unpacked

No package carries the data in its wheel. Of those that read it, nltk takes only its own download and wn only a data
base of its own making. A word is easily looked up in the sorted files as they are, in a millisecond or two.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dowse.core.errors import CrawlError
from dowse.score.related import Meaning

HOW_TO_INSTALL = (
    "apt install wordnet-base, brew install wordnet, or set WNSEARCHDIR to the folder of its files"
    " (related words for --by priority)"
)

_PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_RELATIONS = {
    "@": "broader", "@i": "broader", "~": "narrower", "~i": "narrower", "+": "derived", "&": "narrower",
    "%p": "part", "#p": "part", "%m": "part", "#m": "part", "%s": "part", "#s": "part",
    ";c": "field", "-c": "field",
}  # fmt: skip
# What to take off a form to have its word, and what to put there; WordNet's own rules.
_ENDINGS = {
    "n": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip
_MOST_LINKED = 40
"""Words of one relation that are read: person has hundreds of narrower ones, which tell nothing."""


class _Link(NamedTuple):
    symbol: str
    part: str
    offset: int
    source: int
    target: int


class _Synset(NamedTuple):
    """The words that mean one thing."""

    words: tuple[str, ...]
    gloss: str
    links: tuple[_Link, ...]


def find_wordnet() -> Path | None:
    """The folder of the database's files, if there is one."""
    names = [f"{kind}.{part}" for part in _PARTS.values() for kind in ("index", "data")]
    return next((folder for folder in _folders() if all((folder / name).is_file() for name in names)), None)


def _folders() -> Iterator[Path]:
    if given := os.environ.get("WNSEARCHDIR"):
        yield Path(given)
    if home := os.environ.get("WNHOME"):
        yield Path(home) / "dict"
    yield from map(Path, ("/usr/share/wordnet", "/opt/homebrew/opt/wordnet/dict", "/usr/local/opt/wordnet/dict"))
    yield from map(Path, ("/usr/local/WordNet-3.0/dict", "/usr/share/nltk_data/corpora/wordnet"))
    yield Path.home() / "nltk_data/corpora/wordnet"


class WordNet:
    """Looks words up."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = {part: _mapped(folder / f"index.{name}") for part, name in _PARTS.items()}
        self._data = {part: _mapped(folder / f"data.{name}") for part, name in _PARTS.items()}
        self._exceptions = {part: _mapped(folder / f"{name}.exc") for part, name in _PARTS.items()}

    def meanings(self, word: str) -> list[Meaning]:
        """What a word, or words with spaces between them, can mean: as a noun first, the most usual first."""
        form = word.strip().lower().replace(" ", "_")
        if not form:
            return []
        try:
            places = {
                (part, offset): lemma
                for part in _PARTS
                for lemma in self._lemmas(form, part)
                for offset in self._offsets(lemma, part)
            }
            return [self._meaning(lemma, part, offset) for (part, offset), lemma in places.items()]
        except (ValueError, IndexError) as error:
            raise CrawlError(
                f"the WordNet files in {self._folder} are damaged at {word!r}; install them anew, or use --no-related"
            ) from error

    def _lemmas(self, form: str, part: str) -> list[str]:
        """The words that a form may be of; the first that has an entry, and irregular ones."""
        irregular = _line(self._exceptions[part], form)[1:]
        endings = [(old, new) for old, new in _ENDINGS[part] if form.endswith(old) and len(form) > len(old) + 1]
        forms = [form, *(form.removesuffix(old) + new for old, new in endings)]
        return [*[each for each in forms if _line(self._index[part], each)][:1], *irregular]

    def _offsets(self, lemma: str, part: str) -> list[int]:
        fields = _line(self._index[part], lemma)
        return [int(each) for each in fields[-int(fields[2]) :]] if fields else []

    def _synset(self, part: str, offset: int) -> _Synset:
        data = self._data[part]
        end = data.find(b"\n", offset)
        record, _, gloss = data[offset:end].decode("utf-8", "replace").partition(" | ")
        fields = record.split(" ")
        count = int(fields[3], 16)
        words = tuple(fields[4 + 2 * place].partition("(")[0] for place in range(count))
        at = 5 + 2 * count
        links = []
        for place in range(int(fields[at - 1])):
            symbol, to, of, ends = fields[at + 4 * place : at + 4 * place + 4]
            links.append(_Link(symbol, of, int(to), *bytes.fromhex(ends)))
        return _Synset(words, gloss, tuple(links))

    def _meaning(self, lemma: str, part: str, offset: int) -> Meaning:
        synset = self._synset(part, offset)
        own = next((number for number, each in enumerate(synset.words, 1) if each.lower() == lemma), 0)
        relatives: dict[str, list[str]] = {"synonym": _plain(synset.words)}
        for link in synset.links:
            relation = _RELATIONS.get(link.symbol)
            words = relatives.setdefault(relation, []) if relation else []
            if relation and link.source in (0, own) and len(words) < _MOST_LINKED:
                other = self._synset("a" if link.part == "s" else link.part, link.offset)
                words += _plain(other.words[link.target - 1 : link.target] if link.target else other.words)
        return Meaning(synset.gloss.strip(), {name: tuple(words) for name, words in relatives.items() if words})


def _plain(words: tuple[str, ...] | list[str]) -> list[str]:
    return [word.replace("_", " ") for word in words]


def _mapped(path: Path) -> mmap.mmap | bytes:
    """A file as bytes that are read where they are needed. One that is missing, or has nothing in it, is empty."""
    if not path.is_file() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _line(lines: mmap.mmap | bytes, word: str) -> list[str]:
    """The fields of the line that begins with the word, in lines that are sorted; none if it is not there."""
    sought = word.encode() + b" "
    low, high = 0, len(lines)
    while low < high:
        middle = lines.rfind(b"\n", 0, (low + high) // 2) + 1
        end = lines.find(b"\n", middle)
        end = len(lines) if end < 0 else end
        line = bytes(lines[middle:end])
        if line.startswith(sought):
            return line.decode().split()
        if line < sought:
            low = end + 1
        else:
            high = middle
    return []
