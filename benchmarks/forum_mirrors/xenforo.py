"""XenForo 2: slugs with numbers, pages as folders, permalinks below the thread, articles for posts."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from datetime import datetime
from html import escape

from benchmarks.forum_mirrors import side_pages
from benchmarks.forum_mirrors.manner import Manner, Shown, part_markup, window

_QUOTE = '<blockquote data-attributes="member: 1" data-quote="{author}" class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote"><div class="bbCodeBlock-title"><a href="/community/goto/post?id=1" class="bbCodeBlock-sourceJump" rel="nofollow">{author} schrieb:</a></div><div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent ">{text}</div></div></blockquote>'


def _slug(text: str) -> str:
    return (
        re.sub(r"[^a-z0-9äöüß]+", "-", text.lower()).strip("-").translate({228: "ae", 246: "oe", 252: "ue", 223: "ss"})
        or "thema"
    )


class XenForo(Manner):
    name = "xenforo"
    language = "de"
    folder = "/community/"
    entry = ""
    posts_a_page = 20
    threads_a_page = 20

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        if path == "":
            return Shown("index", ("entry",), self._entry())
        if found := re.fullmatch(r"(?:forums|categories)/[^/]*\.(\d+)/(?:page-(\d+))?", path):
            board, page = int(found[1]), int(found[2] or 1)
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if found := re.fullmatch(r"threads/[^/]*\.(\d+)/(?:page-(\d+)|post-(\d+)|(latest|unread))?", path):
            thread, page = int(found[1]), int(found[2] or 1)
            if found[3]:
                thread, page = self.thread_of_post(int(found[3])) or (-1, 1)
            if found[4] and self.has_thread(thread):
                page = self.pages_of_thread(thread)
            return (
                Shown("thread", ("thread", thread, page), self._thread(thread, page))
                if self.has_thread(thread, page)
                else None
            )
        if found := re.fullmatch(r"members/[^/]*\.(\d+)/(about|recent-content)?", path):
            user = self.user(int(found[1]))
            return (
                Shown(
                    "other",
                    (path,),
                    self._frame(
                        user.name,
                        "",
                        side_pages.profile(self.say, user, f"{self.folder}search/member?user_id={found[1]}"),
                    ),
                )
                if user
                else None
            )
        if path in (
            "login/",
            "register/",
            "search/",
            "members/",
            "help/",
            "whats-new/",
            "lost-password/",
        ) or re.fullmatch(
            r"posts/\d+/(report|react|quote|share)|threads/[^/]*/(reply|preview)|forums/[^/]*/post-thread", path
        ):
            return Shown(
                "other", (path,), self._frame(path, "", side_pages.log_in(self.say, f"{self.folder}login/login"))
            )
        return None

    def thread_addresses(self, thread: int) -> list[str]:
        first = self._thread_path(thread)
        return [first, *(f"{first}page-{page}" for page in range(2, self.pages_of_thread(thread) + 1))]

    def _thread_path(self, thread: int) -> str:
        return f"threads/{_slug(self.thread(thread).title)}.{thread}/"

    def _board_path(self, board: int) -> str:
        return f"{'categories' if self.content.boards[board].parent is None else 'forums'}/{_slug(self.content.boards[board].name)}.{board}/"

    def _frame(self, title: str, trail: str, body: str) -> str:
        say, at = self.say, self.folder
        return f"""<!DOCTYPE html><html id="XF" lang="de-DE" dir="LTR" data-app="public" class="has-no-js"><head><meta charset="utf-8" /><title>{title} | Holzforum</title></head><body data-template="x"><div class="p-pageWrapper" id="top"><header class="p-header"><div class="p-header-logo"><a href="{at}"><img src="/logo.png" alt="Holzforum" /></a></div></header><div class="p-navSticky"><nav class="p-nav"><ul class="p-nav-list"><li><div class="p-navEl"><a href="{at}" class="p-navEl-link" data-nav-id="forums">Foren</a></div></li><li><div class="p-navEl"><a href="{at}whats-new/" class="p-navEl-link">Aktuelles</a></div></li><li><div class="p-navEl"><a href="{at}members/" class="p-navEl-link">{say["members"]}</a></div></li></ul><div class="p-nav-opposite"><div class="p-navgroup"><a href="{at}login/" class="p-navgroup-link" rel="nofollow">{say["login"]}</a><a href="{at}register/" class="p-navgroup-link">{say["register"]}</a><a href="{at}search/" class="p-navgroup-link">{say["search"]}</a></div></div></nav></div>
