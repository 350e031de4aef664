"""Forums to crawl: boards, threads, posts and the mass of other pages around them, in three makes of markup and URLs.

    table   viewforum.php?f=1, viewtopic.php?f=1&t=2&start=10, rows of tables, session ids, sort orders, print views
    list    /forum/general-1/, /topic/a-title-2/?page=2, lists, permalinks of posts, last-post links
    cards   /c/general, /t/a-title/2/3, blocks without a class, in another language from right to left

Every page that is neither a board nor a thread counts as wasted: `Forum.kind` says what a URL is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

_TEXT = (
    "engine valve pump filter winter heating garden soil tomato bicycle chain wheel camera lens tripod kettle oven "
    "bread flour yeast router cable signal antenna guitar string amplifier novel chapter author boat sail harbour tide"
)
WORDS = _TEXT.split()
_HEBREW_TEXT = "מנוע משאבה חורף גינה אדמה אופניים שרשרת גלגל מצלמה עדשה תנור לחם קמח נתב כבל אות גיטרה ספר פרק סירה נמל"
HEBREW = _HEBREW_TEXT.split()
NAMES = ("anna", "bert", "carla", "dov", "erik", "fatima", "gil", "hanna", "ivan", "jo", "kim", "lea")
BEGINNING = datetime(2024, 3, 1, 8, 0, tzinfo=UTC)
THREADS_A_PAGE, POSTS_A_PAGE = 10, 8


@dataclass
class Thread:
    """A thread: its number, title, board, and its posts as author, moment and text."""

    number: int
    board: int
    title: str
    posts: list[tuple[str, datetime, str]]
    sticky: bool = False


@dataclass
class Forum:
    """The content of a forum. `boards` are names and parents by number."""

    make: str
    boards: dict[int, tuple[str, int]] = field(default_factory=dict)
    threads: dict[int, Thread] = field(default_factory=dict)

    def of_board(self, board: int) -> list[Thread]:
        """The threads of a board, those that stick first, then the latest."""
        found = [thread for thread in self.threads.values() if thread.board == board]
        return sorted(found, key=lambda thread: (not thread.sticky, -thread.posts[-1][1].timestamp()))

    def answer(self, thread: int, author: str, text: str, moment: datetime) -> None:
        self.threads[thread].posts.append((author, moment, text))

    def kind(self, target: str) -> str:
        """What a page is: index, thread or other."""
        if re.match(r"/(index\.php|viewforum\.php\?|forum/|c/|\?page=|$)", target):
            return "index"
        return "thread" if re.match(r"/(viewtopic\.php\?|topic/|t/)", target) else "other"

    def thread_of(self, target: str) -> int | None:
        """The number of the thread that a URL is of."""
        found = re.search(r"[?&]t=(\d+)|/topic/[^/]*-(\d+)/|/t/[^/]*/(\d+)", target)
        return int(next(filter(None, found.groups()))) if found else None


def make_forum(make: str, boards: int = 6, threads: int = 60, seed: int = 1) -> Forum:
    """A forum with boards, one of them in another and one empty, and threads of one to twenty posts."""
    chance, forum = Random(seed), Forum(make)
    words = HEBREW if make == "cards" else WORDS
    for number in range(1, boards + 1):
        name = " ".join(chance.sample(words, 2))
        forum.boards[number] = (name if make == "cards" else name.title(), 1 if number == boards else 0)
    moment = BEGINNING
    for number in range(1, threads + 1):
        board = chance.choice([each for each in forum.boards if each != boards - 1])
        title = " ".join(chance.sample(words, chance.randint(3, 7))).capitalize()
        posts = []
        for _ in range(chance.choice((1, 2, 2, 3, 4, 6, 9, 20))):
            moment += timedelta(minutes=chance.randint(3, 900))
            text = " ".join(chance.choice(words) for _ in range(chance.randint(6, 90))).capitalize() + "."
            posts.append((chance.choice(NAMES), moment, text))
        forum.threads[number] = Thread(number, board, title, posts, sticky=number % 25 == 1)
    return forum
