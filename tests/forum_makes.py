"""The pages of forums (tests/forum_pages.py) as three softwares would write them."""

from __future__ import annotations

import re
from urllib.parse import quote

from tests.forum_pages import POSTS_A_PAGE, THREADS_A_PAGE, Forum, Thread
from tests.forum_tables import Make, Tables, count_pages
from tests.servers import Answer, Page, Reply, Request


def answers(forum: Forum) -> dict[str, Page]:
    """What a server says, to be given to `Site`."""
    make = {"table": Tables, "list": Lists, "cards": Cards}[forum.make](forum)

    def answer(request: Request) -> Answer:
        body = make.answer(request)
        return (
            Reply("<h1>Not found</h1>", status=404)
            if body is None
            else Reply(body, headers={"Content-Type": "text/html"})
        )

    return {"/robots.txt": Reply("", status=404), "*": answer}


def slug(text: str) -> str:
    return quote(re.sub(r"\W+", "-", text.lower()).strip("-"))


class Lists(Make):
    """As boards of ten years ago: lists, addresses with words, permalinks and last-post links."""

    def answer(self, request: Request) -> str | None:
        number = int(request.query.get("page", 1)) if request.query.get("page", "1").isdigit() else 1
        if request.path == "/":
            return self.index()
        if (found := re.fullmatch(r"/forum/[^/]*-(\d+)/", request.path)) and int(found[1]) in self.forum.boards:
            return self.board(int(found[1]), number)
        if (found := re.fullmatch(r"/topic/[^/]*-(\d+)/(last/)?", request.path)) and int(
            found[1]
        ) in self.forum.threads:
            return self.thread(self.forum.threads[int(found[1])], number)
        if found := re.fullmatch(r"/post/(\d+)/", request.path):
            thread = self.forum.threads.get(int(found[1]) // 100)
            return self.thread(thread, 1) if thread else None
        known = ("/user/", "/login/", "/register/", "/search/", "/help/", "/members/", "/reply/", "/tag/")
        return self.other(request.path) if request.path.startswith(known) else None

    def page(self, title: str, body: str) -> str:
        names = ("search", "members", "help", "login", "register")
        menu = "".join(f"<li><a href='/{name}/'>{name.title()}</a></li>" for name in names)
        return (
            f"<!doctype html><html lang=en><head><title>{title} - The list</title></head><body><header>"
            f"<a href=/>The list</a><ul>{menu}</ul></header><main>{body}</main><footer>Made by hand</footer></body>"
        )

    @staticmethod
    def board_path(number: int, name: str) -> str:
        return f"/forum/{slug(name)}-{number}/"

    @staticmethod
    def thread_path(thread: Thread) -> str:
        return f"/topic/{slug(thread.title)}-{thread.number}/"

    def crumbs(self, board: int) -> str:
        name, parent = self.forum.boards[board]
        trail = [(parent, self.forum.boards[parent][0])] if parent else []
        links = [f"<li><a href='{self.board_path(*each)}'>{each[1]}</a></li>" for each in (*trail, (board, name))]
        return f"<ol class=crumbs><li><a href=/>Forums</a></li>{''.join(links)}</ol>"

    def paging(self, path: str, items: int, size: int, number: int) -> str:
        last = count_pages(items, size)
        if last == 1:
            return ""
        shown = sorted({1, last, *range(max(1, number - 1), min(last, number + 1) + 1)})
        links = [
            f"<li><a href='{path}?page={each}'>{each}</a></li>" if each != number else f"<li><span>{each}</span></li>"
            for each in shown
        ]
        if number < last:
            links.append(f"<li><a rel=next href='{path}?page={number + 1}'>Next</a></li>")
        return f"<ul class=pager>{''.join(links)}</ul>"

    def last_post(self, thread: Thread) -> str:
        author, moment, _ = thread.posts[-1]
        return (
            f"<div><a href='/user/{author}/'>{author}</a>, <a href='{self.thread_path(thread)}last/'>"
            f"<time datetime='{moment.isoformat()}'>{moment:%b %d, %Y}</time></a></div>"
        )

    def index(self) -> str:
        rows = []
        for number, (name, parent) in self.forum.boards.items():
            if parent:
                continue
            threads = self.forum.of_board(number)
            below = "".join(
                f"<a class=sub href='{self.board_path(inner, its)}'>{its}</a>"
                for inner, (its, above) in self.forum.boards.items()
                if above == number
            )
            last = max(threads, key=lambda thread: thread.posts[-1][1], default=None)
            told = (
                f"<a href='{self.thread_path(last)}'>{last.title}</a>{self.last_post(last)}" if last else "Nothing yet"
            )
            rows.append(
                f"<li class=board><h3><a href='{self.board_path(number, name)}'>{name}</a></h3><p>Talk about {name}."
                f"</p>{below}<span>{len(threads)} topics</span><div class=last>{told}</div></li>"
            )
        return self.page("Forums", f"<h1>Forums</h1><ul class=boards>{''.join(rows)}</ul>")

    def board(self, board: int, number: int) -> str:
        name = self.forum.boards[board][0]
        threads = self.forum.of_board(board)
        rows = []
        for thread in threads[(number - 1) * THREADS_A_PAGE : number * THREADS_A_PAGE]:
            author = thread.posts[0][0]
            rows.append(
                f"<li class='topic{' sticky' if thread.sticky else ''}'><a class=avatar href='/user/{author}/'>"
                f"<img src=a.png></a><h4><a href='{self.thread_path(thread)}'>{thread.title}</a></h4><p>Started by "
                f"<a href='/user/{author}/'>{author}</a> in <a href='/tag/{author[:1]}/'>{author[:1]} things</a></p>"
                f"<b>{len(thread.posts) - 1}</b> <i>{len(thread.posts) * 17}</i>{self.last_post(thread)}</li>"
            )
        path = self.board_path(board, name)
        sort = f"<p><a href='{path}?sort=title'>Title</a> <a href='{path}?sort=replies&dir=desc'>Replies</a></p>"
        paging = self.paging(path, len(threads), THREADS_A_PAGE, number)
        return self.page(
            name, f"{self.crumbs(board)}<h1>{name}</h1>{sort}<ol class=topics>{''.join(rows)}</ol>{paging}"
        )

    def thread(self, thread: Thread, number: int) -> str:
        posts = list(enumerate(thread.posts))[(number - 1) * POSTS_A_PAGE : number * POSTS_A_PAGE]
        rows = [
            f"<article id=p{thread.number * 100 + place}><aside><a href='/user/{author}/'>{author}</a><p>Member"
            f"</p></aside><div><a href='/post/{thread.number * 100 + place}/'><time datetime='{moment.isoformat()}'>"
            f"{moment:%b %d, %Y}</time></a><div class=text><p>{text}</p></div>"
            f"<a href='/reply/{thread.number}/'>Reply</a>"
            f"</div></article>"
            for place, (author, moment, text) in posts
        ]
        path = self.thread_path(thread)
        paging = self.paging(path, len(thread.posts), POSTS_A_PAGE, number)
        return self.page(thread.title, f"{self.crumbs(thread.board)}<h1>{thread.title}</h1>{''.join(rows)}{paging}")


class Cards(Make):
    """As boards of today: blocks, short addresses; from right to left."""

    def answer(self, request: Request) -> str | None:
        number = int(request.query.get("page", 1))
        if request.path == "/":
            return self.index()
        if (found := re.fullmatch(r"/c/b(\d+)", request.path)) and int(found[1]) in self.forum.boards:
            return self.board(int(found[1]), number)
        if found := re.fullmatch(r"/t/[^/]*/(\d+)(?:/(\d+))?", request.path):
            thread = self.forum.threads.get(int(found[1]))
            return self.thread(thread, int(found[2] or 1)) if thread else None
        return self.other(request.path) if request.path.startswith(("/u/", "/enter", "/latest", "/about")) else None

    def page(self, title: str, body: str) -> str:
        return (
            f"<!doctype html><html lang=he dir=rtl><head><meta charset=utf-8><title>{title}</title></head><body><div>"
            f"<a href=/>קהילה</a> <a href=/about>אודות</a> <a href=/enter>כניסה</a></div><div>{body}</div></body>"
        )

    def index(self) -> str:
        rows = [
            f"<div><div><a href='/c/b{number}'>{name}</a></div><div>כל מה שיש לומר על {name}</div>"
            f"<div>{len(self.forum.of_board(number))}</div></div>"
            for number, (name, _) in self.forum.boards.items()
        ]
        return self.page("קהילה", f"<div>{''.join(rows)}</div>")

    def board(self, board: int, number: int) -> str:
        name, threads = self.forum.boards[board][0], self.forum.of_board(board)
        rows = [
            f"<div><div><a href='/u/{thread.posts[0][0]}'>{thread.posts[0][0]}</a></div><div>"
            f"<a href='/t/{slug(thread.title)}/{thread.number}'>{thread.title}</a></div><div>{len(thread.posts)}</div>"
            f"<div>{thread.posts[-1][1]:%Y-%m-%d %H:%M}</div></div>"
            for thread in threads[(number - 1) * THREADS_A_PAGE : number * THREADS_A_PAGE]
        ]
        more = f"<a href='/c/b{board}?page={number + 1}'>עוד</a>" if number * THREADS_A_PAGE < len(threads) else ""
        return self.page(name, f"<h1>{name}</h1><div>{''.join(rows) or 'אין כאן דבר'}</div>{more}")

    def thread(self, thread: Thread, number: int) -> str:
        rows = [
            f"<div><div><a href='/u/{author}'>{author}</a> <span>{moment:%Y-%m-%d %H:%M}</span></div>"
            f"<div>{text}</div></div>"
            for author, moment, text in thread.posts[(number - 1) * POSTS_A_PAGE : number * POSTS_A_PAGE]
        ]
        path = f"/t/{slug(thread.title)}/{thread.number}"
        pages = [
            f"<a href='{path}/{each}'>{each}</a>" if each != number else f"<b>{each}</b>"
            for each in range(1, count_pages(len(thread.posts), POSTS_A_PAGE) + 1)
        ]
        strip = f"<div>{' '.join(pages)}</div>" if len(pages) > 1 else ""
        name = self.forum.boards[thread.board][0]
        up = f"<div><a href=/>קהילה</a> / <a href='/c/b{thread.board}'>{name}</a></div>"
        return self.page(thread.title, f"{up}<h1>{thread.title}</h1><div>{''.join(rows)}</div>{strip}")