<div class="p-body"><div class="p-body-inner"><ul class="p-breadcrumbs" itemscope><li itemprop="itemListElement"><a href="{at}" itemprop="item"><span itemprop="name">Foren</span></a></li>{trail}</ul><div class="p-body-header"><div class="p-title"><h1 class="p-title-value">{title}</h1></div></div><div class="p-body-main"><div class="p-body-content"><div class="p-body-pageContent">{body}</div></div></div></div></div>
<footer class="p-footer" id="footer"><div class="p-footer-inner"><ul class="p-footer-linkList"><li><a href="{at}help/terms/">Nutzungsbedingungen</a></li><li><a href="{at}help/privacy-policy/">Datenschutz</a></li><li><a href="{at}help/">Hilfe</a></li><li><a href="{at}">Start</a></li></ul><div class="p-footer-copyright">Community platform by XenForo<sup>&reg;</sup> &copy; 2010-2026 XenForo Ltd.</div></div></footer></div></body></html>"""

    def _crumbs(self, board: int) -> str:
        return "".join(
            f'<li itemprop="itemListElement"><a href="{self.folder}{self._board_path(each)}" itemprop="item"><span itemprop="name">{self.board_name(each)}</span></a></li>'
            for each in self.trail(board)
        )

    def _who(self, name: str, more: str = "") -> str:
        return f'<a href="{self.folder}members/{name.lower()}.{self.users[name]}/" class="username {more}" dir="auto" data-user-id="{self.users[name]}">{name}</a>'

    def _face(self, name: str) -> str:
        return f'<a href="{self.folder}members/{name.lower()}.{self.users[name]}/" class="avatar avatar--s" data-user-id="{self.users[name]}"><span class="avatar-u{self.users[name]}-s">{name[0]}</span></a>'

    def _when(self, when: datetime) -> str:
        return f'<time class="u-dt" dir="auto" datetime="{when:%Y-%m-%dT%H:%M:%S}+0000" data-time="{int(when.timestamp())}" title="{when:%d.%m.%Y um %H:%M}">{when:%-d. %B %Y}</time>'

    def _nodes(self, boards: list[int]) -> str:
        made = ""
        for board in boards:
            last, said = self.last_of(board), '<span class="node-extra-placeholder">Nichts</span>'
            if last is not None:
                post = last.thread.posts[-1]
                said = f'<div class="node-extra-icon">{self._face(post.author)}</div><div class="node-extra-row"><a href="{self.folder}{self._thread_path(last.number)}post-{self.post_id(last.number)}" class="node-extra-title" title="{escape(last.thread.title)}">{escape(last.thread.title)}</a></div><div class="node-extra-row"><ul class="listInline listInline--bullet"><li>{self._when(post.time)}</li><li class="node-extra-user">{self._who(post.author)}</li></ul></div>'
            below = "".join(
                f'<li><a href="{self.folder}{self._board_path(each)}" class="subNodeLink subNodeLink--forum">{self.board_name(each)}</a></li>'
                for each in self.boards(board)
            )
            below = (
                f'<div class="node-subNodesFlat"><span class="node-subNodesLabel">Unterforen:</span><ol class="node-subNodeFlatList">{below}</ol></div>'
                if below
                else ""
            )
            made += f'<div class="node node--id{board} node--depth2 node--forum node--read"><div class="node-body"><span class="node-icon" aria-hidden="true"><i></i></span><div class="node-main js-nodeMain"><h3 class="node-title"><a href="{self.folder}{self._board_path(board)}" data-xf-init="element-tooltip">{self.board_name(board)}</a></h3><div class="node-description">{escape(self.content.boards[board].description)}</div><div class="node-meta"><div class="node-statsMeta"><dl class="pairs pairs--inline"><dt>Themen</dt><dd>{len(self.lines(board))}</dd></dl><dl class="pairs pairs--inline"><dt>Beiträge</dt><dd>{self.count_posts(board)}</dd></dl></div></div>{below}</div><div class="node-stats"><dl class="pairs pairs--rows"><dt>Themen</dt><dd>{len(self.lines(board))}</dd></dl></div><div class="node-extra">{said}</div></div></div>'
        return made

    def _entry(self) -> str:
        return self._frame(
            "Holzforum",
            "",
            "".join(
                f'<div class="block block--category block--category{parent}"><span class="u-anchorTarget"></span><div class="block-container"><h2 class="block-header"><a href="{self.folder}{self._board_path(parent)}">{self.board_name(parent)}</a></h2><div class="block-body">{self._nodes(self.boards(parent))}</div></div></div>'
                for parent in self.boards(None)
            ),
        )

    def _paging(self, path: str, page: int, last: int) -> str:
        if last == 1:
            return ""
        items = "".join(
            f'<li class="pageNav-page {"pageNav-page--current" if at == page else ""}"><a href="{self.folder}{path}{f"page-{at}" if at > 1 else ""}">{at}</a></li>'
            for at in window(page, last)
        )
        onward = (
            f'<a href="{self.folder}{path}page-{page + 1}" class="pageNav-jump pageNav-jump--next">Nächste</a>'
            if page < last
            else ""
        )
        return f'<div class="block-outer"><div class="block-outer-main"><nav class="pageNavWrapper pageNavWrapper--mixed"><div class="pageNav"><ul class="pageNav-main">{items}</ul>{onward}</div></nav></div></div>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, path, last = (
                thread.posts[0],
                thread.posts[-1],
                self.folder + self._thread_path(at),
                self.pages_of_thread(at),
            )
            jump = (
                f'<span class="structItem-pageJump">{"".join(f"<a href={path}page-{each}>{each}</a>" for each in range(2, last + 1))}</span>'
                if last > 1
                else ""
            )
            rows += f'<div class="structItem structItem--thread js-inlineModContainer" data-author="{first.author}"><div class="structItem-cell structItem-cell--icon"><div class="structItem-iconContainer">{self._face(first.author)}</div></div><div class="structItem-cell structItem-cell--main"><div class="structItem-title"><a href="{path}" class="" data-tp-primary="on">{escape(thread.title)}</a></div><div class="structItem-minor"><ul class="structItem-parts"><li>{self._who(first.author)}</li><li class="structItem-startDate"><a href="{path}" rel="nofollow">{self._when(first.time)}</a></li></ul>{jump}</div></div><div class="structItem-cell structItem-cell--meta"><dl class="pairs pairs--justified"><dt>Antworten</dt><dd>{len(thread.posts) - 1}</dd></dl><dl class="pairs pairs--justified structItem-minor"><dt>Aufrufe</dt><dd>{at * 23}</dd></dl></div><div class="structItem-cell structItem-cell--latest"><a href="{path}latest" rel="nofollow">{self._when(post.time)}</a><div class="structItem-minor">{self._who(post.author)}</div></div><div class="structItem-cell structItem-cell--icon structItem-cell--iconEnd">{self._face(post.author)}</div></div>'
        below = (
            f'<div class="block"><div class="block-container"><div class="block-body">{self._nodes(self.boards(board))}</div></div></div>'
            if self.boards(board)
            else ""
        )
        order = f'<div class="block-filterBar"><div class="filterBar"><a class="filterBar-menuTrigger" href="{self.folder}{self._board_path(board)}?order=reply_count&amp;direction=desc">Filter</a></div></div>'
        listed = (
            f'<div class="block"><div class="block-container">{order}<div class="block-body"><div class="structItemContainer">{rows}</div></div></div></div>'
            if rows
            else '<div class="blockMessage">In diesem Forum gibt es noch keine Themen.</div>'
        )
        paging = self._paging(self._board_path(board), page, self.pages_of_board(board))
        return self._frame(self.board_name(board), self._crumbs(board), f"{below}{paging}{listed}{paging}")

    def _thread(self, at: int, page: int) -> str:
        thread, path, blocks = self.thread(at), self.folder + self._thread_path(at), ""
        for post, place, said in self.posts_on(at, page):
            blocks += f"""<article class="message message--post js-post js-inlineModContainer" data-author="{said.author}" data-content="post-{post}" id="js-post-{post}"><span class="u-anchorTarget" id="post-{post}"></span><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><div class="message-avatar"><div class="message-avatar-wrapper">{self._face(said.author)}</div></div><div class="message-userDetails"><h4 class="message-name">{self._who(said.author)}</h4><h5 class="userTitle message-userTitle" dir="auto">ww-robinie</h5></div><div class="message-userExtras"><dl class="pairs pairs--justified"><dt>Registriert</dt><dd>{self.content.users[self.users[said.author] - 2].joined:%-d. %B %Y}</dd></dl><dl class="pairs pairs--justified"><dt>Beiträge</dt><dd>{post}</dd></dl></div></section></div>
