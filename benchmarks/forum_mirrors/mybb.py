"""MyBB with short addresses: pages behind dashes, last-post and new-post links, a lite archive of the same threads."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from html import escape

from benchmarks.forum_mirrors import side_pages
from benchmarks.forum_mirrors.manner import Manner, Shown, part_markup, window

_QUOTE = '<blockquote class="mycode_quote"><cite><span> (01.02.2024, 01:00)</span>{author} napisał(a): <a href="thread-1-post-1.html#pid1" class="quick_jump"></a></cite>{text}</blockquote>'


class MyBB(Manner):
    name = "mybb"
    language = "pl"
    charset = "iso-8859-2"
    folder = "/"

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        if path in ("", "index.php"):
            return Shown("index", ("entry",), self._entry())
        if found := re.fullmatch(r"forum-(\d+)(?:-page-(\d+))?\.html", path):
            board, page = int(found[1]), int(found[2] or 1)
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if found := re.fullmatch(
            r"thread-(\d+)(?:-(?:page-(\d+)|post-(\d+)|(lastpost|newpost|nextnewest|nextoldest)))?\.html", path
        ):
            thread, page = int(found[1]), int(found[2] or 1)
            if found[3]:
                thread, page = self.thread_of_post(int(found[3])) or (-1, 1)
            elif found[4]:
                thread, page = (
                    (thread, self.pages_of_thread(thread))
                    if "post" in found[4] and self.has_thread(thread)
                    else (thread + 1, 1)
                )
            return (
                Shown("thread", ("thread", thread, page), self._thread(thread, page))
                if self.has_thread(thread, page)
                else None
            )
        return self._rest(path, query)

    def thread_addresses(self, thread: int) -> list[str]:
        return [
            f"thread-{thread}.html",
            *(f"thread-{thread}-page-{page}.html" for page in range(2, self.pages_of_thread(thread) + 1)),
        ]

    def _rest(self, path: str, query: dict[str, str]) -> Shown | None:
        say = self.say
        if found := re.fullmatch(r"user-(\d+)\.html", path):
            user = self.user(int(found[1]))
            if user is None:
                return None
            body = side_pages.profile(say, user, f"search.php?action=finduser&amp;uid={found[1]}")
        elif path == "memberlist.php":
            body = side_pages.members(say, self.member_rows(), lambda at, name: f'<a href="user-{at}.html">{name}</a>')
        elif path in ("member.php", "newreply.php", "newthread.php", "usercp.php", "private.php"):
            body = side_pages.log_in(say, "member.php")
        elif path in ("search.php", "misc.php", "calendar.php", "showteam.php", "online.php", "printthread.php"):
            body = side_pages.search(say, "search.php")
        else:
            return None
        return Shown("other", (path, *sorted(query.items())), self._frame(say["search"], "", body))

    def _frame(self, title: str, trail: str, body: str) -> str:
        say = self.say
        return f"""<!DOCTYPE html><html xml:lang="pl" lang="pl" xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-2" /><title>{title}</title></head><body><div id="container"><a name="top" id="top"></a><div id="header"><div id="logo"><div class="wrapper"><a href="index.php"><img src="images/logo.png" alt="Forum kolejowe" /></a><ul class="menu top_links"><li><a href="search.php" class="search">{say["search"]}</a></li><li><a href="memberlist.php" class="memberlist">{say["members"]}</a></li><li><a href="calendar.php" class="calendar">Kalendarz</a></li><li><a href="misc.php?action=help" class="help">{say["faq"]}</a></li></ul></div></div><div id="panel"><div class="upper"><div class="wrapper"><span class="welcome">Witaj! <a href="member.php?action=login" class="login">{say["login"]}</a> <a href="member.php?action=register" class="register">{say["register"]}</a></span></div></div></div></div>
