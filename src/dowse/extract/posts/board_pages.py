"""A page of a board to its rows: boards and threads, with how much is in them and when they were last written to.

Whether the rows of a list are boards or threads is decided for the whole list: by the words of its counts (topics,
views), by the names of its elements, and by whether its links are like those of the trail to the page, which are boards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import regex
from turbohtml import Document

from dowse.extract.posts.block_names import may_name_author, named
from dowse.extract.posts.board_rows import find_rows, main_links
from dowse.extract.posts.page_reading import PageReading, read_page
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.page_trail import title_of, trail_of
from dowse.extract.posts.row_counts import Count, counts_of, headings_of
from dowse.extract.posts.thread_records import BoardPage, BoardRow, Crumb, ThreadRow
from dowse.extract.posts.time_marks import Mark
from dowse.parse.page import Page

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
_STICKY = regex.compile(
    r"sticky|pinned|announce|\bpin\b|wichtig|angepinnt|ankündigung|épinglé|important|fijado|anclado|in evidenza|"
    r"закреп|прикреп|przyklej|sabit|置顶|置頂|固定|고정|مثبت|מוצמד|klistrad",
    regex.IGNORECASE,
)
_LOCKED = regex.compile(
    r"locked|closed|geschlossen|gesperrt|verrouillé|fermé|cerrado|chiuso|закрыт|zamkni|kilitli|锁定|鎖定|잠금|مغلق|نعול",
    regex.IGNORECASE,
)
_MOVED = regex.compile(
    r"\bmoved\b|verschoben|déplacé|movido|spostato|перемещен|przeniesion|taşındı|移动|移動", regex.IGNORECASE
)
_DIGITS = regex.compile(r"\d+")
_BY = regex.compile(
    r"\b(?:by|von|par|por|di|от|door)\b[:\s]+(?P<name>[^»,|<>\n]{1,40}?)\s*(?:[»,|<>(—–-]|\bon\b|$)", regex.IGNORECASE
)


def read_board_page(page: Page | Document, url: str, fetched_at: float) -> BoardPage:
    """The boards and threads that a page lists; none where it lists neither."""
    reading = read_page(page, url, fetched_at)
    trail = trail_of(reading.tree, reading.base, url)
    boards: list[BoardRow] = []
    threads: list[ThreadRow] = []
    for rows in find_rows(reading.spots, reading.marks):
        _read_list(rows[:MOST_ROWS], reading, trail, boards, threads)
    return BoardPage(url, title_of(reading.tree), _once(boards), _once_threads(threads), trail)


def _read_list(
    rows: Sequence[Spot], reading: PageReading, trail: Sequence[Crumb], boards: list[BoardRow], threads: list[ThreadRow]
) -> None:
    titles = _titles(rows, reading.marks)
    facts = [_Row(row, titles[row.index], reading) for row in rows if row.index in titles]
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


class _Row:
    """What one row says."""

    def __init__(self, row: Spot, title: Spot, reading: PageReading) -> None:
        self.row = row
        self.title = title
        self._base = reading.base
        self._marks = [mark for mark in reading.marks if row.holds(mark.spot) and not title.holds(mark.spot)]
        self._times = reading.times
        self._people = self._find_people()
        self.counts = counts_of(row, headings_of(row), (title, *(mark.spot for mark in self._marks), *self._people))
        self.last = max(self._marks, key=lambda mark: self._times[mark.spot.index], default=None)

    @property
    def url(self) -> str:
        return self._base.join(self.title.attr("href")) or ""

    @property
    def last_time(self) -> str:
        return self._times[self.last.spot.index] if self.last is not None else ""

    def _find_people(self) -> list[Spot]:
        """The names in the row, each once."""
        found: list[Spot] = []
        for spot in self.row.within():
            if (
                may_name_author(spot)
                and spot.tag != "img"
                and not self.title.holds(spot)
                and not spot.holds(self.title)
            ):
                if found and found[-1].holds(spot):
                    found[-1] = spot
                else:
                    found.append(spot)
        return [spot for spot in found if not any(mark.spot is spot or spot.holds(mark.spot) for mark in self._marks)]

    def last_author(self) -> str:
        people = [spot for spot in self._people if self._is_of_last(spot)]
        if people:
            return _name(people[0])
        around = self.last.spot.parent if self.last is not None else None
        return _said_by(self.last.words if self.last is not None else "") or _said_by(
            around.text[:200] if around is not None else ""
        )

    def author(self) -> str:
        people = [spot for spot in self._people if not self._is_of_last(spot)]
        if people:
            return _name(people[0])
        around = self.title.parent
        texts = [around.text] if around is not None and around.length < 300 else []
        return next((name for text in texts if (name := _said_by(text.replace(self.title.text, " ")))), "")

    def _is_of_last(self, spot: Spot) -> bool:
        """Whether a name stands nearer to the last time than to the title."""
        if self.last is None:
            return False
        to_time, to_title = _shared(spot, self.last.spot), _shared(spot, self.title)
        if to_time != to_title:
            return to_time > to_title
        return len(self._people) > 1 and spot is self._people[-1]

    def board(self) -> BoardRow:
        threads, posts = self._pair("threads", "posts", ("replies", "views"))
        return BoardRow(
            self.title.text, self.url, self._description(), threads, posts, self.last_time, self.last_author()
        )

    def thread(self) -> ThreadRow:
        replies, views = self._pair("replies", "views", ("posts", "threads"))
        said = self._signs()
        return ThreadRow(
            title=self.title.text,
            url=self.url,
            author=self.author(),
            replies=replies,
            views=views,
            last_time=self.last_time,
            last_author=self.last_author(),
            is_sticky=_STICKY.search(said) is not None,
            is_locked=_LOCKED.search(said) is not None,
            is_moved=_MOVED.search(said) is not None,
        )

    def _pair(self, first: str, second: str, others: tuple[str, ...]) -> tuple[int | None, int | None]:
        by_kind: dict[str, int] = {}
        for count in self.counts:
            if count.kind:
                by_kind.setdefault(count.kind, count.value)
        one, two = by_kind.get(first), by_kind.get(second)
        if first == "replies" and one is None and "posts" in by_kind:
            one = max(0, by_kind["posts"] - 1)
        bare = [count.value for count in self.counts if not count.kind and _is_bare(count)]
        if one is None and two is None and bare and not any(kind in by_kind for kind in others):
            one, two = bare[0], bare[1] if len(bare) > 1 else None
        return one, two

    def _description(self) -> str:
        around = self.title.parent
        for _ in range(3):
            if around is None or around is self.row:
                break
            rest = around.text.replace(self.title.text, "", 1).strip(" :-–—")
            if len(rest) > 8:
                return rest[:300]
            around = around.parent
        return ""

    def _signs(self) -> str:
        """What the names, pictures and labels of a row say, but not its title."""
        said = [self.row.classes]
        for spot in self.row.within():
            if spot.tag in (
                "i",
                "img",
                "span",
                "svg",
                "em",
                "strong",
                "b",
                "div",
                "td",
                "dl",
                "a",
                "li",
                "abbr",
                "label",
            ):
                said += [
                    spot.classes,
                    spot.attr("alt") if spot.tag == "img" else "",
                    spot.attr("title") if spot is not self.title else "",
                ]
                if 0 < spot.length <= 24 and not self.title.holds(spot) and spot.tag != "a":
                    said.append(spot.text)
        return " | ".join(filter(None, said)).replace("_", " ")


def _is_bare(count: Count) -> bool:
    return count.spot.text.strip().replace(",", "").replace(".", "").replace("\u00a0", "").isdigit()


def _name(spot: Spot) -> str:
    return spot.text.strip(" :,»")


def _said_by(text: str) -> str:
    found = _BY.search(text)
    return str(found["name"]).strip() if found is not None else ""


def _shared(one: Spot, other: Spot) -> int:
    return next((around.depth for around in (one, *one.above()) if around.holds(other)), 0)


def _are_boards(facts: Sequence[_Row], trail: Sequence[Crumb]) -> bool:
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
    path, _, query = url.partition("?")
    steps = ("#" if _DIGITS.search(step) else step for step in path.split("/")[3:])
    return "/".join(steps) + "?" + _DIGITS.sub("#", query)


def _named_around(fact: _Row) -> list[Spot]:
    around = [fact.title, fact.row]
    for spot in fact.title.above():
        if spot is fact.row:
            break
        around.append(spot)
    if fact.row.parent is not None:
        around.append(fact.row.parent)
    return around


def _once(rows: Sequence[BoardRow]) -> tuple[BoardRow, ...]:
    return tuple({row.url: row for row in reversed(rows) if row.url}.values())[::-1]


def _once_threads(rows: Sequence[ThreadRow]) -> tuple[ThreadRow, ...]:
    return tuple({row.url: row for row in reversed(rows) if row.url}.values())[::-1]
