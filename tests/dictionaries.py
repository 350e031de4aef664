"""A small WordNet for tests: a few homonyms, as synsets in memory and as the files of the database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


class Synset(Struct, frozen=True):
    """Words of one meaning. `links` name others by their first word's key, which is the part, the word and a number."""

    key: str
    words: tuple[str, ...]
    gloss: str
    links: tuple[tuple[str, str], ...] = ()

    @property
    def part(self) -> str:
        return self.key[0]


SMALL = (
    Synset("n island", ("island",), "land with water on all sides"),
    Synset("n drink", ("beverage", "drink"), "a liquid to be drunk"),
    Synset("n language", ("programming_language",), "words and rules for writing programs"),
    Synset("n java 1", ("Java",), "an island of Indonesia, south of Borneo", (("@", "n island"),)),
    Synset("n java 2", ("coffee", "java"), 'a drink of roasted beans; "a cup of java"', (("@", "n drink"),)),
    Synset("n java 3", ("Java",), "an object-oriented language", (("@", "n language"),)),
    Synset("n boa", ("boa",), "a large snake that is not poisonous"),
    Synset("n python 1", ("python",), "a large snake of warm countries", (("@", "n boa"), ("~", "n rock python"))),
    Synset("n rock python", ("rock_python",), "an African one"),
    Synset("n python 2", ("Python",), "a dragon that Apollo killed, in Greek myths"),
    Synset("n sort 1", ("kind", "sort", "variety"), 'a category of things; "a sort of person"'),
    Synset("n sort 2", ("sort", "sorting"), "an operation that puts items in order", (("+ 0101", "v sort"),)),
    Synset("n algorithm", ("algorithm",), "the rule of an operation on data"),
    Synset("n snake", ("snake", "serpent"), "a reptile without legs"),
    Synset("n mouse", ("mouse",), "a small rodent"),
    Synset("n heat pump", ("heat_pump",), "a device that warms a house with heat from outside"),
    Synset("n heat", ("heat",), "a form of energy"),
    Synset("n pump", ("pump",), "a shoe without laces"),
    Synset("v sort", ("arrange", "sort"), "put into an order"),
    Synset("a poor", ("poor",), "without money", (("&", "a needy"),)),
    Synset("a needy", ("needy(a)",), "in need"),
)


def write_wordnet(folder: Path, synsets: Sequence[Synset] = SMALL) -> Path:
    """Write the files of the database."""
    folder.mkdir(parents=True, exist_ok=True)
    head = "  1 A notice stands on top of the files, in lines that begin with two spaces.  \n"
    offsets: dict[str, int] = {}
    for _ in range(2):  # the lines are as long when the offsets are known
        lines: dict[str, list[str]] = {part: [] for part in PARTS}
        ends = dict.fromkeys(PARTS, len(head))
        for synset in synsets:
            line = _data_line(synset, offsets)
            offsets[synset.key] = ends[synset.part]
            ends[synset.part] += len(line)
            lines[synset.part].append(line)
    for part, name in PARTS.items():
        (folder / f"data.{name}").write_text(head + "".join(lines[part]))
        (folder / f"index.{name}").write_text(head + "".join(_index_lines(synsets, part, offsets)))
        (folder / f"{name}.exc").write_text("geese goose\nmice mouse\n" if part == "n" else "")
    return folder


def _data_line(synset: Synset, offsets: dict[str, int]) -> str:
    words = " ".join(f"{word} 0" for word in synset.words)
    links = "".join(f"{_pointer(link)} " for link in ((*each, offsets) for each in synset.links))
    at = offsets.get(synset.key, 0)
    return (
        f"{at:08} 03 {synset.part} {len(synset.words):02x} {words} {len(synset.links):03} {links}| {synset.gloss}  \n"
    )


def _pointer(link: tuple[str, str, dict[str, int]]) -> str:
    symbol, _, ends = link[0].partition(" ")
    return f"{symbol} {link[2].get(link[1], 0):08} {link[1][0]} {ends or '0000'}"


def _index_lines(synsets: Sequence[Synset], part: str, offsets: dict[str, int]) -> list[str]:
    places: dict[str, list[str]] = {}
    for synset in synsets:
        for word in synset.words:
            if synset.part == part:
                places.setdefault(word.partition("(")[0].lower(), []).append(f"{offsets[synset.key]:08}")
    return [
        f"{word} {part} {len(each)} 1 @ {len(each)} 0 {' '.join(each)}  \n"
        for word, each in sorted(places.items(), key=lambda item: f"{item[0]} ".encode())
    ]
