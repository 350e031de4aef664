"""Invision Community: slugs behind numbers, a question mark for all that a link does, lists of items, articles."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from datetime import datetime
from html import escape

from benchmarks.forum_mirrors import side_pages
from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup, window

_QUOTE = '<blockquote class="ipsQuote" data-ipsquote="" data-ipsquote-username="{author}"><div class="ipsQuote_citation">{author} said:</div><div class="ipsQuote_contents"><p>{text}</p></div></blockquote>'


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "topic"


class Invision(Manner):
    name = "invision"
    folder = "/"
    entry = ""
    posts_a_page = 15
    threads_a_page = 15

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        page = number(query.get("page"), 1)
        if path in ("", "index.php", "forums/"):
            return Shown("index", ("entry",), self._entry())
        if found := re.fullmatch(r"forum/(\d+)-[^/]*/(?:page/(\d+)/)?", path):
            board, page = int(found[1]), int(found[2] or page)
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if found := re.fullmatch(r"topic/(\d+)-[^/]*/(?:page/(\d+)/)?", path):
            thread, page = int(found[1]), int(found[2] or page)
            if query.get("do") == "findComment":
                thread, page = self.thread_of_post(number(query.get("comment"))) or (-1, 1)
            elif query.get("do") in ("getLastComment", "getNewComment") and self.has_thread(thread):
                page = self.pages_of_thread(thread)
            elif "do" in query or "tab" in query:
                return Shown(
                    "other",
                    (path, *sorted(query.items())),
                    self._frame("Sorry", "", side_pages.log_in(self.say, "/login/")),
                )
            return (
                Shown("thread", ("thread", thread, page), self._thread(thread, page))
                if self.has_thread(thread, page)
                else None
            )
        if found := re.fullmatch(r"profile/(\d+)-[^/]*/(?:content/)?", path):
            user = self.user(int(found[1]))
            return (
                Shown(
                    "other",
                    (path, *sorted(query.items())),
                    self._frame(
                        user.name,
                        "",
                        side_pages.profile(self.say, user, f"/profile/{found[1]}-{user.name.lower()}/content/"),
                    ),
                )
                if user
                else None
            )
        if path in (
            "login/",
            "register/",
            "search/",
            "discover/",
            "staff/",
            "online/",
            "guidelines/",
            "contact/",
            "privacy/",
            "cookies/",
        ):
            return Shown(
                "other", (path, *sorted(query.items())), self._frame(path, "", side_pages.log_in(self.say, "/login/"))
            )
        return None

    def thread_addresses(self, thread: int) -> list[str]:
        first = self._thread_path(thread)[1:]
        return [first, *(f"{first}page/{page}/" for page in range(2, self.pages_of_thread(thread) + 1))]

    def _thread_path(self, thread: int) -> str:
        return f"/topic/{thread}-{_slug(self.thread(thread).title)}/"

    def _board_path(self, board: int) -> str:
        return f"/forum/{board}-{_slug(self.content.boards[board].name)}/"

    def _who(self, name: str) -> str:
        return f'<a href="/profile/{self.users[name]}-{name.lower()}/" data-ipshover="" title="Go to {name}\'s profile" class="ipsType_break">{name}</a>'

    def _face(self, name: str) -> str:
        return f'<a href="/profile/{self.users[name]}-{name.lower()}/" rel="nofollow" class="ipsUserPhoto ipsUserPhoto_mini" title="Go to {name}\'s profile"><img src="/uploads/{self.users[name]}.png" alt="{name}" loading="lazy"></a>'

    def _when(self, when: datetime) -> str:
        return f'<time datetime="{when:%Y-%m-%dT%H:%M:%SZ}" title="{when:%m/%d/%Y %I:%M  %p}" data-short="2 yr">{when:%B %-d, %Y}</time>'

    def _frame(self, title: str, trail: str, body: str) -> str:
        return f"""<!DOCTYPE html><html lang="en-US" dir="ltr"><head><meta charset="utf-8"><title>{title} - Harbour Talk</title></head><body class="ipsApp ipsApp_front" data-controller="core.front.core.app"><div id="ipsLayout_header" class="ipsClearfix"><header><div class="ipsLayout_container"><a href="/" id="elSiteTitle" accesskey="1">Harbour Talk</a><ul id="elUserNav" class="ipsList_inline cSignedOut"><li id="elSignInLink"><a href="/login/" data-ipsmenu-closeonclick="false">Existing user? Sign In</a></li><li><a href="/register/" class="ipsButton">Sign Up</a></li></ul></div></header><nav data-controller="core.front.core.navBar" class=""><ul data-role="primaryNavBar"><li class="ipsNavBar_active"><a href="/">Browse</a><ul class="ipsNavBar_secondary"><li><a href="/forums/">Forums</a></li><li><a href="/guidelines/">Guidelines</a></li><li><a href="/staff/">Staff</a></li><li><a href="/online/">Online Users</a></li></ul></li><li><a href="/discover/">Activity</a></li></ul></nav></div>
