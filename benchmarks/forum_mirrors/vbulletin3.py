"""vBulletin 3: tables in tables, right to left, threads and posts under several addresses, an archive for robots."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

from html import escape

from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup, window

_QUOTE = '<div style="margin:20px; margin-top:5px; "><div class="smallfont" style="margin-bottom:2px">اقتباس:</div><table cellpadding="6" cellspacing="0" border="0" width="100%"><tr><td class="alt2" style="border:1px inset"><div>المشاركة الأصلية كتبت بواسطة <strong>{author}</strong></div><div style="font-style:italic">{text}</div></td></tr></table></div>'


class VBulletin3(Manner):
    name = "vbulletin3"
    language = "ar"
    charset = "windows-1256"
    folder = "/vb/"

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        page = number(query.get("page"), 1)
        if path in ("", "index.php"):
            return Shown("index", ("entry",), self._entry())
        if path == "forumdisplay.php":
            board = number(query.get("f"))
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if path == "showthread.php":
            found = self.thread_of_post(number(query["p"])) if "p" in query else (number(query.get("t")), page)
            if found is not None and query.get("goto") in ("nextnewest", "nextoldest"):
                found = (found[0] + 1, 1)
            if found is not None and query.get("goto") in ("newpost", "lastpost"):
                found = (found[0], self.pages_of_thread(found[0])) if self.has_thread(found[0]) else None
            return (
                Shown("thread", ("thread", *found), self._thread(*found)) if found and self.has_thread(*found) else None
            )
        return self._rest(path, query)

    def thread_addresses(self, thread: int) -> list[str]:
        return [
            f"showthread.php?t={thread}",
            *(f"showthread.php?t={thread}&page={page}" for page in range(2, self.pages_of_thread(thread) + 1)),
        ]

    def _rest(self, path: str, query: dict[str, str]) -> Shown | None:
        say = self.say
        if path == "member.php":
            user = self.user(number(query.get("u")))
            if user is None:
                return None
            body = f'<table class="tborder" width="100%"><tr><td class="tcat">{say["profile"]}: {user.name}</td></tr><tr><td class="alt1"><div>{say["joined"]}: {user.joined:%d-%m-%Y}</div><div>{say["posts"]}: 31</div><a href="search.php?do=finduser&amp;u={query.get("u")}">{say["search"]}</a></td></tr></table>'
        elif path == "memberlist.php":
            rows = "".join(
                f'<tr align="center"><td class="alt1Active" align="right"><a href="member.php?u={at}">{user.name}</a></td><td class="alt2">{user.joined:%d-%m-%Y}</td><td class="alt1">{at * 3}</td></tr>'
                for at, user in self.member_rows()
            )
            body = f'<table class="tborder" width="100%"><tr><td class="thead">{say["members"]}</td><td class="thead">{say["joined"]}</td><td class="thead">{say["posts"]}</td></tr>{rows}</table>'
        elif path in (
            "register.php",
            "newreply.php",
            "newthread.php",
            "usercp.php",
            "private.php",
            "login.php",
            "sendmessage.php",
            "subscription.php",
            "report.php",
        ):
            body = f'<form action="login.php" method="post"><table class="tborder"><tr><td class="tcat">{say["login"]}</td></tr><tr><td class="alt1"><input name="vb_login_username" /><input type="password" name="vb_login_password" /></td></tr></table></form>'
        elif path in ("search.php", "faq.php", "online.php", "calendar.php"):
            body = f'<form action="search.php"><table class="tborder"><tr><td class="tcat">{say["search"]}</td></tr><tr><td><input name="query" /></td></tr></table></form>'
        elif path in ("showpost.php", "printthread.php"):
            found = self.thread_of_post(number(query["p"])) if "p" in query else (number(query.get("t")), 1)
            if found is None or not self.has_thread(*found):
                return None
            body = "".join(
                f'<table class="tborder" width="100%"><tr><td class="page">{post.author} {post.time:%d-%m-%Y %I:%M %p}</td></tr><tr><td class="page"><div>{part_markup(post, _QUOTE)}</div></td></tr></table>'
                for _, _, post in self.posts_on(*found)[: 1 if path == "showpost.php" else None]
            )
            return Shown("other", (path, *sorted(query.items())), f"<html><body>{body}</body></html>")
        else:
            return None
        return Shown("other", (path, *sorted(query.items())), self._frame(say["search"], "", body))

    def _frame(self, title: str, trail: str, body: str) -> str:
        say = self.say
        return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html dir="rtl" lang="ar"><head><meta http-equiv="Content-Type" content="text/html; charset={self.charset}" /><title>{title}</title></head><body>
<table class="page" border="0" cellspacing="0" cellpadding="0" width="100%" align="center"><tr><td><a href="index.php"><img src="images/misc/logo.gif" alt="" /></a></td></tr></table><div align="center"><div class="page" style="width:100%; text-align:right"><div style="padding:0px 25px 0px 25px">
<table class="tborder" cellpadding="6" cellspacing="1" border="0" width="100%" align="center"><tr><td class="alt1" width="100%"><table cellpadding="0" cellspacing="0" border="0"><tr valign="bottom"><td><a href="#" onclick="history.back(1)"><img src="images/misc/navbits_start.gif" alt="" /></a></td><td>&nbsp;</td><td width="100%"><span class="navbar"><a href="index.php" accesskey="1">{say["forum"]}</a></span>{trail}</td></tr><tr><td class="navbar" style="font-size:10pt" colspan="3"><strong>{title}</strong></td></tr></table></td>
<td class="alt2" nowrap="nowrap" style="padding:0px"><form action="login.php" method="post"><input name="vb_login_username" size="10" /><input type="password" name="vb_login_password" size="10" /><input type="submit" value="{say["login"]}" /></form></td></tr></table>
<table class="tborder" cellpadding="6" width="100%"><tr align="center"><td class="vbmenu_control"><a href="register.php">{say["register"]}</a></td><td class="vbmenu_control"><a rel="help" href="faq.php">{say["faq"]}</a></td><td class="vbmenu_control"><a href="memberlist.php">{say["members"]}</a></td><td class="vbmenu_control"><a href="calendar.php">التقويم</a></td><td class="vbmenu_control"><a href="search.php">{say["search"]}</a></td></tr></table><br />
{body}<br /><div class="smallfont" align="center">{say["times"]}. الساعة الآن <span class="time">06:30 PM</span>.</div></div></div></div><div align="center" class="smallfont">Powered by vBulletin&reg; Version 3.8.7<br />Copyright &copy;2000 - 2026, vBulletin Solutions, Inc.</div><div align="center"><a href="sendmessage.php">الاتصال بنا</a> - <a href="index.php">{say["home"]}</a> - <a href="#top">الأعلى</a></div></body></html>"""

    def _crumbs(self, board: int) -> str:
        return "".join(
            f'<span class="navbar">&gt; <a href="forumdisplay.php?f={each}">{self.board_name(each)}</a></span>'
            for each in self.trail(board)
        )

    def _when(self, moment: object) -> str:
        return format(moment, '%d-%m-%Y <span class="time">%I:%M %p</span>')

    def _rows(self, parent: int | None, boards: list[int]) -> str:
        made = ""
        for board in boards:
            last, said = self.last_of(board), "أبداً"
            if last is not None:
                post = last.thread.posts[-1]
                said = f'<div class="smallfont" align="right"><div><span style="white-space:nowrap"><img class="inlineimg" src="images/icons/icon1.gif" alt="" /><a href="showthread.php?goto=newpost&amp;t={last.number}" style="white-space:nowrap"><strong>{escape(last.thread.title[:22])}...</strong></a></span></div><div style="white-space:nowrap">{self.say["by"]} <a href="member.php?find=lastposter&amp;f={board}" rel="nofollow">{post.author}</a></div><div align="left" style="white-space:nowrap">{self._when(post.time)} <a href="showthread.php?p={self.post_id(last.number)}#post{self.post_id(last.number)}"><img class="inlineimg" src="images/buttons/lastpost.gif" alt="" /></a></div></div>'
            below = ", ".join(
                f'<img src="subforum_old.gif" alt="" /> <a href="forumdisplay.php?f={each}">{self.board_name(each)}</a>'
                for each in self.boards(board)
            )
            below = (
                f'<div class="smallfont" style="margin-top:6px"><strong>منتديات فرعية</strong>: {below}</div>'
                if below
                else ""
            )
            made += f'<tbody><tr align="center"><td class="alt1Active" colspan="2" align="right"><table cellpadding="0" cellspacing="0" border="0"><tr><td><img src="images/statusicon/forum_old.gif" alt="" /></td><td><div><a href="forumdisplay.php?f={board}"><strong>{self.board_name(board)}</strong></a></div><div class="smallfont">{escape(self.content.boards[board].description)}</div>{below}</td></tr></table></td><td class="alt2">{said}</td><td class="alt1">{len(self.lines(board))}</td><td class="alt2">{self.count_posts(board)}</td></tr></tbody>'
        head = (
            f'<tbody><tr><td class="tcat" colspan="5"><a style="float:left" href="#top"><img src="images/buttons/collapse_tcat.gif" alt="" /></a><a href="forumdisplay.php?f={parent}">{self.board_name(parent)}</a></td></tr></tbody>'
            if parent is not None
            else ""
        )
        return head + made

    def _table(self, inner: str) -> str:
        heads = "".join(
            f'<td class="thead"{" width=100%" if word == "forum" else ""}>{self.say[word]}</td>'
            for word in ("forum", "last", "topics", "posts")
        )
        return f'<table class="tborder" cellpadding="6" cellspacing="1" border="0" width="100%" align="center"><thead><tr align="center"><td class="thead">&nbsp;</td>{heads}</tr></thead>{inner}</table><br />'

    def _entry(self) -> str:
        rows = "".join(self._rows(parent, self.boards(parent)) for parent in self.boards(None))
        return self._frame(
            self.say["forum"],
            "",
            f'{self._table(rows)}<table class="tborder" width="100%"><thead><tr><td class="tcat" colspan="2">ماذا يجري؟</td></tr></thead><tbody><tr><td class="thead" colspan="2"><a href="online.php">الأعضاء المتصلون</a>: 2</td></tr></tbody></table>',
        )

    def _paging(self, address: str, page: int, last: int) -> str:
        if last == 1:
            return ""
        cells = "".join(
            f'<td class="alt2"><span class="smallfont"><strong>{at}</strong></span></td>'
            if at == page
            else f'<td class="alt1"><a class="smallfont" href="{address}{f"&amp;page={at}" if at > 1 else ""}">{at}</a></td>'
            for at in window(page, last)
        )
        onward = (
            f'<td class="alt1"><a rel="next" class="smallfont" href="{address}&amp;page={page + 1}" title="">&gt;</a></td>'
            if page < last
            else ""
        )
        return f'<div class="pagenav" align="left"><table class="tborder" cellpadding="3" cellspacing="1" border="0"><tr><td class="vbmenu_control" style="font-weight:normal">{self.say["page"]} {page} من {last}</td>{cells}{onward}</tr></table></div>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, last = thread.posts[0], thread.posts[-1], self.pages_of_thread(at)
            small = " ".join(
                f'<a href="showthread.php?t={at}{f"&amp;page={each}" if each > 1 else ""}">{each}</a>'
                for each in range(1, min(last, 4) + 1)
            )
            small = (
                f'<span class="smallfont" style="white-space:nowrap">(<img class="inlineimg" src="images/misc/multipage.gif" alt="" /> {small})</span>'
                if last > 1
                else ""
            )
            rows += f'<tr><td class="alt1" id="td_threadstatusicon_{at}"><img src="images/statusicon/thread.gif" alt="" /></td><td class="alt2"><img src="images/icons/icon1.gif" alt="" /></td><td class="alt1" id="td_threadtitle_{at}" title=""><div>{self.say["sticky"] + ": " if thread.sticky else ""}<a href="showthread.php?t={at}" id="thread_title_{at}">{escape(thread.title)}</a> {small}</div><div class="smallfont"><span style="cursor:pointer">{first.author}</span></div></td><td class="alt2" title=""><div class="smallfont" style="text-align:left; white-space:nowrap">{self._when(post.time)}<br />{self.say["by"]} <a href="member.php?find=lastposter&amp;t={at}" rel="nofollow">{post.author}</a> <a href="showthread.php?p={self.post_id(at)}#post{self.post_id(at)}"><img class="inlineimg" src="images/buttons/lastpost.gif" alt="" /></a></div></td><td class="alt1" align="center"><a href="misc.php?do=whoposted&amp;t={at}">{len(thread.posts) - 1}</a></td><td class="alt2" align="center">{at * 41}</td></tr>'
        heads = "".join(
            f'<td class="thead"><span style="white-space:nowrap"><a href="forumdisplay.php?f={board}&amp;daysprune=-1&amp;order=asc&amp;sort={key}">{self.say[word]}</a></span></td>'
            for key, word in (("title", "topics"), ("lastpost", "last"), ("replycount", "replies"), ("views", "views"))
        )
        below = self._table(self._rows(None, self.boards(board))) if self.boards(board) else ""
        tools = f'<table width="100%"><tr valign="bottom"><td class="smallfont"><a href="newthread.php?do=newthread&amp;f={board}" rel="nofollow"><img src="newthread.gif" alt="{self.say["new"]}" /></a></td><td align="left">{self._paging(f"forumdisplay.php?f={board}&amp;order=desc", page, self.pages_of_board(board))}</td></tr></table>'
        listed = (
            f'<form action="inlinemod.php" method="post"><table class="tborder" cellpadding="6" cellspacing="1" border="0" width="100%" id="threadslist"><tbody><tr><td class="thead" colspan="2">&nbsp;</td>{heads}</tr></tbody><tbody id="threadbits_forum_{board}">{rows}</tbody></table></form>'
            if rows
            else '<table class="tborder" width="100%"><tr><td class="alt1">لا توجد مواضيع</td></tr></table>'
        )
        return self._frame(self.board_name(board), self._crumbs(board), f"{below}{tools}{listed}{tools}")

    def _thread(self, at: int, page: int) -> str:
        thread, blocks = self.thread(at), ""
        for post, place, said in self.posts_on(at, page):
            user = self.users[said.author]
            blocks += f"""<div align="center"><div class="page" style="width:100%; text-align:right"><div style="padding:0px 25px 0px 25px"><div id="edit{post}" style="padding:0px 0px 6px 0px"><table class="tborder" id="post{post}" cellpadding="6" cellspacing="1" border="0" width="100%" align="center"><tr><td class="thead" style="font-weight:normal"><a name="post{post}"><img class="inlineimg" src="images/statusicon/post_old.gif" alt="" border="0" /></a> {said.time:%d-%m-%Y, %I:%M %p} </td><td class="thead" style="font-weight:normal" align="left"> #<a href="showpost.php?p={post}&amp;postcount={place + 1}" target="new" rel="nofollow" id="postcount{post}" name="{place + 1}"><strong>{place + 1}</strong></a> </td></tr>
<tr valign="top"><td class="alt2" width="175"><div id="postmenu_{post}"><a class="bigusername" href="member.php?u={user}">{said.author}</a></div><div class="smallfont">عضو نشيط</div><div class="smallfont">&nbsp;<br /><div>{self.say["joined"]}: {self.content.users[user - 2].joined:%b %Y}</div><div>{self.say["posts"]}: {user * 9}</div><div></div></div></td>
<td class="alt1" id="td_post_{post}"><div class="smallfont"><img class="inlineimg" src="images/icons/icon1.gif" alt="" /> <strong>{"رد: " if place else ""}{escape(thread.title)}</strong></div><hr size="1" /><div id="post_message_{post}">{part_markup(said, _QUOTE)}</div></td></tr><tr><td class="alt2"><img class="inlineimg" src="user_offline.gif" alt="" /></td><td class="alt1" align="left"><a href="newreply.php?do=newreply&amp;p={post}" rel="nofollow"><img src="images/buttons/quote.gif" alt="{self.say["quote"]}" border="0" /></a></td></tr></table></div></div></div></div>"""
        bar = f'<table cellpadding="0" cellspacing="0" border="0" width="100%"><tr valign="bottom"><td class="smallfont"><a href="newreply.php?do=newreply&amp;noquote=1&amp;p={self.post_id(at)}" rel="nofollow"><img src="reply.gif" alt="{self.say["reply"]}" border="0" /></a></td><td align="left">{self._paging(f"showthread.php?t={at}", page, self.pages_of_thread(at))}</td></tr></table>'
        tools = f'<table class="tborder" width="100%"><tr><td class="tcat">أدوات الموضوع <a href="printthread.php?t={at}">{self.say["print"]}</a> <a href="sendmessage.php?do=sendtofriend&amp;t={at}" rel="nofollow">@</a></td></tr></table><div class="smallfont" align="center"><strong>&laquo;</strong> <a href="showthread.php?t={at}&amp;goto=nextoldest" rel="nofollow">الموضوع السابق</a> | <a href="showthread.php?t={at}&amp;goto=nextnewest" rel="nofollow">الموضوع التالي</a> <strong>&raquo;</strong></div>'
        return self._frame(
            escape(thread.title),
            self._crumbs(thread.board),
            f'<a name="poststop" id="poststop"></a>{bar}{tools}<div id="posts">{blocks}<div id="lastpost"></div></div>{bar}{tools}',
        )
