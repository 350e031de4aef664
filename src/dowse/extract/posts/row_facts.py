"""What one row of a board says: its people, its times, its numbers, and whether it is sticky, locked or moved."""

from __future__ import annotations

from dowse.extract.posts.block_names import may_name_author
from dowse.extract.posts.forum_words import BY, STICKY
from dowse.extract.posts.page_reading import PageReading
from dowse.extract.posts.page_spots import Spot, shared_depth
from dowse.extract.posts.row_counts import Count, counts_of, headings_of
from dowse.extract.posts.thread_records import BoardRow, ThreadRow


class RowFacts:
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
        to_time, to_title = shared_depth(spot, self.last.spot), shared_depth(spot, self.title)
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
            is_sticky=STICKY.search(said) is not None,
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
            rest = around.text.replace(self.title.text, "", 1).strip(" :-\u2013—")
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
    found = BY.search(text)
    return str(found["name"]).strip() if found is not None else ""
