"""A board in the manner of some software: its content under the addresses, and in the markup, that the software has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import parse_qsl

from benchmarks.forum_mirrors.tongues import Tongue
from benchmarks.forum_software.content import Content, Post, Thread, User
from benchmarks.forum_software.truth import pages


class Shown(NamedTuple):
    """A page: what it is (index, thread or other), which one of those, and its markup. Two pages that are the same one
    are copies of each other."""

    kind: str
    which: tuple[object, ...]
    markup: str


class Line(NamedTuple):
    """A thread on a board."""

    number: int
    thread: Thread


class Manner(ABC):
    """One software. Addresses are below the folder of the forum."""

    name = ""
    entry = "index.php"
    folder = "/forum/"
    language = "en"
    charset = "utf-8"
    exactness = "minute"
    posts_a_page = 10
    threads_a_page = 12
    sets_cookies = False

    def __init__(self, content: Content) -> None:
        self.content = content
        self.say = Tongue(self.language)
        self.threads = [Line(number, thread) for number, thread in enumerate(content.threads, 3)]
        self.users = {user.name: number for number, user in enumerate(content.users, 2)}
        self._first: dict[int, int] = {}
        count = 100
        for number, thread in self.threads:
            self._first[number] = count
            count += len(thread.posts)

    @abstractmethod
    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        """What is under an address; None if nothing is."""

    @abstractmethod
    def thread_addresses(self, number: int) -> list[str]:
        """The addresses of all pages of a thread."""

    def show(self, address: str) -> Shown | None:
        path, _, query = address.partition("?")
        return self.answer(path, dict(parse_qsl(query.replace(";", "&"), keep_blank_values=True)))

    # What is in it

    def boards(self, parent: int | None) -> list[int]:
        return [number for number, board in enumerate(self.content.boards) if board.parent == parent]

    def board_name(self, number: int) -> str:
        return escape(self.content.boards[number].name)

    def trail(self, board: int) -> list[int]:
        """The boards above one and itself, the outermost first."""
        found = [board]
        while (parent := self.content.boards[found[0]].parent) is not None:
            found.insert(0, parent)
        return found

    def lines(self, board: int) -> list[Line]:
        """Its threads: sticky ones first, then those with the latest posts."""
        found = [line for line in self.threads if line.thread.board == board]
        return sorted(found, key=lambda line: (line.thread.sticky, line.thread.posts[-1].time), reverse=True)

    def lines_on(self, board: int, page: int) -> list[Line]:
        return self.lines(board)[(page - 1) * self.threads_a_page : page * self.threads_a_page]

    def pages_of_board(self, board: int) -> int:
        return pages(len(self.lines(board)), self.threads_a_page)

    def pages_of_thread(self, number: int) -> int:
        return pages(len(self.thread(number).posts), self.posts_a_page)

    def thread(self, number: int) -> Thread:
        return self.content.threads[number - 3]

    def has_thread(self, number: int, page: int = 1) -> bool:
        return 3 <= number < 3 + len(self.threads) and 1 <= page <= self.pages_of_thread(number)

    def has_board(self, number: int, page: int = 1) -> bool:
        return 0 <= number < len(self.content.boards) and 1 <= page <= self.pages_of_board(number)

    def posts_on(self, number: int, page: int) -> list[tuple[int, int, Post]]:
        """The posts of a page: their ids, their places in the thread, and themselves."""
        first = (page - 1) * self.posts_a_page
        shown = self.thread(number).posts[first : first + self.posts_a_page]
        return [(self._first[number] + first + at, first + at, post) for at, post in enumerate(shown)]

    def post_id(self, number: int, place: int = -1) -> int:
        return self._first[number] + place % len(self.thread(number).posts)

    def thread_of_post(self, post: int) -> tuple[int, int] | None:
        """The thread that has a post, and on which page."""
        for number, thread in self.threads:
            if self._first[number] <= post < self._first[number] + len(thread.posts):
                return number, (post - self._first[number]) // self.posts_a_page + 1
        return None

    def last_of(self, board: int) -> Line | None:
        """The thread with the latest post on a board or below it."""
        below = {board, *self.boards(board)}
        found = [line for line in self.threads if line.thread.board in below]
        return max(found, key=lambda line: line.thread.posts[-1].time, default=None)

    def count_posts(self, board: int) -> int:
        return sum(len(line.thread.posts) for line in self.lines(board))

    def user(self, number: int) -> User | None:
        return self.content.users[number - 2] if 2 <= number < 2 + len(self.content.users) else None

    def member_rows(self, first: int = 0, number: int = 20) -> Sequence[tuple[int, User]]:
        return [(self.users[user.name], user) for user in self.content.users[first : first + number]]


def part_markup(post: Post, quote: str, code: str = "<pre>{text}</pre>") -> str:
    """A post as boards write it: lines that are broken, quotes in boxes."""
    made = []
    for part in post.parts:
        text = escape(part.text, quote=False)
        if part.kind == "quote":
            made.append(quote.format(author=escape(part.author), text=text))
        elif part.kind == "code":
            made.append(code.format(text=text))
        elif part.kind == "link":
            made.append(f'<a href="{part.href}" class="postlink">{text}</a>')
        else:
            made.append(text)
    return "<br />\n<br />\n".join(made)


def window(page: int, last: int) -> list[int]:
    """The numbers that a row of page links has: first, last, and those around."""
    return sorted({1, last, *range(max(1, page - 2), min(last, page + 2) + 1)})


def number(text: str | None, otherwise: int = -1) -> int:
    return int(text) if text is not None and text.isdecimal() else otherwise