<main id="ipsLayout_body" class="ipsLayout_container"><div id="ipsLayout_contentArea"><nav class="ipsBreadcrumb ipsBreadcrumb_top"><ul class="ipsList_inline ipsPos_right"><li><a data-action="defaultStream" href="/discover/"><span>All Activity</span></a></li></ul><ul data-role="breadcrumbList"><li><a title="Home" href="/"><span>Home <i class="fa fa-angle-right"></i></span></a></li>{trail}</ul></nav><div id="ipsLayout_mainArea">{body}</div></div></main>
<footer id="ipsLayout_footer" class="ipsClearfix"><ul id="elFooterLinks" class="ipsList_inline"><li><a href="/privacy/">Privacy Policy</a></li><li><a href="/contact/">Contact Us</a></li><li><a href="/cookies/">Cookies</a></li></ul><p id="elCopyright"><a rel="nofollow" title="Invision Community" href="https://www.invisioncommunity.com/">Powered by Invision Community</a></p></footer></body></html>"""

    def _crumbs(self, board: int) -> str:
        return "".join(
            f'<li><a href="{self._board_path(each)}"><span>{self.board_name(each)} <i class="fa fa-angle-right"></i></span></a></li>'
            for each in self.trail(board)
        )

    def _rows(self, boards: list[int]) -> str:
        made = ""
        for board in boards:
            last, said = self.last_of(board), '<p class="ipsType_light">No posts here yet</p>'
            if last is not None:
                post, path = last.thread.posts[-1], self._thread_path(last.number)
                said = f'<ul class="ipsDataItem_lastPoster ipsDataItem_withPhoto"><li>{self._face(post.author)}</li><li><a href="{path}?do=getNewComment" title="{escape(last.thread.title)}" class="ipsType_break">{escape(last.thread.title[:30])}</a></li><li class="ipsType_light">By {self._who(post.author)}</li><li class="ipsType_light"><a href="{path}?do=getLastComment" title="Go to last post">{self._when(post.time)}</a></li></ul>'
            below = "".join(
                f'<li class="ipsDataItem_unread"><a href="{self._board_path(each)}">{self.board_name(each)}</a></li>'
                for each in self.boards(board)
            )
            made += f'<li class="cForumRow ipsDataItem ipsDataItem_responsivePhoto ipsClearfix" data-forumid="{board}"><div class="ipsDataItem_icon"><span class="ipsItemStatus"><i class="fa fa-comments"></i></span></div><div class="ipsDataItem_main"><h4 class="ipsDataItem_title ipsType_large ipsType_break"><a href="{self._board_path(board)}">{self.board_name(board)}</a></h4><ul class="ipsDataItem_subList ipsList_inline">{below}</ul><div class="ipsDataItem_meta ipsType_richText"><p>{escape(self.content.boards[board].description)}</p></div></div><div class="ipsDataItem_stats ipsDataItem_statsLarge"><dl><dt class="ipsDataItem_stats_number">{self.count_posts(board)}</dt><dd class="ipsDataItem_stats_type ipsType_light">posts</dd></dl></div>{said}</li>'
        return made

    def _entry(self) -> str:
        parts = "".join(
            f'<li data-categoryid="{parent}" class="cForumRow ipsBox ipsSpacer_bottom"><h2 class="ipsType_sectionTitle ipsType_reset cForumTitle"><a href="#" class="ipsPos_right cForumToggle"></a><a href="{self._board_path(parent)}">{self.board_name(parent)}</a></h2><ol class="ipsDataList ipsDataList_large ipsDataList_zebra">{self._rows(self.boards(parent))}</ol></li>'
            for parent in self.boards(None)
        )
        return self._frame(
            "Forums",
            "",
            f'<section><ol class="ipsList_reset cForumList">{parts}</ol></section><aside class="ipsWidget"><h3>Forum Statistics</h3><dl><dt>Total Topics</dt><dd>{len(self.threads)}</dd></dl></aside>',
        )

    def _paging(self, path: str, page: int, last: int) -> str:
        if last == 1:
            return ""
        items = "".join(
            f'<li class="ipsPagination_page{" ipsPagination_active" if at == page else ""}"><a href="{path}{f"page/{at}/" if at > 1 else ""}" data-page="{at}">{at}</a></li>'
            for at in window(page, last)
        )
        onward = (
            f'<li class="ipsPagination_next"><a href="{path}page/{page + 1}/" rel="next">Next</a></li><li class="ipsPagination_last"><a href="{path}page/{last}/" rel="last"><i class="fa"></i></a></li>'
            if page < last
            else ""
        )
        return f'<div class="ipsPagination_wrap"><ul class="ipsPagination" data-pages="{last}">{items}{onward}<li class="ipsPagination_pageJump"><a href="#">Page {page} of {last}</a></li></ul></div>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, path, last = thread.posts[0], thread.posts[-1], self._thread_path(at), self.pages_of_thread(at)
            small = "".join(
                f'<span class="ipsPagination_page"><a href="{path}page/{each}/#comments">{each}</a></span>'
                for each in range(2, last + 1)
            )
            small = f'<span class="ipsPagination ipsPagination_mini">{small}</span>' if small else ""
            rows += f'<li class="ipsDataItem ipsDataItem_responsivePhoto" data-rowid="{at}"><div class="ipsDataItem_main"><h4 class="ipsDataItem_title ipsContained_container"><div class="ipsType_break ipsContained"><a href="{path}" class="" title="{escape(thread.title)}"><span>{escape(thread.title)}</span></a></div>{small}</h4><div class="ipsDataItem_meta ipsType_reset ipsType_light ipsType_blendLinks"><span>By {self._who(first.author)}, </span>{self._when(first.time)}</div></div><ul class="ipsDataItem_stats"><li data-stattype="forums_comments"><span class="ipsDataItem_stats_number">{len(thread.posts) - 1}</span><span class="ipsDataItem_stats_type"> replies</span></li><li data-stattype="num_views"><span class="ipsDataItem_stats_number">{at * 11}</span><span class="ipsDataItem_stats_type"> views</span></li></ul><ul class="ipsDataItem_lastPoster ipsDataItem_withPhoto ipsType_blendLinks"><li>{self._face(post.author)}</li><li>{self._who(post.author)}</li><li class="ipsType_light"><a href="{path}?do=getLastComment" title="Go to last post">{self._when(post.time)}</a></li></ul></li>'
        below = (
            f'<div class="ipsBox"><ol class="ipsDataList ipsDataList_large">{self._rows(self.boards(board))}</ol></div>'
            if self.boards(board)
            else ""
        )
        sort = f'<ul class="ipsButtonRow"><li><a href="{self._board_path(board)}?sortby=title&amp;sortdirection=asc">Sort By</a></li></ul>'
        listed = (
            f'<div class="ipsBox"><ol class="ipsDataList ipsDataList_zebra cForumTopicTable cTopicList">{rows}</ol></div>'
            if rows
            else '<div class="ipsBox"><p class="ipsType_large">There are no topics in this forum yet</p></div>'
        )
        paging = self._paging(self._board_path(board), page, self.pages_of_board(board))
        return self._frame(
            self.board_name(board),
            self._crumbs(board),
            f'<header class="ipsPageHeader"><h1 class="ipsType_pageTitle">{self.board_name(board)}</h1><div class="ipsType_richText">{escape(self.content.boards[board].description)}</div></header>{below}<div>{paging}{sort}{listed}{paging}</div>',
        )

    def _thread(self, at: int, page: int) -> str:
        thread, path, blocks = self.thread(at), self._thread_path(at), ""
        for post, _, said in self.posts_on(at, page):
            blocks += f"""<a id="comment-{post}"></a><article id="elComment_{post}" class="cPost ipsBox ipsComment ipsComment_parent ipsClearfix ipsColumns"><aside class="ipsComment_author cAuthorPane ipsColumn ipsColumn_medium"><h3 class="ipsType_sectionHead cAuthorPane_author ipsType_blendLinks"><strong>{self._who(said.author)}</strong></h3><ul class="cAuthorPane_info ipsList_reset"><li class="cAuthorPane_photo">{self._face(said.author)}</li><li data-role="group">Members</li><li data-role="stats"><ul class="ipsList_reset ipsType_light ipsFlex"><li><i class="fa fa-comment"></i> {self.users[said.author] * 6}</li></ul></li></ul></aside>
