"""Discourse, as it shows itself without scripts: slugs and numbers, categories in categories, no trail but links above."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from html import escape

from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup

_QUOTE = '<aside class="quote no-group" data-username="{author}" data-post="1"><div class="title"><div class="quote-controls"></div><img alt="" width="24" height="24" src="/user_avatar/x.png" class="avatar"> {author}:</div><blockquote><p>{text}</p></blockquote></aside>'


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "topic"


class Discourse(Manner):
    name = "discourse"
    entry = ""
    folder = "/"
    posts_a_page = 20
    threads_a_page = 30

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        page = number(query.get("page"), 0 if not path.startswith("t/") else 1)
        if path in ("", "latest", "top", "categories"):
            if path in ("", "categories"):
                return Shown("index", ("entry",), self._entry())
            lines = sorted(self.threads, key=lambda line: line.thread.posts[-1].time, reverse=True)
            shown = lines[page * 30 : page * 30 + 30]
            more = f"/{path}?no_definitions=true&amp;page={page + 1}" if page * 30 + 30 < len(lines) else ""
            return (
                Shown("index", (path, page), self._frame("Latest topics", self._list(shown, more))) if shown else None
            )
        if found := re.fullmatch(r"c/[^/]+(?:/[^/]+)?/(\d+)", path):
            board = int(found[1])
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page + 1)
                else None
            )
        if found := re.fullmatch(r"t/[^/]+/(\d+)(?:/(\d+))?", path):
            thread = int(found[1])
            page = (int(found[2]) - 1) // self.posts_a_page + 1 if found[2] else page
            return (
                Shown("thread", ("thread", thread, page), self._thread(thread, page))
                if self.has_thread(thread, page)
                else None
            )
        return self._rest(path)

    def thread_addresses(self, thread: int) -> list[str]:
        first = self._address(thread)[1:]
        return [first, *(f"{first}?page={page}" for page in range(2, self.pages_of_thread(thread) + 1))]

    def _address(self, thread: int) -> str:
        return f"/t/{_slug(self.thread(thread).title)}/{thread}"

    def _category(self, board: int) -> str:
        return "/c/" + "/".join(_slug(self.content.boards[each].name) for each in self.trail(board)[-2:]) + f"/{board}"

    def _rest(self, path: str) -> Shown | None:
        if found := re.fullmatch(r"u/([^/]+)(/summary|/activity)?", path):
            if found[1] not in self.users:
                return None
            return Shown(
                "other",
                (path,),
                self._frame(
                    found[1],
                    f'<h1>{found[1]}</h1><div class="bio">A member of this forum. <a href="/u/{found[1]}/activity">Activity</a></div>',
                ),
            )
        if path in ("login", "signup", "about", "faq", "tos", "privacy", "guidelines", "search"):
            return Shown(
                "other",
                (path,),
                self._frame(
                    path,
                    f"<h1>{path.title()}</h1><p>This forum is made possible by volunteers. Be kind to each other.</p><h2>What you may do</h2><p>Read, write and answer; never insult anyone.</p>",
                ),
            )
        if found := re.fullmatch(r"tag/([^/]+)", path):
            lines = self.threads[len(found[1]) :: 9][:12]
            return Shown("other", (path,), self._frame(found[1], self._list(lines, "")))
        return None

    def _frame(self, title: str, body: str) -> str:
        return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} - Lamp &amp; Lens</title><meta name="generator" content="Discourse 3.1"></head><body class="crawler"><header><a href="/"><h1>Lamp &amp; Lens</h1></a></header><div id="main-outlet" class="wrap" role="main">{body}</div><footer class="container wrap"><nav class="crawler-nav"><ul><li itemscope itemtype="http://schema.org/SiteNavigationElement"><span itemprop="name"><a href="/" itemprop="url">Home </a></span></li><li><span><a href="/categories">Categories </a></span></li><li><span><a href="/guidelines">Guidelines </a></span></li><li><span><a href="/tos">Terms of Service </a></span></li><li><span><a href="/privacy">Privacy Policy </a></span></li></ul></nav><p class="powered-by-link">Powered by <a href="https://www.discourse.org">Discourse</a>, best viewed with JavaScript enabled</p></footer></body></html>"""

    def _entry(self) -> str:
        rows = ""
        for parent in self.boards(None):
            for board in (parent, *self.boards(parent)):
                below = (
                    " ".join(
                        f'<span class="subcategory"><a href="{self._category(each)}">{self.board_name(each)}</a></span>'
                        for each in self.boards(board)
                    )
                    if board != parent
                    else ""
                )
                rows += f'<tr><td class="category" style="border-color: #0088CC"><div itemprop="itemListElement"><h3><a href="{self._category(board)}"><span itemprop="name">{self.board_name(board)}</span></a></h3><div class="category-description"><span itemprop="description">{escape(self.content.boards[board].description)}</span></div><div class="subcategories">{below}</div></div></td><td class="topics"><div title="{len(self.lines(board))} topics">{len(self.lines(board))}</div></td></tr>'
        return self._frame(
            "Categories",
            f'<div itemscope itemtype="http://schema.org/ItemList"><table class="category-list"><thead><tr><th class="category">Category</th><th class="topics">Topics</th></tr></thead><tbody>{rows}</tbody></table></div><p><a href="/latest">Latest topics</a></p>',
        )

    def _list(self, lines: list, more: str) -> str:
        rows = ""
        for at, thread in lines:
            authors = list(dict.fromkeys(post.author for post in thread.posts))[:4]
            faces = "".join(
                f'<a href="/u/{name}" class=""><img width="25" height="25" src="/user_avatar/{name}/50.png" class="avatar" title="{name}" aria-label="{name}"></a>'
                for name in authors
            )
            tag = "repair" if at % 3 else "howto"
            rows += f'<tr class="topic-list-item"><td class="main-link" itemprop="itemListElement"><meta itemprop="name" content=""><span class="link-top-line"><a itemprop="url" href="{self._address(at)}" class="title raw-link raw-topic-link">{escape(thread.title)}</a></span><div class="link-bottom-line"><a href="{self._category(thread.board)}" class="badge-wrapper bullet"><span class="badge-category">{self.board_name(thread.board)}</span></a><div class="discourse-tags"><a href="/tag/{tag}" class="discourse-tag">{tag}</a></div></div></td><td class="posters">{faces}</td><td class="replies"><span class="posts" title="posts">{len(thread.posts) - 1}</span></td><td class="views"><span class="views" title="views">{at * 17}</span></td><td>{thread.posts[-1].time:%B %-d, %Y}</td></tr>'
        onward = (
            f'<div role="navigation" itemscope class="topic-list-bottom"><span itemprop="name"><a itemprop="url" rel="next" href="{more}">next page &rarr;</a></span></div>'
            if more
            else ""
        )
        return f'<div class="topic-list-container" itemscope itemtype="http://schema.org/ItemList"><table class="topic-list"><thead><tr><th>Topic</th><th></th><th class="replies">Replies</th><th class="views">Views</th><th>Activity</th></tr></thead><tbody>{rows}</tbody></table></div>{onward}'

    def _board(self, board: int, page: int) -> str:
        lines = self.lines_on(board, page + 1)
        more = f"{self._category(board)}?page={page + 1}" if page + 1 < self.pages_of_board(board) else ""
        below = "".join(
            f'<h4><a href="{self._category(each)}">{self.board_name(each)}</a></h4>' for each in self.boards(board)
        )
        listed = self._list(lines, more) if lines else "<p>There are no topics in this category yet.</p>"
        return self._frame(
            self.board_name(board),
            f'<h1>{self.board_name(board)}</h1><div class="category-description"><p>{escape(self.content.boards[board].description)}</p></div>{below}{listed}',
        )

    def _thread(self, at: int, page: int) -> str:
        thread, last, blocks = self.thread(at), self.pages_of_thread(at), ""
        for _, place, said in self.posts_on(at, page):
            blocks += f"""<div id="post_{place + 1}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel="nofollow" href="/u/{said.author}"><span itemprop="name">{said.author}</span></a></span><link itemprop="mainEntityOfPage" href="{self._address(at)}"><span class="crawler-post-infos"><time itemprop="datePublished" datetime="{said.time:%Y-%m-%dT%H:%M:%SZ}" class="post-time">{said.time:%B %-d, %Y, %-I:%M%p}</time><meta itemprop="dateModified" content="{said.time:%Y-%m-%dT%H:%M:%SZ}"><span itemprop="position">{place + 1}</span></span></div>
<div class="post" itemprop="text"><p>{part_markup(said, _QUOTE)}</p></div><div itemprop="interactionStatistic" itemscope><meta itemprop="userInteractionCount" content="0"><span class="post-likes"></span></div></div>"""
        links = (
            f'<a rel="prev" itemprop="previous" href="{self._address(at)}{f"?page={page - 1}" if page > 2 else ""}">&larr; previous page</a> '
            if page > 1
            else ""
        ) + (
            f'<a rel="next" itemprop="next" href="{self._address(at)}?page={page + 1}">next page &rarr;</a>'
            if page < last
            else ""
        )
        others = [line for line in self.threads if line.thread.board == thread.board and line.number != at][:5]
        related = (
            f'<div id="related-topics" class="more-topics__list"><h3>Related topics</h3>{self._list(others, "")}</div>'
            if others
            else ""
        )
        crumbs = "".join(
            f'<div itemprop="itemListElement"><a href="{self._category(each)}" class="badge-wrapper bullet"><span class="badge-category-bg"></span><span class="badge-category clear-badge"><span class="category-name">{self.board_name(each)}</span></span></a></div>'
            for each in self.trail(thread.board)[-2:]
        )
        return self._frame(
            escape(thread.title),
            f'<div id="topic-title"><h1><a href="{self._address(at)}">{escape(thread.title)}</a></h1><div class="topic-category" itemscope>{crumbs}</div></div><div itemscope itemtype="http://schema.org/DiscussionForumPosting">{blocks}</div><div role="navigation" itemscope class="topic-body crawler-post">{links}</div>{related}',
        )
