"""Small forums that make trouble, for `Site`: each of `TROUBLES` is a forum in the style of old boards with one fault.

A forum has three boards (one of them below another, one empty) and twelve threads, the first of three pages. Profiles,
sort orders, log-in, reply and print links are on every page, as forums have them. `Forum.threads` are the addresses
of the first pages of all threads that a visitor can read.

    forum = TROUBLES["sessions"]
    with Site(forum.pages) as site: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from urllib.parse import urlencode

from tests.servers import Page, Reply, Request

BOARDS = {1: ("Announcements", 0), 2: ("Workshop", 0), 3: ("Tools", 2), 4: ("Nothing here yet", 0)}
LENGTHS = {1: 25, 2: 3, 3: 12, 4: 1, 5: 2, 6: 4, 7: 1, 8: 6, 9: 2, 10: 11, 11: 5, 12: 3}
"""How many posts each thread has; ten fill a page."""
PAGE = 10
AUTHORS = ("anna", "Bertrand", "carla", "dmitri")
TEXTS = {
    "en": ("Thread number {}", "The wheel of my bicycle makes a noise, number {}. Has anyone an idea what to do?"),
    "ar": ("الموضوع رقم {}", "اشتريت دراجة جديدة من المتجر أمس وهي لا تعمل، الرقم {}. شكرا"),
    "ru": ("Тема номер {}", "Вчера я купил новый велосипед в магазине, и он уже сломался, номер {}. Спасибо."),
}


@dataclass(frozen=True, slots=True)
class Forum:
    """A forum to be served: its pages, and what a visitor can read of it."""

    pages: dict[str, Page]
    threads: list[str] = field(default_factory=list)
    boards: list[str] = field(default_factory=list)


@dataclass
class Writer:
    """Writes the pages of a forum; the faults are its fields."""

    language: str = "en"
    charset: str = "utf-8"
    private: tuple[int, ...] = ()
    """Boards that show a log-in form."""
    moved: tuple[int, ...] = ()
    """Threads that the first board lists as well, by an address that leads on."""
    dead: tuple[int, ...] = ()
    """Threads that are linked and gone."""
    counters: Callable[[int], int] = int
    """What a board says about the number of posts."""
    clamps: bool = False
    """A page number beyond the last shows the last page, with a link to the page after it."""
    session: Callable[[], dict[str, str]] = dict

    def href(self, script: str, **query: object) -> str:
        told = {**query, **self.session()}
        return f"/{script}" + (f"?{urlencode(told)}" if told else "")

    def page(self, title: str, body: str, where: str) -> Reply:
        right = ' dir="rtl"' if self.language == "ar" else ""
        links: tuple[tuple[str, str, dict[str, str]], ...]
        links = (("index.php", "Board index", {}), ("search.php", "Search", {}), ("login.php", "Log in", {"to": where}))
        bar = " | ".join(f'<a href="{self.href(script, **query)}">{text}</a>' for script, text, query in links)
        html = (
            f'<!DOCTYPE html><html lang="{self.language}"{right}><head><title>{title}</title></head><body>'
            f'<div class="bar">{bar}</div><h1>{title}</h1>{body}</body></html>'
        )
        return Reply(html.encode(self.charset), headers={"Content-Type": f"text/html; charset={self.charset}"})

    def index(self, _request: Request) -> Reply:
        rows = "".join(self.board_row(number) for number, (_, above) in BOARDS.items() if not above)
        return self.page("Board index", f'<table class="boards">{rows}</table>', "index")

    def board_row(self, number: int) -> str:
        threads = board_threads(number)
        posts = sum(self.counters(LENGTHS[thread]) for thread in threads)
        link = f'<a href="{self.href("viewforum.php", f=number)}">{BOARDS[number][0]}</a>'
        return f'<tr><td class="name">{link}</td><td>{len(threads)}</td><td>{posts}</td></tr>'

    def board(self, request: Request) -> Reply:
        number = int(request.query.get("f", "0"))
        if number not in BOARDS:
            return Reply("gone", status=404)
        if number in self.private:
            form = '<form method="post" action="/login.php"><input name="user"> <input type="password" name="p"></form>'
            return self.page("Log in", f"<p>You must log in to read this board.</p>{form}", f"f{number}")
        below = "".join(self.board_row(each) for each, (_, above) in BOARDS.items() if above == number)
        rows = "".join(self.thread_row(thread) for thread in board_threads(number))
        rows += "".join(self.thread_row(thread, "moved.php") for thread in self.moved if number == 1)
        sorts = "".join(f'<a href="{self.href("viewforum.php", f=number, sort=key)}">{key}</a> ' for key in "tapr")
        table = f'<table class="threads">{rows}</table>' if rows else "<p>There are no threads in this board.</p>"
        path = f'<div class="path"><a href="{self.href("index.php")}">Board index</a></div>'
        body = f"{path}<table>{below}</table>{table}<p>Sort: {sorts}</p>"
        return self.page(BOARDS[number][0], body, f"f{number}")

    def thread_row(self, thread: int, script: str = "viewtopic.php") -> str:
        title, author = TEXTS[self.language][0].format(thread), AUTHORS[thread % 4]
        told = self.counters(LENGTHS[thread])
        return (
            f'<tr><td class="title"><a href="{self.href(script, t=thread)}">{title}</a></td>'
            f'<td><a href="{self.href("profile.php", u=author)}">{author}</a></td><td>{told}</td>'
            f"<td>2024-03-{thread:02} 10:00</td></tr>"
        )

    def thread(self, request: Request) -> Reply:
        number = int(request.query.get("t", "0"))
        if number not in LENGTHS or number in self.dead:
            return Reply("gone", status=404)
        start, last = int(request.query.get("start", "0")), (LENGTHS[number] - 1) // PAGE * PAGE
        if start > last and not self.clamps:
            return Reply("no such page", status=404)
        shown = min(start, last)
        posts = "".join(self.post(number, place) for place in range(shown, min(shown + PAGE, LENGTHS[number])))
        title = TEXTS[self.language][0].format(number)
        board = next(board for board in BOARDS if number in board_threads(board))
        path = f'<a href="{self.href("index.php")}">Board index</a> » <a href="{self.href("viewforum.php", f=board)}">'
        tools = "".join(
            f'<a href="{self.href(script, t=number)}">{text}</a> '
            for script, text in (("posting.php", "Reply"), ("print.php", "Print view"))
        )
        pager = self.pager(number, start, last)
        body = f'<div class="path">{path}{BOARDS[board][0]}</a></div>{pager}{posts}<p>{tools}</p>'
        return self.page(title, body, f"t{number}")

    def pager(self, thread: int, start: int, last: int) -> str:
        if not last and not self.clamps:
            return ""

        def link(at: int, text: object) -> str:
            return f'<a href="{self.href("viewtopic.php", t=thread, start=at)}">{text}</a> '

        numbers = "".join(link(at, at // PAGE + 1) for at in range(0, last + 1, PAGE))
        more = link(start + PAGE, "Next") if start < last or self.clamps else ""
        return f'<div class="pages">{numbers}{more}</div>'

    def post(self, thread: int, place: int) -> str:
        author, text = AUTHORS[(thread + place) % 4], TEXTS[self.language][1].format(f"{thread}.{place + 1}")
        return (
            f'<div class="post" id="p{thread}_{place}">'
            f'<div class="author"><a href="{self.href("profile.php", u=author)}">{author}</a></div>'
            f'<div class="date">2024-03-{thread:02} {10 + place // 60:02}:{place % 60:02}</div>'
            f'<div class="text"><p>{text}</p></div></div>'
        )

    def forum(self) -> Forum:
        read = [thread for thread in LENGTHS if thread not in self.dead and thread not in self._hidden()]
        boards = [f"/viewforum.php?f={number}" for number in BOARDS if number not in self._private_boards()]
        return Forum(self.pages(), [f"/viewtopic.php?t={thread}" for thread in read], boards)

    def _hidden(self) -> set[int]:
        return {thread for board in self._private_boards() for thread in board_threads(board)}

    def _private_boards(self) -> list[int]:
        """The private boards and what only they lead to."""
        return [number for number, (_, above) in BOARDS.items() if {number, above} & set(self.private)]

    def pages(self) -> dict[str, Page]:
        moved: Callable[[Request], Reply] = lambda request: Reply(  # noqa: E731
            status=302, headers={"Location": f"/viewtopic.php?t={request.query['t']}"}
        )
        other = {
            f"/{name}.php": self.page(name, "<p>Please fill in the form.</p><form><input name=q></form>", name)
            for name in ("login", "search", "posting", "profile")
        }
        return {
            "/": self.index, "/index.php": self.index, "/viewforum.php": self.board, "/viewtopic.php": self.thread,
            "/print.php": self.thread, "/moved.php": moved, **other,
        }  # fmt: skip


def board_threads(board: int) -> list[int]:
    """Four threads for each board but the last."""
    return [] if board == 4 else [*range(board * 4 - 3, board * 4 + 1)]


def _new_sessions() -> Callable[[], dict[str, str]]:
    numbers = count()
    return lambda: {"sid": f"{next(numbers) // 20:032x}"}


TROUBLES: dict[str, Forum] = {
    "none": Writer().forum(),
    "log-in": Writer(private=(2,)).forum(),
    "every page number": Writer(clamps=True).forum(),
    "moved threads": Writer(moved=(5, 6, 9)).forum(),
    "right to left": Writer(language="ar").forum(),
    "counters": Writer(counters=lambda posts: posts * 97 % 5 - 1).forum(),
    "sessions": Writer(session=_new_sessions()).forum(),
    "windows-1251": Writer(language="ru", charset="windows-1251").forum(),
    "dead links": Writer(dead=(2, 7)).forum(),
}
