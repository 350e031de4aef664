"""Hypermail: an archive of lists with a page for each mail, four orders of the same mails, and definition lists."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from html import escape

from benchmarks.forum_mirrors.manner import Manner, Shown
from benchmarks.forum_software.content import Content
from benchmarks.forum_software.mails import list_name
from benchmarks.forum_software.markup import mail

_ORDERS = ("date", "thread", "subject", "author")


class Hypermail(Manner):
    name = "hypermail"
    entry = "index.html"
    folder = "/archives/"
    exactness = "second"

    def __init__(self, content: Content) -> None:
        super().__init__(content)
        self._boxes: dict[str, list[tuple[int, int]]] = {}
        for line in self.threads:
            self._boxes.setdefault(list_name(content, line.thread.board), []).extend(
                (line.number, place) for place in range(len(line.thread.posts))
            )
        self._names: dict[tuple[int, int], str] = {}
        for box, mails in self._boxes.items():
            mails.sort(key=lambda which: self.thread(which[0]).posts[which[1]].time)
            self._names |= {which: f"{box}/{number:04}.html" for number, which in enumerate(mails)}
        self._by_name = {name: which for which, name in self._names.items()}

    def thread_addresses(self, thread: int) -> list[str]:
        return [self._names[thread, place] for place in range(len(self.thread(thread).posts))]

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        if path in ("", "index.html"):
            rows = "".join(
                f'<li><a href="{box}/">{box}</a>: {len(mails)} mails</li>' for box, mails in self._boxes.items()
            )
            return Shown(
                "index",
                ("entry",),
                f"<html><head><title>Archives</title></head><body><h1>Archives of our lists</h1><p>Lists that are open to all have archives here.</p><ul>{rows}</ul></body></html>",
            )
        if (found := re.fullmatch(r"([^/]+)/(?:(index|date|thread|subject|author)\.html)?", path)) and found[
            1
        ] in self._boxes:
            order = found[2] if found[2] in _ORDERS else "date"
            return Shown("index", ("box", found[1], order), self._list(found[1], order))
        if path in self._by_name:
            return Shown("thread", ("mail", *self._by_name[path]), self._mail(*self._by_name[path]))
        return None

    def _list(self, box: str, order: str) -> str:
        keys = {
            "date": lambda which: (self.thread(which[0]).posts[which[1]].time, which),
            "thread": lambda which: which,
            "subject": lambda which: (self.thread(which[0]).title, which),
            "author": lambda which: (self.thread(which[0]).posts[which[1]].author, which),
        }
        rows = ""
        for which in sorted(self._boxes[box], key=keys[order]):
            post = self.thread(which[0]).posts[which[1]]
            rows += f'<li><a href="{self._names[which].rpartition("/")[2]}"><strong>{"Re: " if which[1] else ""}{escape(self.thread(which[0]).title)}</strong></a> <a name="{self.post_id(*which)}"><em>{post.author}</em></a> <em>({post.time:%A, %-d %B})</em></li>\n'
        others = "".join(
            f'<th><a href="{each if each != "date" else "index"}.html">{each}</a></th>'
            for each in _ORDERS
            if each != order
        )
        return f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html><head><title>{box}: By {order}</title></head><body><div class="head"><h1>{box}<br />By {order}</h1><ul><li>{len(self._boxes[box])} messages:</li><li><a href="#first">Starting</a> <a href="#last">Ending</a></li></ul><table><tr><th>sort by:</th>{others}</tr></table><a href="../index.html">Other lists</a></div><div class="messages-list"><ul>{rows}</ul></div><p><a id="last"></a><strong>Last message date:</strong> <em>Fri Oct 30 2026</em></p></body></html>'

    def _mail(self, at: int, place: int) -> str:
        thread = self.thread(at)
        said, box = thread.posts[place], list_name(self.content, thread.board)
        order = self._boxes[box]
        here = order.index((at, place))

        def beside(step: int, word: str) -> str:
            if not 0 <= here + step < len(order):
                return ""
            which = order[here + step]
            return f'<li><strong>{word}:</strong> <a href="{self._names[which].rpartition("/")[2]}">{self.thread(which[0]).posts[which[1]].author}: "{escape(self.thread(which[0]).title)}"</a></li>'

        sorts = " ".join(
            f'<a href="{each}.html#{self.post_id(at, place)}">[ {each} ]</a>'
            for each in ("date", "thread", "subject", "author")
        )
        links = f'<ul class="links">{beside(-1, "Previous message")}{beside(1, "Next message")}<li><strong>Messages sorted by:</strong> {sorts}</li></ul>'
        return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html><head><title>{box}: {escape(thread.title)}</title><meta name="Author" content="{said.author} ({said.author.lower()}@example.org)" /></head><body><div class="head"><h1>{"Re: " if place else ""}{escape(thread.title)}</h1>{links}</div><div class="mail"><address class="headers"><span id="from"><dfn>From</dfn>: {said.author} &lt;<a href="mailto:{said.author.lower()}@example.org">{said.author.lower()}@example.org</a>&gt;</span><br /><span id="date"><dfn>Date</dfn>: {said.time:%a, %d %b %Y %H:%M:%S +0000}</span><br /></address><p>{escape(mail(said), quote=False).replace(chr(10), "<br />" + chr(10))}</p><span id="received"><dfn>Received on</dfn> {said.time:%a %b %d %Y - %H:%M:%S UTC}</span></div><div class="foot">{links}</div></body></html>"""
