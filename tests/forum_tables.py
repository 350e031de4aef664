"""A forum (tests/forum_pages.py) as software of twenty years ago would write it, and what all of them share."""

from __future__ import annotations

from tests.forum_pages import NAMES, POSTS_A_PAGE, THREADS_A_PAGE, Forum
from tests.servers import Request


class Make:
    def __init__(self, forum: Forum) -> None:
        self.forum = forum

    def answer(self, request: Request) -> str | None:
        raise NotImplementedError

    def other(self, what: str) -> str:
        """A page that is wasted: a profile, a form, a list of members."""
        if "login" in what or "register" in what or "post" in what or "reply" in what:
            form = "<form method=post>Name <input name=n> Secret <input type=password name=s><button>Go</button></form>"
            return self.page("Please say who you are", form)
        facts = "".join(f"<dt>Fact {number}<dd>{number * 7}" for number in range(6))
        return self.page("About", f"<h1>About {what}</h1><dl>{facts}</dl><p>Joined long ago. <a href=/>Home</a>")

    def page(self, title: str, body: str) -> str:
        raise NotImplementedError


def count_pages(items: int, size: int) -> int:
    return max(1, -(-items // size))


class Tables(Make):
    """As boards of twenty years ago: tables, and parameters in any order."""

    sid = "0123456789abcdef0123456789abcd"

    def answer(self, request: Request) -> str | None:
        query, path = request.query, request.path
        if path in ("/", "/index.php"):
            return self.index()
        if path == "/viewforum.php" and int(query.get("f", 0)) in self.forum.boards:
            return self.board(int(query["f"]), int(query.get("start", 0)))
        if path == "/viewtopic.php" and "p" in query:
            number = int(query["p"]) // 100
            return self.thread(number, 0) if number in self.forum.threads else None
        if path == "/viewtopic.php" and int(query.get("t", 0)) in self.forum.threads:
            return self.thread(int(query["t"]), int(query.get("start", 0)))
        known = (
            "/profile.php",
            "/login.php",
            "/search.php",
            "/posting.php",
            "/faq.php",
            "/memberlist.php",
            "/print.php",
        )
        return self.other(request.target) if path in known else None

    def page(self, title: str, body: str) -> str:
        menu = "".join(
            f"<a href='{name}.php?sid={self.sid}'>{name}</a> | " for name in ("faq", "search", "memberlist", "login")
        )
        return (
            f"<html><head><title>{title}</title></head><body><table width=100%><tr><td><a href='index.php'>My board</a>"
            f"<td>{menu}</table>{body}<p>Powered by nothing</body></html>"
        )

    def _paging(self, base: str, items: int, size: int, start: int) -> str:
        if items <= size:
            return ""
        links = []
        for number in range(count_pages(items, size)):
            at = number * size
            links.append(f"<b>{number + 1}</b>" if at == start else f"<a href='{base}&start={at}'>{number + 1}</a>")
        if start + size < items:
            links.append(f"<a href='{base}&start={start + size}'>Next</a>")
        return f"<p>Go to page {', '.join(links)}</p>"

    def index(self) -> str:
        rows = []
        for number, (name, parent) in self.forum.boards.items():
            if parent:
                continue
            threads = self.forum.of_board(number)
            posts = sum(len(thread.posts) for thread in threads)
            last = max(threads, key=lambda thread: thread.posts[-1][1], default=None)
            told = "No posts"
            if last is not None:
                author, moment, _ = last.posts[-1]
                told = (
                    f"{moment:%d.%m.%Y %H:%M}<br><a href='profile.php?u={NAMES.index(author)}'>{author}</a> "
                    f"<a href='viewtopic.php?p={last.number * 100 + 1}#{last.number * 100 + 1}'><img src=i.gif></a>"
                )
            below = "".join(
                f"<br>Below: <a href='viewforum.php?f={inner}'>{its}</a>"
                for inner, (its, above) in self.forum.boards.items()
                if above == number
            )
            rows.append(
                f"<tr><td><img src=f.gif><td><a href='viewforum.php?f={number}'>{name}</a><br>All about {name}{below}"
                f"<td>{len(threads)}<td>{posts}<td>{told}"
            )
        heads = "<tr><th colspan=2>Forum<th>Topics<th>Posts<th>Last post"
        return self.page("My board", f"<table border=1>{heads}{''.join(rows)}</table>")

    def board(self, board: int, start: int) -> str:
        threads = self.forum.of_board(board)
        rows = []
        for thread in threads[start : start + THREADS_A_PAGE]:
            author, (last, moment, _) = thread.posts[0][0], thread.posts[-1]
            rows.append(
                f"<tr><td><img src=t.gif><td><a href='viewtopic.php?f={board}&t={thread.number}&sid={self.sid}'>"
                f"{thread.title}</a><td>{len(thread.posts) - 1}<td><a href='profile.php?u={NAMES.index(author)}'>"
                f"{author}</a><td>{len(thread.posts) * 31}<td>{moment:%d.%m.%Y %H:%M}<br>"
                f"<a href='profile.php?u={NAMES.index(last)}'>{last}</a>"
                f" <a href='viewtopic.php?p={thread.number * 100 + 7}#7'><img src=l.gif></a>"
            )
        name = self.forum.boards[board][0]
        base = f"viewforum.php?f={board}"
        sort = f"<p>Sort: <a href='{base}&sort=title'>by title</a> <a href='{base}&sort=author'>by author</a>"
        crumbs = f"<p><a href='index.php'>My board index</a> &raquo; <a href='{base}'>{name}</a>"
        new = f"<a href='posting.php?mode=newtopic&f={board}'>New topic</a>"
        heads = "<tr><th colspan=2>Topics<th>Replies<th>Author<th>Views<th>Last post"
        paging = self._paging(base, len(threads), THREADS_A_PAGE, start)
        table = f"<table border=1>{heads}{''.join(rows) or '<tr><td colspan=6>There are no topics.'}</table>"
        return self.page(name, f"{crumbs}{new}{paging}{table}{paging}{sort}")

    def thread(self, number: int, start: int) -> str:
        thread = self.forum.threads[number]
        rows = []
        for place, (author, moment, text) in list(enumerate(thread.posts))[start : start + POSTS_A_PAGE]:
            post = number * 100 + place
            rows.append(
                f"<tr><td width=150><b>{author}</b><br>Joined: 2 Jan 2020<br>Posts: {len(author) * 17}"
                f"<td><a href='viewtopic.php?p={post}#{post}'><img src=p.gif></a> Posted: {moment:%d.%m.%Y %H:%M}"
                f"<hr><span>{text}</span>"
                f"<tr><td><a href='#top'>Top</a><td><a href='profile.php?u={NAMES.index(author)}'>profile</a> "
                f"<a href='posting.php?mode=quote&p={post}'>quote</a>"
            )
        base = f"viewtopic.php?f={thread.board}&t={number}"
        name = self.forum.boards[thread.board][0]
        crumbs = (
            f"<p><a href='index.php'>My board index</a> &raquo; <a href='viewforum.php?f={thread.board}'>{name}</a>"
        )
        paging = self._paging(base, len(thread.posts), POSTS_A_PAGE, start)
        more = f"<p><a href='print.php?t={number}'>Print view</a> <a href='posting.php?mode=reply&t={number}'>Reply</a>"
        return self.page(
            thread.title,
            f"<h2><a href='{base}&highlight=x'>{thread.title}</a></h2>{crumbs}{paging}"
            f"<table border=1>{''.join(rows)}</table>{paging}{more}",
        )
