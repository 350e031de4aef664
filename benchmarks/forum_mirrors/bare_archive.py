"""A forum that was saved from its end: bare pages that somebody's script wrote, without menus, trails or profiles."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from html import escape

from benchmarks.forum_mirrors.manner import Manner, Shown, part_markup

_QUOTE = '<table align="center" border="0" width="90%"><tr><td><b>{author} wrote:</b></td></tr><tr><td class="quote">{text}</td></tr></table>'


class BareArchive(Manner):
    name = "bare"
    entry = "index.html"
    folder = "/forum-archive/"
    posts_a_page = 1_000
    threads_a_page = 1_000

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        if path in ("", "index.html"):
            rows = "".join(
                f'<li><a href="category/{board}.html">{self.board_name(board)}</a> ({len(self.lines(board))} threads)</li>'
                for board in range(len(self.content.boards))
            )
            return Shown("index", ("entry",), self._frame("forum archive", f"<ul>{rows}</ul>"))
        if (found := re.fullmatch(r"category/(\d+)\.html", path)) and self.has_board(int(found[1])):
            return Shown("index", ("board", int(found[1])), self._board(int(found[1])))
        if (found := re.fullmatch(r"thread/(\d+)/(\d+)\.html", path)) and self.has_thread(int(found[2])):
            return Shown("thread", ("thread", int(found[2])), self._thread(int(found[2])))
        return None

    def thread_addresses(self, thread: int) -> list[str]:
        return [f"thread/{self.thread(thread).board}/{thread}.html"]

    def _frame(self, title: str, body: str) -> str:
        return f'<!doctype html>\n<html><head><meta charset="utf-8" /><title>{title} - lamps.example forum archive</title></head><body><h1>lamps.example forum archive</h1><i>This is a read-only mirror of the content originally found on forum.lamps.example (now offline), salvaged from old copies. </i><br />{body}</body></html>'

    def _board(self, board: int) -> str:
        rows = "".join(
            f'<tr><td><a href="../thread/{board}/{at}.html">{escape(thread.title)}</a></td><td>{thread.posts[0].author}</td><td>{len(thread.posts)}</td></tr>'
            for at, thread in self.lines(board)
        )
        return self._frame(
            self.board_name(board),
            f"<h2>{self.board_name(board)}</h2><table><tr><th>Thread</th><th>Author</th><th>Posts</th></tr>{rows}</table>",
        )

    def _thread(self, at: int) -> str:
        thread = self.thread(at)
        blocks = "".join(
            f'<div class="post"><h4>#{post} - {said.author} - {self.say.named(said.time)}</h4><div class="postbody"><span class="postbody">{part_markup(said, _QUOTE)}</span><span class="gensmall"></span></div></div>'
            for post, _, said in self.posts_on(at, 1)
        )
        return self._frame(
            escape(thread.title),
            f'<h2>{self.board_name(thread.board)} &gt; {escape(thread.title)}</h2><div id="posts">{blocks}</div>',
        )
