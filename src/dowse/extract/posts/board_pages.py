"""A page of a board to its rows: boards and threads, with how much is in them and when they were last written to.

Whether the rows of a list are boards or threads is decided for the whole list: by the words of its counts (topics,
views), by the names of its elements, and by whether its links are like those of the trail, which are boards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TypeVar

import regex
from turbohtml import Document

from dowse.core.mirrored_names import written_address
from dowse.extract.posts.block_names import named
from dowse.extract.posts.board_rows import find_rows, main_links
from dowse.extract.posts.page_reading import PageReading, read_page
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.page_trail import title_of, trail_of
from dowse.extract.posts.row_facts import RowFacts
from dowse.extract.posts.thread_records import BoardPage, BoardRow, Crumb, ThreadRow
from dowse.extract.posts.time_marks import Mark
from dowse.parse.page import Page

_Kind = TypeVar("_Kind", BoardRow, ThreadRow)

MOST_ROWS = 2_000
_TITLE = frozenset(
    {"title", "topictitle", "forumtitle", "subject", "topic", "thread", "forum", "name", "headline", "link"}
)
_OF_BOARDS = frozenset(
    {"forum", "forums", "board", "boards", "category", "categories", "subforum", "subforums", "node", "forumtitle"}
)
_OF_THREADS = frozenset(
    {"topic", "topics", "thread", "threads", "discussion", "discussions", "topictitle", "threadtitle", "subject"}
)
_DIGITS = regex.compile(r"\d+")


def read_board_page(page: Page | Document, url: str, fetched_at: float) -> BoardPage:
    """The boards and threads that a page lists; none where it lists neither."""
    reading = read_page(page, url, fetched_at)
    # A cell of a row holds counts and names beside a time: no time without an element of its own claims all of it.
    reading = reading._replace(marks=[mark for mark in reading.marks if not mark.is_loose])
    trail = trail_of(reading.tree, reading.base, url)
    boards: list[BoardRow] = []
    threads: list[ThreadRow] = []
    for rows in find_rows(reading.spots, reading.marks):
        _read_list(rows[:MOST_ROWS], reading, trail, boards, threads)
    return BoardPage(url, title_of(reading.tree), _once(boards), _once(threads), trail)


def _read_list(
    rows: Sequence[Spot], reading: PageReading, trail: Sequence[Crumb], boards: list[BoardRow], threads: list[ThreadRow]
) -> None:
    titles = _titles(rows, reading.marks)
    facts = [RowFacts(row, titles[row.index], reading) for row in rows if row.index in titles]
    if not facts:
        return
    if _are_boards(facts, trail):
        boards += [fact.board() for fact in facts]
    else:
        threads += [fact.thread() for fact in facts]


def _titles(rows: Sequence[Spot], marks: Sequence[Mark]) -> dict[int, Spot]:
    """The link of each row that is its board or thread: the place that most rows have, with the longest texts."""
    by_look: dict[tuple[str, ...], dict[int, Spot]] = defaultdict(dict)
    for row in rows:
        for link in main_links(row):
            by_look[_look(link, row)].setdefault(row.index, link)
    marked = [mark.spot for mark in marks]

    def worth(look: tuple[str, ...]) -> float:
        links = by_look[look]
        share = len(links) / len(rows)
        hrefs = len({link.attr("href") for link in links.values()}) / len(links)
        letters = sum(min(link.length, 40) for link in links.values()) / len(links)
        first = next(iter(links.values()))
        around = first.parent
        names = named(first) | (named(around) if around is not None else frozenset())
        hint = 0.5 if not _TITLE.isdisjoint(names) or any(step.startswith("h") for step in look) else 0.0
        near = sum(_is_beside_time(link, marked) for link in list(links.values())[:10]) / min(len(links), 10)
        order = 0.1 * (first.index - rows[0].index) / max(1, rows[0].end - rows[0].index)
        return share + 0.5 * hrefs + letters / 40 + hint - 0.8 * near - order

    titles: dict[int, Spot] = {}
    for look in sorted(by_look, key=worth, reverse=True):
        for index, link in by_look[look].items():
            titles.setdefault(index, link)
    return titles


def _look(link: Spot, row: Spot) -> tuple[str, ...]:
    steps = [link.name]
    for around in link.above():
        if around is row:
            break
        steps.append(around.name)
    return tuple(steps)


def _is_beside_time(link: Spot, marked: Sequence[Spot]) -> bool:
    """Whether a link and a time are in the same small part: that of the last post."""
    around = link.parent
    return around is not None and around.length <= 160 and any(around.holds(spot) for spot in marked)


def _are_boards(facts: Sequence[RowFacts], trail: Sequence[Crumb]) -> bool:
    """Whether the rows of a list are boards."""
    kinds = Counter(count.kind for fact in facts for count in fact.counts)
    points = 2.0 if kinds["threads"] * 2 > len(facts) else 0.0
    points -= 2.0 if kinds["views"] * 2 > len(facts) else 0.0
    points -= 1.0 if kinds["replies"] * 2 > len(facts) else 0.0
    names = Counter(word for fact in facts for spot in _named_around(fact) for word in named(spot))
    boards, threads = (sum(names[word] for word in words) for words in (_OF_BOARDS, _OF_THREADS))
    points += 1.0 if boards > threads else -1.0 if threads > boards else 0.0
    known = {_shape(crumb.url) for crumb in trail[1:]}
    points += 1.5 if 2 * sum(_shape(fact.url) in known for fact in facts) > len(facts) else 0.0
    has_authors = sum(bool(fact.author()) for fact in facts)
    points -= 1.0 if 2 * has_authors > len(facts) else 0.0
    return points > 0


def _shape(url: str) -> str:
    """An address without what tells it from others like it: steps with numbers, and numbers."""
    path, _, query = written_address(url).partition("?")
    steps = ("#" if _DIGITS.search(step) else step for step in path.split("/")[3:])
    return f"{'/'.join(steps)}?{_DIGITS.sub('#', query)}"


def _named_around(fact: RowFacts) -> list[Spot]:
    around = [fact.title, fact.row]
    for spot in fact.title.above():
        if spot is fact.row:
            break
        around.append(spot)
    if fact.row.parent is not None:
        around.append(fact.row.parent)
    return around


def _once(rows: Sequence[_Kind]) -> tuple[_Kind, ...]:
    """Each board or thread once, where it stands first."""
    return tuple({row.url: row for row in reversed(rows) if row.url}.values())[::-1]
