"""What forum pages say, as values.

    BoardPage   rows of boards and threads            read_board_page   board_pages.py
    ThreadPage  the posts of one page of a thread     read_thread_page  thread_pages.py
    Thread      the posts of all its pages            assemble          assembling.py

Times are written as in `dates.py`: ISO 8601, with an offset where the page says which zone it means, "" where there is
none. All of them are frozen structs, so that they can be packed and cross the borders of processes.
"""

from __future__ import annotations

from msgspec import Struct


class Author(Struct, frozen=True):
    """Who wrote a post: the name as it is shown, and the profile that it links to ("" for guests)."""

    name: str
    url: str = ""


class Quote(Struct, frozen=True):
    """What a post quotes, from whom ("" if it does not say), and what that quotes in turn."""

    text: str
    author: str = ""
    quotes: tuple[Quote, ...] = ()


class Post(Struct, frozen=True):
    """One post. `text` is without quotes, signature and notes of edits; `number` is what the page calls it, if it does.

    `position` counts the posts of the page, and in a `Thread` those of the thread, from 1. `depth` is how deep it lies
    in a tree of replies.
    """

    author: Author
    time: str
    text: str
    quotes: tuple[Quote, ...] = ()
    permalink: str = ""
    number: int | None = None
    position: int = 0
    depth: int = 0


class Crumb(Struct, frozen=True):
    """A step of the trail to a page: a board, under the one before it."""

    name: str
    url: str


class ThreadPage(Struct, frozen=True):
    """One page of a thread. `boards` is the trail to it, the outermost first."""

    url: str
    title: str
    posts: tuple[Post, ...]
    boards: tuple[Crumb, ...] = ()


class BoardRow(Struct, frozen=True):
    """A board in a list of boards. Counts are None where the page has none."""

    name: str
    url: str
    description: str = ""
    threads: int | None = None
    posts: int | None = None
    last_time: str = ""
    last_author: str = ""


class ThreadRow(Struct, frozen=True):
    """A thread in the list of a board. Counts are None where the page has none."""

    title: str
    url: str
    author: str = ""
    replies: int | None = None
    views: int | None = None
    last_time: str = ""
    last_author: str = ""
    is_sticky: bool = False


class BoardPage(Struct, frozen=True):
    """A page that lists boards, threads or both. `trail` is the way to it, the outermost board first."""

    url: str
    title: str
    boards: tuple[BoardRow, ...] = ()
    threads: tuple[ThreadRow, ...] = ()
    trail: tuple[Crumb, ...] = ()


class Thread(Struct, frozen=True):
    """A thread put together from its pages. `missing_pages` are URLs or numbers of posts that no page had."""

    url: str
    title: str
    posts: tuple[Post, ...]
    boards: tuple[Crumb, ...] = ()
    missing: tuple[str, ...] = ()
