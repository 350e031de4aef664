"""What is put into every forum: boards, threads, posts and users, made by chance and always the same for one seed.

A forum is a `Content`. Its boards are a tree of categories, boards and sub-boards, some of them empty. Threads are
short mostly and long sometimes, a few are pinned or closed. A post is a row of parts: paragraphs, quotes of an earlier
post, code, links. Some threads are German, Russian, Japanese, Arabic or Hebrew.

The modules beside this one run in the environments of the forums, so nothing but the standard library is used here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from benchmarks.forum_software.words import ALPHABETS, BOARDS, CATEGORIES, NAMES

_UNTIL = datetime(2026, 10, 30, 18, 0, tzinfo=UTC)
_YEARS = 6
_QUOTED, _CODED, _LINKED = 0.25, 0.08, 0.15
"""How many of the posts hold a quote, code, a link."""

_LANGUAGES = {"english": 70, "german": 10, "russian": 8, "japanese": 4, "arabic": 5, "hebrew": 3}


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a post: `kind` is text, quote, code or link; `author` is who is quoted, `href` where a link goes."""

    kind: str
    text: str
    author: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    author: str
    time: datetime
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """What the author wrote, without what is quoted."""
        return "\n".join(part.text for part in self.parts if part.kind != "quote")

    @property
    def quotes(self) -> list[Part]:
        return [part for part in self.parts if part.kind == "quote"]


@dataclass(frozen=True, slots=True)
class Thread:
    title: str
    board: int
    posts: tuple[Post, ...]
    sticky: bool = False
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A category (without a parent) holds boards, a board holds threads and sub-boards."""

    name: str
    parent: int | None
    description: str


@dataclass(frozen=True, slots=True)
class User:
    name: str
    joined: datetime
    about: str


@dataclass(frozen=True, slots=True)
class Content:
    boards: tuple[Board, ...]
    threads: tuple[Thread, ...]
    users: tuple[User, ...]

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), default=datetime.isoformat, ensure_ascii=False), encoding="utf-8")


def read(path: Path) -> Content:
    told = json.loads(path.read_text(encoding="utf-8"))
    threads = (
        Thread(**thread | {"posts": tuple(_post(post) for post in thread["posts"])}) for thread in told["threads"]
    )
    users = (User(**user | {"joined": datetime.fromisoformat(user["joined"])}) for user in told["users"])
    return Content(tuple(Board(**board) for board in told["boards"]), tuple(threads), tuple(users))


def _post(told: dict[str, object]) -> Post:
    parts = tuple(Part(**part) for part in told["parts"])  # type: ignore[attr-defined]
    return Post(str(told["author"]), datetime.fromisoformat(str(told["time"])), parts)


def generate(seed: int, threads: int, users: int = 80, languages: Mapping[str, int] = _LANGUAGES) -> Content:
    """A forum with so many threads; they have about twelve posts each. `languages` says how many are in each."""
    random = Random(seed)
    boards = _boards()
    parents = {board.parent for board in boards}
    leaves = [number for number, board in enumerate(boards) if board.parent is not None]
    leaves = [number for number in leaves if number % 5 or number in parents]  # every fifth stays empty
    people = tuple(_user(random, number) for number in range(users))
    made = [_thread(random, leaves, [user.name for user in people], languages) for _ in range(threads)]
    return Content(boards, tuple(_distinct(made)), people)


def _boards() -> tuple[Board, ...]:
    """Categories first, then their boards, then sub-boards of every third board."""
    made = [Board(name, None, f"All about {name.lower()}") for name in CATEGORIES]
    share = len(BOARDS) * 2 // 3
    for number, (name, description) in enumerate(BOARDS):
        parent = number % len(CATEGORIES) if number < share else len(CATEGORIES) + (number - share) * 2
        made.append(Board(name, parent, description))
    return tuple(made)


def _user(random: Random, number: int) -> User:
    name = NAMES[number % len(NAMES)] + (str(random.randint(2, 99)) if number >= len(NAMES) else "")
    joined = _UNTIL - timedelta(days=365 * _YEARS + random.randint(1, 700))
    return User(name, joined, _sentences(random, "english", 2))


def _thread(random: Random, boards: list[int], names: list[str], languages: Mapping[str, int]) -> Thread:
    language = random.choices([*languages], weights=[*languages.values()])[0]
    length = random.choices([(1, 6), (7, 20), (21, 60), (61, 130)], weights=[56, 30, 12, 2])[0]
    time = _UNTIL - timedelta(minutes=random.randint(60 * 24 * 30, 60 * 24 * 365 * _YEARS))
    present = random.sample(names, k=min(len(names), random.randint(2, 12)))
    posts: list[Post] = []
    for _ in range(random.randint(*length)):
        posts.append(Post(random.choice(present), time, _parts(random, language, posts)))
        time = min(time + timedelta(seconds=int(random.expovariate(1 / 30_000)) + 61), _UNTIL)
    title = _sentences(random, language, 1, shortest=3, longest=8).rstrip(".。")
    board = random.choices(boards, weights=[1 / place for place in range(1, len(boards) + 1)])[0]
    return Thread(title, board, tuple(posts), sticky=random.random() < 0.03, locked=random.random() < 0.05)


def _parts(random: Random, language: str, before: list[Post]) -> tuple[Part, ...]:
    parts = []
    if before and random.random() < _QUOTED:
        quoted = random.choice(before[-6:])
        parts.append(Part("quote", next(p.text for p in quoted.parts if p.kind == "text"), quoted.author))
    paragraphs = random.choices([1, 2, 3, 4], weights=[5, 3, 2, 1])[0]
    parts += [Part("text", _sentences(random, language, random.randint(1, 4))) for _ in range(paragraphs)]
    if random.random() < _CODED:
        name, value = random.choice(ALPHABETS["english"]), random.randint(1, 99)
        parts.append(Part("code", f"def {name}(x):\n    return x + {value}"))
    if random.random() < _LINKED:
        words = "-".join(random.choices(ALPHABETS["english"], k=3))
        parts.append(Part("link", words.replace("-", " "), href=f"http://www.example.org/{words}.html"))
    return tuple(parts)


def _sentences(random: Random, language: str, number: int, shortest: int = 4, longest: int = 16) -> str:
    words, joint, end = (
        ALPHABETS[language],
        "" if language == "japanese" else " ",
        "。" if language == "japanese" else ".",
    )
    made = (joint.join(random.choices(words, k=random.randint(shortest, longest))).capitalize() for _ in range(number))
    return joint.join(sentence + end for sentence in made)


def _distinct(threads: list[Thread]) -> list[Thread]:
    """Titles are told apart by a number where chance made two alike."""
    seen: dict[str, int] = {}
    kept = []
    for thread in threads:
        seen[thread.title] = seen.get(thread.title, 0) + 1
        again = seen[thread.title]
        kept.append(thread if again == 1 else Thread(f"{thread.title} {again}", *_rest(thread)))
    return kept


def _rest(thread: Thread) -> tuple[int, tuple[Post, ...], bool, bool]:
    return thread.board, thread.posts, thread.sticky, thread.locked