<div class="ipsColumn ipsColumn_fluid ipsMargin:none"><div id="comment-{post}_wrap" class="ipsComment_content ipsType_medium"><div class="ipsComment_meta ipsType_light ipsFlex"><div class="ipsType_reset ipsType_blendLinks"><a href="{path}?do=findComment&amp;comment={post}" class="ipsType_blendLinks">Posted {self._when(said.time)}</a></div><ul class="ipsList_inline ipsComment_tools"><li><a href="{path}?do=findComment&amp;comment={post}">Share</a></li><li><a href="{path}?do=reportComment&amp;comment={post}">Report</a></li></ul></div><div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_normal ipsType_richText ipsPadding_bottom ipsContained"><p>{part_markup(said, _QUOTE)}</p></div><div class="ipsItemControls"><ul class="ipsComment_controls ipsClearfix"></ul></div></div></div></div></article>"""
        paging = self._paging(path, page, self.pages_of_thread(at))
        around = f'<div class="ipsGrid ipsGrid_collapsePhone ipsPager"><div class="ipsPager_prev"><a href="{self._board_path(thread.board)}" title="Go to {self.board_name(thread.board)}" rel="parent"><span class="ipsPager_type">Go to topic listing</span></a></div></div>'
        return self._frame(
            escape(thread.title),
            self._crumbs(thread.board),
            f'<div class="ipsPageHeader"><h1 class="ipsType_pageTitle ipsContained_container"><span>{escape(thread.title)}</span></h1><p>By {self._who(thread.posts[0].author)}, {self._when(thread.posts[0].time)} in <a href="{self._board_path(thread.board)}">{self.board_name(thread.board)}</a></p></div><div id="comments" class="cTopic">{paging}<form action="{path}" method="post">{blocks}</form>{paging}</div>{around}',
        )