<div class="message-cell message-cell--main"><div class="message-main js-quickEditTarget"><header class="message-attribution message-attribution--split"><ul class="message-attribution-main listInline"><li class="u-concealed"><a href="{path}post-{post}" rel="nofollow">{self._when(said.time)}</a></li></ul><ul class="message-attribution-opposite message-attribution-opposite--list"><li><a href="{path}post-{post}" class="message-attribution-gadget" rel="nofollow"><i class="fa--xf"></i></a></li><li><a href="{path}post-{post}" rel="nofollow">#{place + 1}</a></li></ul></header><div class="message-content js-messageContent"><div class="message-userContent lbContainer js-lbContainer"><article class="message-body js-selectToQuote"><div><div class="bbWrapper">{part_markup(said, _QUOTE)}</div></div></article></div></div><footer class="message-footer"><div class="message-actionBar actionBar"><a href="{self.folder}posts/{post}/report" class="actionBar-action">Melden</a></div></footer></div></div></div></article>"""
        paging = self._paging(self._thread_path(at), page, self.pages_of_thread(at))
        about = f'<div class="p-description"><ul class="listInline listInline--bullet"><li>{self._who(thread.posts[0].author)}</li><li><a href="{path}" class="u-concealed">{self._when(thread.posts[0].time)}</a></li></ul></div>'
        return self._frame(
            escape(thread.title),
            self._crumbs(thread.board),
            f'{about}{paging}<div class="block block--messages"><div class="block-container lbContainer"><div class="block-body js-replyNewMessageContainer">{blocks}</div></div></div>{paging}<div class="blockMessage">Du musst dich <a href="{self.folder}login/">einloggen</a>, um zu antworten.</div>',
        )
