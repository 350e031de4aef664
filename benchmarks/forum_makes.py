"""Forums of made-up software to train on, beside the real ones: markup, order of columns, dates and letters by chance.

What all of them have in common is what forums have in common. Few real packages install, and a model that has seen
four would take their habits for the nature of forums; these have no habits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random

from benchmarks.forum_pages import SavedForum, SavedPage

MAKES = 60
_LETTERS = (
    "abcdefghiklmnoprstuvw",
    "абвгдежзиклмнопрстуя",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "αβγδεζηθικλμνοπρστυω",
    "的一是在不了有和人这中大为上个国我以要他",
)
_DATES = (
    "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", "%b %d, %Y", "%d %B %Y, %H:%M", "%m/%d/%Y %I:%M %p",
    "%a %b %d, %Y %I:%M %p", "%Y/%m/%d",
)  # fmt: skip
_HOST = "http://made.example"


class _Make:
    """One made-up software: what is chosen once for all its pages."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        pick = self.chance.choice
        self.letters = pick(_LETTERS) if self.chance.random() < 0.4 else _LETTERS[0]
        self.rows, self.cells = (
            pick((("table", "tr"), ("ul", "li"), ("div", "div"), ("section", "article"), ("ol", "li"))),
            pick(("div", "span", "p")),
        )
        self.posts = pick(
            (("table", "tr"), ("div", "div"), ("section", "article"), ("ul", "li"), ("", "table"), ("", "div"))
        )
        self.classes = self.chance.random() < 0.6
        self.date = pick(_DATES)
        self.is_time = self.chance.random() < 0.35
        self.relative = self.chance.random() < 0.25
        self.avatars = self.chance.random() < 0.5
        self.side, self.signs_in, self.answers = (self.chance.random() < share for share in (0.4, 0.35, 0.5))
        self.heading = pick(("h3", "strong", "", "", "b", "h4"))
        self.author_first = self.chance.random() < 0.25
        self.describes = self.chance.random() < 0.7
        self.last_title = self.chance.random() < 0.4
        self.counts = pick((0, 1, 2, 3))
        self.last = pick(("none", "date", "author date", "date author link", "author date link"))
        self.starter = self.chance.random() < 0.7
        self.small_pages = self.chance.random() < 0.3
        self.preview = self.chance.random() < 0.2
        self.actions = pick((0, 1, 3, 5))
        self.names = [self.word(3, 9) for _ in range(14)]
        self.types: dict[str, str] = {}
        self.moment = datetime(2015, 1, 1) + timedelta(hours=self.chance.randint(0, 80_000))

    # Texts

    def word(self, shortest: int = 2, longest: int = 9) -> str:
        return "".join(self.chance.choice(self.letters) for _ in range(self.chance.randint(shortest, longest)))

    def words(self, fewest: int, most: int) -> str:
        return " ".join(self.word() for _ in range(self.chance.randint(fewest, most))).capitalize()

    def when(self) -> str:
        self.moment += timedelta(minutes=self.chance.randint(-200, 900))
        shown = f"{self.chance.randint(2, 50)} {self.word(4, 6)}" if self.relative else f"{self.moment:{self.date}}"
        return f'<time datetime="{self.moment.isoformat()}Z">{shown}</time>' if self.is_time else shown

    def link(self, kind: str, text: str, number: int = 0, more: str = "") -> str:
        url = f"/{kind}/{number or self.chance.randint(1, 400)}{more}"
        self.types[_HOST + url] = kind if kind in ("index", "thread") and not more else "other"
        return f'<a{self.named("l")} href="{url}">{text}</a>'

    def named(self, name: str) -> str:
        return f' class="{name}{self.letters[0]}x"' if self.classes else ""

    def author(self) -> str:
        return self.link("user", self.chance.choice(self.names))

    def picture(self) -> str:
        return f'<img src="/i/{self.chance.randint(1, 9)}.png">' if self.avatars else ""

    # Parts

    def row(self, cells: Sequence[str]) -> str:
        tag = self.rows[1]
        cell = "td" if tag == "tr" else self.cells
        return f"<{tag}{self.named('r')}>" + "".join(f"<{cell}>{each}</{cell}>" for each in cells) + f"</{tag}>"

    def listed(self, rows: Sequence[str]) -> str:
        head = (
            "<tr>" + "".join(f"<th>{self.word()}</th>" for _ in range(4)) + "</tr>"
            if self.rows[0] == "table" and self.classes
            else ""
        )
        return f"<{self.rows[0]}{self.named('t')}>{head}{''.join(rows)}</{self.rows[0]}>"

    def titled(self, link: str) -> str:
        return f"<{self.heading}>{link}</{self.heading}>" if self.heading else link

    def last_post(self) -> str:
        parts = []
        for name in self.last.split():
            if name == "date":
                parts.append(
                    self.link("thread", self.when(), more="/last") if self.chance.random() < 0.3 else self.when()
                )
            elif name == "author":
                parts.append(self.author())
            elif name == "link":
                parts.append(self.link("thread", "<img src=/l.gif>", more="/last"))
        return " ".join(parts)

    def numbers(self) -> list[str]:
        return [
            f"{self.chance.randint(0, 900):,}" + ("" if self.rows[0] == "table" else f" {self.word()}")
            for _ in range(self.counts)
        ]

    def page(self, body: str, title: str) -> str:
        menu = " ".join(self.link("menu", self.word(), number) for number in range(1, self.chance.randint(4, 9)))
        sign = "<form><input name=u><input type=password name=p><button>ok</button></form>" if self.signs_in else ""
        side = ""
        if self.side:
            entries = "".join(
                f"<li>{self.link('thread', self.words(2, 6), more='/new')} {self.author()}" for _ in range(5)
            )
            side = f"<aside><h4>{self.word()}</h4><ul>{entries}</ul></aside>"
        return (
            f"<html><head><title>{title}</title></head><body><div{self.named('n')}><a href=/>{self.word()}</a> {menu}"
            f"{sign}</div>"
            f"{side}<div{self.named('m')}>{body}</div><div>{self.words(3, 20)}</div></body></html>"
        )

    def trail(self) -> str:
        if self.chance.random() < 0.2:
            return ""
        return f"<div>{self.link('index', self.word(), 999)} » {self.link('index', self.words(1, 3))}</div>"

    def paging(self) -> str:
        if self.chance.random() < 0.5:
            return ""
        links = " ".join(self.link("flip", str(number), number) for number in range(2, self.chance.randint(3, 9)))
        return f"<div{self.named('p')}><b>1</b> {links} {self.link('flip', self.word())}</div>"

    # Pages

    def entry(self) -> str:
        rows = []
        for number in range(1, self.chance.randint(2, 14)):
            cell = self.titled(self.link("index", self.words(1, 4), number))
            if self.describes:
                cell += f"<p>{self.words(3, 14)}</p>"
            if self.chance.random() < 0.2:
                cell += " ".join(self.link("index", self.words(1, 2)) for _ in range(2))
            last = (self.link("thread", self.words(2, 6), more="/last") if self.last_title else "") + self.last_post()
            rows.append(self.row([*([self.picture()] if self.avatars else []), cell, *self.numbers(), last]))
        groups = self.chance.randint(1, 3)
        parts = [rows[at::groups] for at in range(groups)]
        return "".join(f"<h2>{self.words(1, 2)}</h2>{self.listed(part)}" for part in parts if part)

    def board(self) -> str:
        rows = []
        for _ in range(self.chance.choice((0, 1, 2, 3, 5, 8, 10, 15, 20, 25, 30))):
            small = (
                " ".join(self.link("flip", str(number), number) for number in (2, 3))
                if self.small_pages and self.chance.random() < 0.3
                else ""
            )
            title = self.titled(self.link("thread", self.words(1, 9))) + small
            starter = self.author() + (" " + self.when() if self.chance.random() < 0.5 else "") if self.starter else ""
            if self.preview:
                title += f"<p>{self.words(10, 30)}</p>"
            cells = (
                [self.picture() + starter, title] if self.author_first else [self.picture(), title + "<br>" + starter]
            )
            rows.append(self.row([*cells, *self.numbers(), self.last_post()]))
        new = self.link("new", self.words(1, 2))
        body = self.listed(rows) if rows else f"<p>{self.words(3, 8)}.</p>"
        return f"{self.trail()}<h1>{self.words(1, 3)}</h1>{new}{self.paging()}{body}{self.paging()}"

    def thread(self) -> str:
        around, tag = self.posts
        cell = "td" if tag == "tr" else "div"
        made = []
        for number in range(self.chance.choice((1, 1, 2, 3, 4, 6, 8, 10, 15, 20))):
            facts = (
                f"<p>{self.word()}: {self.chance.randint(1, 900)}</p>" * self.chance.choice((0, 0, 1, 2))
                if self.classes
                else ""
            )
            who = f"{self.picture()}{self.author()}{facts}"
            text = "".join(f"<p>{self.words(4, 60)}.</p>" for _ in range(self.chance.choice((1, 1, 2, 3))))
            quote = f"<blockquote>{self.words(5, 25)}</blockquote>" if number and self.chance.random() < 0.3 else ""
            acts = " ".join(self.link("act", self.word()) for _ in range(self.actions))
            when = self.link("act", self.when()) if self.actions else self.when()
            inner = f"<{cell}>{who}</{cell}><{cell}>{when}<div>{quote}{text}</div>{acts}</{cell}>"
            made.append(
                f"<table><tr>{inner}</tr></table>".replace("<div>", "<td>", 0)
                if tag == "table"
                else f"<{tag}{self.named('o')}>{inner}</{tag}>"
            )
        answer = "<form method=post><textarea></textarea><button>ok</button></form>" if self.answers else ""
        body = f"<{around}>{''.join(made)}</{around}>" if around else "".join(made)
        return f"{self.trail()}<h1>{self.words(2, 8)}</h1>{self.paging()}{body}{self.paging()}{answer}"

    def others(self) -> list[Callable[[], str]]:
        """Pages of the other kind."""

        def profile() -> str:
            facts = "".join(
                f"<dt>{self.word()}</dt><dd>{self.when() if self.chance.random() < 0.4 else self.words(1, 3)}</dd>"
                for _ in range(self.chance.randint(3, 9))
            )
            latest = "".join(
                f"<li>{self.link('thread', self.words(2, 6), more='/p')} {self.when()}</li>"
                for _ in range(self.chance.choice((0, 0, 3, 5)))
            )
            return f"<h1>{self.chance.choice(self.names)}</h1>{self.picture()}<dl>{facts}</dl><ul>{latest}</ul>"

        def members() -> str:
            return (
                self.listed(
                    [self.row([self.author(), self.when(), *self.numbers()]) for _ in range(self.chance.randint(5, 25))]
                )
                + self.paging()
            )

        def form() -> str:
            lines = "".join(
                f"<p><label>{self.word()}</label><input name={self.word()}></p>"
                for _ in range(self.chance.randint(1, 6))
            )
            secret = "<input type=password>" if self.chance.random() < 0.6 else "<textarea></textarea>"
            asked = f"<form method=post>{lines}{secret}<button>ok</button></form>"
            return f"<h1>{self.words(1, 3)}</h1><p>{self.words(3, 30)}.</p>{asked}"

        def text() -> str:
            return f"<h1>{self.words(1, 3)}</h1>" + "".join(
                f"<h3>{self.words(3, 8)}</h3><p>{self.words(10, 60)}.</p>" for _ in range(self.chance.randint(1, 9))
            )

        def refusal() -> str:
            return f"<h2>{self.words(1, 3)}</h2><p>{self.words(4, 18)}. {self.link('menu', self.word())}</p>"

        def tags() -> str:
            return (
                f"<h1>{self.word()}</h1><div>"
                + " ".join(self.link("tag", self.word()) for _ in range(self.chance.randint(5, 40)))
                + "</div>"
            )

        def search() -> str:
            heading, option = self.word(), self.word()
            select = f"<select><option>{option}</select>"
            return f"<h1>{heading}</h1><form><input name=q>{select}<button>ok</button></form>"

        return [profile, profile, members, form, form, text, refusal, tags, search]

    def forum(self, name: str) -> SavedForum:
        pages = [("index", self.entry()) for _ in range(4)] + [("index", self.board()) for _ in range(10)]
        pages += [("thread", self.thread()) for _ in range(14)]
        pages += [("other", write()) for write in self.others()]
        made = [
            SavedPage(f"{_HOST}/{kind}/{number + 1000}", kind, self.page(body, self.words(1, 6)).encode())
            for number, (kind, body) in enumerate(pages)
        ]
        return SavedForum(name, made, self.types)


def made_forums() -> list[SavedForum]:
    """All of them; the same every time."""
    return [_Make(seed).forum(f"made-{seed}") for seed in range(MAKES)]
