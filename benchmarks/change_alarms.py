"""What counts as a change: real pages with one sentence edited, and with a date, a counter, a token or a banner moved.

    python -m benchmarks change_alarms

The pages are those of manuals, as Debian packs them. Where their content is, is known for the program that made each
manual (markdown_truth.py). An edit is made in a paragraph, item or cell of it that is seen: a word is replaced, a digit
is another, a number is added, the end is cut off, a sentence is added. Noise is one line more in the content that is
another at each visit. Both are put where chance says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

import lxml.html

from benchmarks.markdown_truth import MANUALS, Manual
from benchmarks.sites import unpacked
from benchmarks.tables import Aim, Cell, Column, Table, at_least, at_most
from dowse.core.model import Request, Response
from dowse.extract.content_changes import compare_pages
from dowse.parse.page import Page

PAGES = 60
SEED = 20
FETCHED_AT = 1_760_000_000.0
"""October 2025; noise has dates before that."""

LONGEST_PAGE = 400_000
_SHORTEST, _LONGEST = 60, 600
_WORDS = ("kipper", "lantern", "harbour", "weaver", "granite")
_SENTENCES = ("A new sentence was added by the editors here.", "This does not hold for older releases.")
_MONTHS = ("January", "March", "May", "July", "August", "September")
_CHOSEN_ON = ("git", "apache", "postgresql", "python", "linux", "sqlite", "krb5", "django", "java")
"""The rules of extract/content_changes.py were chosen while looking at pages of these."""


def _edit_word(words: list[str], chance: Random) -> list[str]:
    place = chance.randrange(len(words))
    return [*words[:place], chance.choice(_WORDS), *words[place + 1 :]]


def _edit_digit(words: list[str], chance: Random) -> list[str]:
    """Another digit in a number, a version or a name; nothing where there is none."""
    places = [place for place, word in enumerate(words) if any(letter.isdigit() for letter in word)]
    if not places:
        return words
    place = chance.choice(places)
    word = words[place]
    at = chance.choice([number for number, letter in enumerate(word) if letter.isdigit()])
    changed = f"{word[:at]}{(int(word[at]) + chance.randrange(1, 9)) % 10}{word[at + 1 :]}"
    return [*words[:place], changed, *words[place + 1 :]]


EDITS: dict[str, Callable[[list[str], Random], list[str]]] = {
    "word": _edit_word,
    "digit": _edit_digit,
    "number": lambda words, chance: [*words, str(chance.randrange(10, 99))],
    "cut": lambda words, chance: words[: len(words) // 2],
    "sentence": lambda words, chance: [*words, chance.choice(_SENTENCES)],
}


def _date(chance: Random) -> str:
    return f"{chance.randrange(1, 29)} {chance.choice(_MONTHS)} {chance.randrange(2019, 2025)}"


NOISE: dict[str, Callable[[Random], str]] = {
    "date": lambda chance: f"<p>Today is {_date(chance)}, {chance.randrange(10, 24)}:{chance.randrange(10, 60)}</p>",
    "counter": lambda chance: f"<p>{chance.randrange(1_000, 90_000):,} views</p>",
    "online": lambda chance: f"<div>Users online: {chance.randrange(1, 400)}</div>",
    "token": lambda chance: f"<div>Request id {chance.getrandbits(48):012x}a1</div>",
    "ago": lambda chance: f"<p>Posted {chance.randrange(2, 59)} {chance.choice(['hours', 'days'])} ago by Ann</p>",
    "advertisement": lambda chance: f'<div class="ad">Buy {chance.choice(_WORDS)}s for {chance.randrange(9, 99)}</div>',
    "banner": lambda chance: f'<div id="banner">Visit our sponsor {chance.choice(_WORDS)} {chance.random()}</div>',
    "made in": lambda chance: f"<p>Page generated in 0.{chance.randrange(100, 999)} seconds</p>",
    "hidden": lambda chance: f'<input type="hidden" name="csrf" value="{chance.getrandbits(60):x}">',
}


class Score(NamedTuple):
    """Edits and those reported, noise and false alarms, by kind."""

    edits: Counter[str]
    reported: Counter[str]
    noise: Counter[str]
    alarms: Counter[str]


def run(repeats: int) -> Table:
    scores = {name: score for name, manual in MANUALS.items() if (score := measure(name, manual)).edits}
    rows: list[list[Cell]] = []
    for name, score in scores.items():
        counts = [sum(part.values()) for part in score]
        rows.append([f"{name}*" if name in _CHOSEN_ON else name, *counts])
    total = [sum(int(row[place]) for row in rows) for place in range(1, 5)]
    rows.append(["all", *total])
    columns = [Column(name, "{:,}") for name in ("manual", "edits", "reported", "noise", "false alarms")]
    notes = ["* the rules were chosen while looking at pages of this manual", *_by_kind(scores)]
    title = f"{PAGES} pages of each manual: edits that are reported, and false alarms"
    return Table("change_alarms", title, columns, rows, list(_aims(total)), notes, highlight="all")


def _aims(total: list[int]) -> Iterator[Aim]:
    edits, reported, noise, alarms = total
    yield at_least("edits of one sentence that are reported", reported / edits, 0.99, "{:.4f}")
    yield at_most("false alarms", alarms / noise, 0.01, "{:.4f}")


def _by_kind(scores: dict[str, Score]) -> Iterator[str]:
    for what, of, part in (("reported of edits", 0, 1), ("false alarms of noise", 2, 3)):
        whole: Counter[str] = Counter()
        some: Counter[str] = Counter()
        for score in scores.values():
            whole.update(score[of])
            some.update(score[part])
        yield f"{what}: " + ", ".join(f"{kind} {some[kind]:,} of {whole[kind]:,}" for kind in whole)


def measure(name: str, manual: Manual) -> Score:
    chance = Random(f"{SEED} {name}")
    score = Score(Counter(), Counter(), Counter(), Counter())
    for html in _pages(manual):
        tree = lxml.html.document_fromstring(html)
        places = _places(tree, manual)
        if not places:
            continue
        before = _page(tree)
        for kind, edit in EDITS.items():
            place = chance.choice(places)
            kept = place.text
            words = kept.split()
            after = edit(words, chance)
            if after == words:
                continue
            place.text = " ".join(after) + kept[len(kept.rstrip()) :]  # a link may follow
            score.edits[kind] += 1
            score.reported[kind] += compare_pages(before, _page(tree)).is_content()
            place.text = kept
        for kind, noise in NOISE.items():
            place = chance.choice(places)
            pages = [_with(tree, place, noise(chance)) for _ in range(2)]
            score.noise[kind] += 1
            score.alarms[kind] += compare_pages(*pages).is_content()
    return score


def _pages(manual: Manual) -> Iterator[bytes]:
    folder = next(unpacked(manual.packages).glob(manual.folder))
    paths = [path for path in sorted(folder.rglob("*.html*")) if path.suffix in (".html", ".en") and path.is_file()]
    paths = [path for path in paths if path.stat().st_size <= LONGEST_PAGE]
    for path in paths[:: max(1, len(paths) // PAGES)][:PAGES]:
        yield path.read_bytes()


def _places(tree: Any, manual: Manual) -> list[Any]:
    """Paragraphs, items and cells of the content that begin with text."""
    without = set(tree.xpath(manual.without)) if manual.without else set()
    found = []
    for content in tree.xpath(manual.content)[:1]:
        for place in content.iter("p", "dd", "td", "li"):
            is_seen = not without.intersection([place, *place.iterancestors()]) and not _is_hidden(place)
            if is_seen and place.text and _SHORTEST <= len(place.text) <= _LONGEST:
                found.append(place)
    return found


def _is_hidden(place: Any) -> bool:
    """Whether nobody sees it, or it is no part of what a page has to say by its markup."""
    for each in (place, *place.iterancestors()):
        style = (each.get("style") or "").replace(" ", "")
        if "display:none" in style or each.get("hidden") is not None or each.tag in ("nav", "footer", "button"):
            return True
    return False


def _with(tree: Any, place: Any, noise: str) -> Page:
    """The page with a line before the block at a place."""
    block = next((each for each in place.iterancestors() if each.tag in ("ul", "ol", "dl", "table")), place)
    line = lxml.html.fragment_fromstring(noise)
    block.addprevious(line)
    page = _page(deepcopy(tree))
    line.drop_tree()
    return page


def _page(tree: Any) -> Page:
    html = lxml.html.tostring(tree, encoding="utf-8", doctype="<!DOCTYPE html>")
    request = Request(url="http://site.test/page.html", key_hash=0, host="site.test")
    return Page(Response(request, 200, {"content-type": "text/html; charset=utf-8"}, html, FETCHED_AT, 0.0))
