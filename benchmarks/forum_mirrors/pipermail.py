"""Pipermail: an archive of mailing lists with a page for each mail, and for each month four orders of the same mails."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from html import escape

from benchmarks.forum_mirrors.manner import Manner, Shown
from benchmarks.forum_software.content import Content, Thread
from benchmarks.forum_software.mails import list_name
from benchmarks.forum_software.markup import mail

_ORDERS = ("thread", "subject", "author", "date")


class Pipermail(Manner):
    name = "pipermail"
    entry = ""
    folder = "/pipermail/"
    exactness = "second"

    def __init__(self, content: Content) -> None:
        super().__init__(content)
        self._mails: dict[str, dict[str, list[tuple[int, int]]]] = {}
        self._names: dict[tuple[int, int], str] = {}
        for line, place in ((each, place) for each in self.threads for place in range(len(each.thread.posts))):
            box = list_name(content, line.thread.board)
            month = f"{line.thread.posts[0].time:%Y}"
            self._mails.setdefault(box, {}).setdefault(month, []).append((line.number, place))
            self._names[line.number, place] = f"{box}/{month}/{self.post_id(line.number, place):06}.html"
        self._by_name = {name: which for which, name in self._names.items()}

    def thread_addresses(self, thread: int) -> list[str]:
        return [self._names[thread, place] for place in range(len(self.thread(thread).posts))]

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        if path in ("", "index.html"):
            rows = "".join(
                f'<tr><td><a href="{box}/">{box}</a></td><td>{sum(map(len, months.values()))} messages</td></tr>'
                for box, months in self._mails.items()
            )
            return Shown(
                "index",
                ("entry",),
                f"<HTML><HEAD><TITLE>Mailing list archives</TITLE></HEAD><BODY><H1>Mailing list archives</H1><table border=1>{rows}</table></BODY></HTML>",
            )
        if found := re.fullmatch(r"([^/]+)/(?:index\.html)?", path):
            return Shown("index", ("box", found[1]), self._box(found[1])) if found[1] in self._mails else None
        if found := re.fullmatch(r"([^/]+)/(\d+)/(?:(thread|subject|author|date)\.html)?", path):
            known = self._mails.get(found[1], {}).get(found[2])
            return (
                Shown(
                    "index",
                    ("month", found[1], found[2], found[3] or "date"),
                    self._month(found[1], found[2], known, found[3] or "date"),
                )
                if known
                else None
            )
        if path in self._by_name:
            return Shown("thread", ("mail", *self._by_name[path]), self._mail(*self._by_name[path]))
        return None

    def _box(self, box: str) -> str:
        rows = "".join(
            f'<tr><td>{month}:</td><td><A href="{month}/thread.html">[ Thread ]</a><A href="{month}/subject.html">[ Subject ]</a><A href="{month}/author.html">[ Author ]</a><A href="{month}/date.html">[ Date ]</a></td><td><A href="{month}.txt.gz">[ Gzip\'d Text 12 KB ]</a></td></tr>'
            for month in sorted(self._mails[box], reverse=True)
        )
        return f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><HTML><HEAD><title>The {box} Archives</title></HEAD><BODY BGCOLOR="#ffffff"><h1>The {box} Archives </h1><p>You can get <a href="http://lists.example.org/listinfo/{box}">more information about this list</a> or you can <a href="{box}.mbox">download the full raw archive</a>.</p><table border=3><tr><td>Archive</td><td>View by:</td><td>Downloadable version</td></tr>{rows}</table></BODY></HTML>'

    def _month(self, box: str, month: str, mails: list[tuple[int, int]], order: str) -> str:
        def title(which: tuple[int, int]) -> str:
            return escape(f"[{box}] {self.thread(which[0]).title}")

        def post(which: tuple[int, int]) -> object:
            return self.thread(which[0]).posts[which[1]]

        keys = {
            "subject": lambda which: (title(which), which),
            "author": lambda which: (self.thread(which[0]).posts[which[1]].author, which),
            "date": lambda which: (self.thread(which[0]).posts[which[1]].time, which),
            "thread": lambda which: (self.thread(which[0]).posts[0].time, which),
        }
        rows, depth = "", 0
        for which in sorted(mails, key=keys[order]):
            wanted = min(which[1], 2) if order == "thread" else 0
            rows += "<UL>\n" * (wanted - depth) + "</UL>\n" * (depth - wanted)
            depth = wanted
            rows += f'<LI><A HREF="{self._names[which].rpartition("/")[2]}">{title(which)}\n</A><A NAME="{self.post_id(*which)}">&nbsp;</A>\n<I>{self.thread(which[0]).posts[which[1]].author}\n</I>\n'
        rows += "</UL>\n" * depth
        others = " ".join(f'<a href="{each}.html#start">[ {each} ]</a>' for each in _ORDERS if each != order)
        bar = f'<ul><li> <b>Messages sorted by:</b> {others}<li><b><a href="http://lists.example.org/listinfo/{box}">More info on this list... </a></b></li></ul>'
        first, last = (
            min(self.thread(at).posts[place].time for at, place in mails),
            max(self.thread(at).posts[place].time for at, place in mails),
        )
        return f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><HTML><HEAD><title>The {box} {month} Archive by {order}</title></HEAD><BODY BGCOLOR="#ffffff"><a name="start"></A><h1>{month} Archives by {order}</h1>{bar}<p><b>Starting:</b> <i>{first:%a %b %-d %H:%M:%S UTC %Y}</i><br><b>Ending:</b> <i>{last:%a %b %-d %H:%M:%S UTC %Y}</i><br><b>Messages:</b> {len(mails)}<p><ul>{rows}</ul><p><a name="end"><b>Last message date:</b></a> <i>{last:%a %b %-d %H:%M:%S UTC %Y}</i><br><b>Archived on:</b> <i>Sun Nov 15 18:30:01 UTC 2026</i>{bar}<p><hr><i>This archive was generated by Pipermail 0.09 (Mailman edition).</i></BODY></HTML>'

    def _mail(self, at: int, place: int) -> str:
        thread: Thread = self.thread(at)
        said, box = thread.posts[place], list_name(self.content, thread.board)
        subject = escape(f"[{box}] {thread.title}")

        def beside(step: int, word: str) -> str:
            name = self._names.get((at, place + step))
            return f'<LI>{word} message: <A HREF="{name.rpartition("/")[2]}">{subject}</A></li>' if name else ""

        bar = (
            f"<UL>{beside(-1, 'Previous')}{beside(1, 'Next')}<LI> <B>Messages sorted by:</B> "
            + " ".join(
                f'<a href="{order}.html#{self.post_id(at, place)}">[ {order} ]</a>'
                for order in ("date", "thread", "subject", "author")
            )
            + "</LI></UL>"
        )
        return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><HTML><HEAD><TITLE> {subject}</TITLE><LINK REL="Index" HREF="index.html"></HEAD><BODY BGCOLOR="#ffffff">
<H1>{subject}</H1><B>{said.author}</B> <A HREF="mailto:list%40lists.example.org?Subject=Re:" TITLE="{subject}">{said.author.lower()} at example.org</A><BR><I>{said.time:%a %b %-d %H:%M:%S UTC %Y}</I><P>{bar}<HR><!--beginarticle--><PRE>{escape(mail(said), quote=False)}
</PRE><!--endarticle--><HR><P>{bar}<hr><a href="http://lists.example.org/listinfo/{box}">More information about the {box} mailing list</a><br></body></html>"""