<div id="content"><div class="wrapper"><div class="navigation"><a href="index.php">Forum kolejowe</a>{trail}</div><br />{body}</div></div><div id="footer"><div class="upper"><div class="wrapper"><ul class="menu bottom_links"><li><a href="showteam.php">Ekipa</a></li><li><a href="#top">Wróć do góry</a></li><li><a href="misc.php?action=markread">Oznacz</a></li><li><a href="misc.php?action=syndication">RSS</a></li></ul></div></div><div class="lower"><div class="wrapper"><span id="current_time"><strong>Aktualny czas:</strong> 15.11.2026, 18:30</span><span id="copyright">Silnik forum <a href="https://mybb.com">MyBB</a>, &copy; 2002-2026 MyBB Group.</span></div></div></div></div></body></html>"""

    def _crumbs(self, board: int) -> str:
        return "".join(f'&rsaquo;<a href="forum-{each}.html">{self.board_name(each)}</a>' for each in self.trail(board))

    def _rows(self, boards: list[int]) -> str:
        made = ""
        for board in boards:
            last, said = self.last_of(board), "Nigdy"
            if last is not None:
                post = last.thread.posts[-1]
                said = f'<span class="smalltext"><a href="thread-{last.number}-lastpost.html" title="{escape(last.thread.title)}"><strong>{escape(last.thread.title[:22])}...</strong></a><br />{self.say.numbered(post.time)}<br />{self.say["by"]} <a href="user-{self.users[post.author]}.html">{post.author}</a></span>'
            below = ", ".join(
                f'<div title="" class="subforumicon subforum_minioff"></div> <a href="forum-{each}.html" title="">{self.board_name(each)}</a>'
                for each in self.boards(board)
            )
            below = f"<br />Podfora: {below}" if below else ""
            made += f'<tr><td class="trow1" align="center" width="1"><span class="forum_status forum_off" id="mark_read_{board}"></span></td><td class="trow1"><strong><a href="forum-{board}.html">{self.board_name(board)}</a></strong><div class="smalltext">{escape(self.content.boards[board].description)}{below}</div></td><td class="trow1" align="center" style="white-space: nowrap">{len(self.lines(board))}</td><td class="trow1" align="center" style="white-space: nowrap">{self.count_posts(board)}</td><td class="trow1" align="right" style="white-space: nowrap">{said}</td></tr>'
        return made

    def _table(self, title: str, rows: str) -> str:
        heads = "".join(
            f'<td class="tcat" align="center"><span class="smalltext"><strong>{self.say[word]}</strong></span></td>'
            for word in ("topics", "posts", "last")
        )
        return f'<table border="0" cellspacing="0" cellpadding="5" class="tborder"><thead><tr><td class="thead" colspan="5"><div><strong>{title}</strong><br /></div></td></tr></thead><tbody><tr><td class="tcat" colspan="2"><span class="smalltext"><strong>Forum</strong></span></td>{heads}</tr>{rows}</tbody></table><br />'

    def _entry(self) -> str:
        return self._frame(
            "Forum kolejowe",
            "",
            "".join(
                self._table(
                    f'<a href="forum-{parent}.html">{self.board_name(parent)}</a>', self._rows(self.boards(parent))
                )
                for parent in self.boards(None)
            )
            + f'<table class="tborder"><tr><td class="thead">Statystyki</td></tr><tr><td class="trow1"><span class="smalltext">{self.say["guests"]}</span></td></tr></table>',
        )

    def _paging(self, stem: str, page: int, last: int) -> str:
        if last == 1:
            return ""
        shown = " ".join(
            f'<span class="pagination_current">{at}</span>'
            if at == page
            else f'<a href="{stem}{f"-page-{at}" if at > 1 else ""}.html" class="pagination_page">{at}</a>'
            for at in window(page, last)
        )
        onward = (
            f' <a href="{stem}-page-{page + 1}.html" class="pagination_next">{self.say["next"]} &raquo;</a>'
            if page < last
            else ""
        )
        return f'<div class="pagination"><span class="pages">Stron ({last}):</span> {shown}{onward}</div>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, last = thread.posts[0], thread.posts[-1], self.pages_of_thread(at)
            small = " ".join(
                f'<a href="thread-{at}{f"-page-{each}" if each > 1 else ""}.html">{each}</a>'
                for each in range(1, last + 1)
            )
            small = f' <span class="smalltext">(Stron: {small})</span>' if last > 1 else ""
            rows += f'<tr class="inline_row"><td align="center" class="trow1 forumdisplay_regular" width="2%"><span class="thread_status oldfolder" title="">&nbsp;</span></td><td align="center" class="trow1" width="2%">&nbsp;</td><td class="trow1 forumdisplay_regular"><div><span><span class=" subject_old" id="tid_{at}"><a href="thread-{at}.html">{escape(thread.title)}</a></span>{small}</span><div class="author smalltext"><a href="user-{self.users[first.author]}.html">{first.author}</a>, <span class="thread_start_datetime smalltext">{self.say.numbered(first.time)}</span></div></div></td><td align="center" class="trow1"><a href="misc.php?action=whoposted&amp;tid={at}">{len(thread.posts) - 1}</a></td><td align="center" class="trow1">{at * 19}</td><td class="trow1" style="white-space: nowrap; text-align: right"><span class="lastpost smalltext">{self.say.numbered(post.time)}<br /><a href="thread-{at}-lastpost.html">{self.say["last"]}</a>: <a href="user-{self.users[post.author]}.html">{post.author}</a></span></td></tr>'
        rows = rows or '<tr><td colspan="7" class="trow1">Brak tematów na tym forum.</td></tr>'
        heads = "".join(
            f'<td class="tcat"><span class="smalltext"><strong><a href="forumdisplay.php?fid={board}&amp;datecut=9999&amp;sortby={key}&amp;order=asc">{self.say[word]}</a></strong></span></td>'
            for key, word in (("subject", "topics"), ("replies", "replies"), ("views", "views"), ("lastpost", "last"))
        )
        below = self._table(self.board_name(board), self._rows(self.boards(board))) if self.boards(board) else ""
        paging = f'<div class="float_left">{self._paging(f"forum-{board}", page, self.pages_of_board(board))}</div><div class="float_right"><a href="newthread.php?fid={board}" class="button new_thread_button"><span>{self.say["new"]}</span></a></div>'
        return self._frame(
            self.board_name(board),
            self._crumbs(board),
            f'{below}{paging}<table border="0" cellspacing="0" cellpadding="5" class="tborder clear"><tr><td class="thead" colspan="7"><div><strong>{self.board_name(board)}</strong></div></td></tr><tr><td class="tcat" colspan="2"></td>{heads}</tr>{rows}</table>{paging}',
        )

    def _thread(self, at: int, page: int) -> str:
        thread, blocks = self.thread(at), ""
        for post, place, said in self.posts_on(at, page):
            user = self.users[said.author]
            blocks += f"""<a name="pid{post}" id="pid{post}"></a><div class="post " style="" id="post_{post}"><div class="post_author"><div class="author_avatar"><a href="user-{user}.html"><img src="a.png" alt="" width="100" height="100" /></a></div><div class="author_information"><strong><span class="largetext"><a href="user-{user}.html">{said.author}</a></span></strong> <img src="buddy_offline.png" title="Offline" alt="Offline" /><br /><span class="smalltext">Nowy<br /><img src="star.png" border="0" alt="*" /></span></div><div class="author_statistics">{self.say["posts"]}: {user * 2}<br />{self.say["joined"]}: {self.content.users[user - 2].joined:%m.%Y}</div></div>
<div class="post_content"><div class="post_head"><div class="float_right" style="vertical-align: top"><strong><a href="thread-{at}-post-{post}.html#pid{post}" title="{escape(thread.title)}">#{place + 1}</a></strong></div><span class="post_date">{self.say.numbered(said.time)} <span class="post_edit" id="edited_by_{post}"></span></span></div><div class="post_body scaleimages" id="pid_{post}">{part_markup(said, _QUOTE)}</div><div class="post_meta" id="post_meta_{post}"></div></div><div class="post_controls"><div class="postbit_buttons author_buttons float_left"><a href="search.php?action=finduser&amp;uid={user}" class="postbit_find"><span>{self.say["search"]}</span></a></div><div class="postbit_buttons post_management_buttons float_right"><a href="newreply.php?tid={at}&amp;replyto={post}" class="postbit_quote"><span>{self.say["reply"]}</span></a></div></div></div>"""
        paging = self._paging(f"thread-{at}", page, self.pages_of_thread(at))
        tools = f'<div class="float_left"><strong>&laquo; <a href="thread-{at}-nextoldest.html">Starszy wątek</a> | <a href="thread-{at}-nextnewest.html">Nowszy wątek</a> &raquo;</strong></div><ul class="thread_tools"><li class="printable"><a href="printthread.php?tid={at}">{self.say["print"]}</a></li></ul>'
        return self._frame(
            escape(thread.title),
            f'{self._crumbs(thread.board)}<br /><img src="nav_bit.png" alt="" /><span class="active">{escape(thread.title)}</span>',
            f'{paging}<table border="0" cellspacing="0" cellpadding="5" class="tborder tfixed clear"><tr><td class="thead"><div><strong>{escape(thread.title)}</strong></div></td></tr><tr><td id="posts_container"><div id="posts">{blocks}</div></td></tr></table>{paging}{tools}',
        )
