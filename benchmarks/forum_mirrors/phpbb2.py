"""phpBB 2 (subSilver): tables of old, in Russian; sessions, permalinks by post, views of the next thread."""
# ruff: noqa: E501, RUF001 (markup as it is sent)

from __future__ import annotations

from html import escape

from benchmarks.forum_mirrors import side_pages
from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup, window

_QUOTE = '</span><table width="90%" cellspacing="1" cellpadding="3" border="0" align="center"><tr><td><span class="genmed"><b>{author} писал(а):</b></span></td></tr><tr><td class="quote">{text}</td></tr></table><span class="postbody">'


class PhpBB2(Manner):
    name = "phpbb2"
    language = "ru"
    charset = "windows-1251"
    folder = "/phpBB2/"

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        start = number(query.get("start"), 0)
        if path in ("", "index.php"):
            only = number(query.get("c"))
            return Shown("index", ("entry", only), self._entry(only))
        if path == "viewforum.php":
            board, page = number(query.get("f")), start // self.threads_a_page + 1
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if path == "viewtopic.php":
            found = (
                self.thread_of_post(number(query["p"]))
                if "p" in query
                else (number(query.get("t")), start // self.posts_a_page + 1)
            )
            if found is not None and query.get("view") in ("previous", "next"):
                found = found[0] + (1 if query["view"] == "next" else -1), 1
            return (
                Shown("thread", ("thread", *found), self._thread(*found)) if found and self.has_thread(*found) else None
            )
        return self._rest(path, query)

    def thread_addresses(self, thread: int) -> list[str]:
        first = f"viewtopic.php?t={thread}"
        return [
            first,
            *(
                f"{first}&postdays=0&postorder=asc&start={page * self.posts_a_page}"
                for page in range(1, self.pages_of_thread(thread))
            ),
        ]

    def _rest(self, path: str, query: dict[str, str]) -> Shown | None:
        say = self.say
        if path == "profile.php" and query.get("mode") == "viewprofile":
            user = self.user(number(query.get("u")))
            if user is None:
                return None
            body = side_pages.profile(say, user, f"search.php?search_author={user.name}")
        elif path == "memberlist.php":
            body = side_pages.members(
                say,
                self.member_rows(),
                lambda at, name: f'<a href="profile.php?mode=viewprofile&amp;u={at}" class="gen">{name}</a>',
            )
        elif path in ("profile.php", "login.php", "posting.php", "privmsg.php"):
            body = side_pages.log_in(say, "login.php")
        elif path in ("search.php", "faq.php", "groupcp.php", "viewonline.php"):
            body = side_pages.search(say, "search.php?mode=results")
        else:
            return None
        return Shown("other", (path, *sorted(query.items())), self._frame(say["search"], body))

    def _frame(self, title: str, body: str) -> str:
        say = self.say
        menu = "&nbsp;".join(
            f'<a href="{address}" class="mainmenu"><img src="templates/subSilver/images/icon_mini.gif" width="12" height="13" border="0" alt="{say[word]}" hspace="3" />{say[word]}</a>'
            for address, word in (
                ("faq.php", "faq"),
                ("search.php", "search"),
                ("memberlist.php", "members"),
                ("groupcp.php", "guests"),
                ("profile.php?mode=register", "register"),
                ("profile.php?mode=editprofile", "profile"),
                ("login.php", "login"),
            )
        )
        return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html dir="ltr"><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><title>Мосты :: {title}</title><link rel="top" href="./index.php" /></head><body bgcolor="#E5E5E5" text="#000000"><a name="top"></a>
<table width="100%" cellspacing="0" cellpadding="10" border="0" align="center"><tr><td class="bodyline"><table width="100%" cellspacing="0" cellpadding="0" border="0"><tr><td><a href="index.php"><img src="templates/subSilver/images/logo_phpBB.gif" border="0" alt="{say["forum"]}" vspace="1" /></a></td><td align="center" width="100%" valign="middle"><span class="maintitle">Мосты</span><br /><span class="gen">Форум о мостах<br />&nbsp; </span><table cellspacing="0" cellpadding="2" border="0"><tr><td align="center" valign="top" nowrap="nowrap"><span class="mainmenu">{menu}</span></td></tr></table></td></tr></table><br />
{body}<div align="center"><span class="copyright"><br /><br />Powered by <a href="http://www.phpbb.com/" target="_phpbb" class="copyright">phpBB</a> &copy; 2001, 2005 phpBB Group<br /></span></div></td></tr></table></body></html>"""

    def _rows(self, parent: int, boards: list[int]) -> str:
        made = f'<tr><td class="catLeft" colspan="2" height="28"><span class="cattitle"><a href="index.php?c={parent}" class="cattitle">{self.board_name(parent)}</a></span></td><td class="rowpic" colspan="3" align="right">&nbsp;</td></tr>'
        for board in boards:
            last, said = self.last_of(board), "Нет сообщений"
            if last is not None:
                post = last.thread.posts[-1]
                said = f'{self.say.named(post.time)}<br /><a href="profile.php?mode=viewprofile&amp;u={self.users[post.author]}">{post.author}</a> <a href="viewtopic.php?p={self.post_id(last.number)}#{self.post_id(last.number)}"><img src="templates/subSilver/images/icon_latest_reply.gif" border="0" alt="{self.say["newest"]}" /></a>'
            below = ", ".join(
                f'<a href="viewforum.php?f={each}" class="gensmall">{self.board_name(each)}</a>'
                for each in self.boards(board)
            )
            made += f'<tr><td class="row1" align="center" valign="middle" height="50"><img src="folder_big.gif" width="46" height="25" alt="" /></td><td class="row1" width="100%" height="50"><span class="forumlink"> <a href="viewforum.php?f={board}" class="forumlink">{self.board_name(board)}</a><br /></span> <span class="genmed">{escape(self.content.boards[board].description)}<br /></span><span class="gensmall">{below}&nbsp;</span></td><td class="row2" align="center" valign="middle" height="50"><span class="gensmall">{len(self.lines(board))}</span></td><td class="row2" align="center" valign="middle" height="50"><span class="gensmall">{self.count_posts(board)}</span></td><td class="row2" align="center" valign="middle" height="50" nowrap="nowrap"> <span class="gensmall">{said}</span></td></tr>'
        return made

    def _heads(self) -> str:
        return (
            f'<tr><th colspan="2" class="thCornerL" height="25" nowrap="nowrap">&nbsp;{self.say["forum"]}&nbsp;</th>'
            + "".join(
                f'<th width="50" class="thTop" nowrap="nowrap">&nbsp;{self.say[word]}&nbsp;</th>'
                for word in ("topics", "posts", "last")
            )
            + "</tr>"
        )

    def _entry(self, only: int) -> str:
        parents = [only] if only >= 0 else self.boards(None)
        rows = "".join(self._rows(parent, self.boards(parent)) for parent in parents)
        head = f'<table width="100%" cellspacing="0" cellpadding="2" border="0" align="center"><tr><td align="left" valign="bottom"><span class="gensmall">Текущее время: Вс ноя 15, 2026 6:30 pm<br /></span><span class="nav"><a href="index.php" class="nav">{self.say["forum"]}</a></span></td><td align="right" valign="bottom" class="gensmall"><a href="search.php?search_id=unanswered" class="gensmall">Сообщения без ответов</a></td></tr></table>'
        online = '<table width="100%" cellpadding="3" cellspacing="1" border="0" class="forumline"><tr><td class="catHead" colspan="2" height="28"><span class="cattitle"><a href="viewonline.php" class="cattitle">Кто сейчас на форуме</a></span></td></tr><tr><td class="row1" align="left" width="100%"><span class="gensmall">Наши пользователи оставили сообщений: 635<br />Всего зарегистрированных пользователей: 80</span></td></tr></table><form method="post" action="login.php"><table width="100%" class="forumline"><tr><td class="row1"><input class="post" type="text" name="username" /><input class="post" type="password" name="password" /></td></tr></table></form>'
        return self._frame(
            self.say["forum"],
            f'{head}<table width="100%" cellpadding="2" cellspacing="1" border="0" class="forumline">{self._heads()}{rows}</table><br />{online}',
        )

    def _paging(self, address: str, page: int, last: int, size: int) -> str:
        shown = ", ".join(
            f"<b>{at}</b>" if at == page else f'<a href="{address}&amp;start={(at - 1) * size}">{at}</a>'
            for at in window(page, last)
        )
        onward = (
            f'&nbsp;&nbsp;<a href="{address}&amp;start={page * size}">{self.say["next"]}</a>' if page < last else ""
        )
        where = f'<span class="nav">{self.say["page"]} <b>{page}</b> из <b>{last}</b></span>'
        return where + (f'<span class="nav">{self.say["goto"]} {shown}{onward}</span>' if last > 1 else "")

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, last = thread.posts[0], thread.posts[-1], self.pages_of_thread(at)
            small = ", ".join(
                f'<a href="viewtopic.php?t={at}&amp;start={(each - 1) * self.posts_a_page}">{each}</a>'
                for each in range(1, last + 1)
            )
            small = (
                f'<br /> [ <img src="icon_latest_reply.gif" alt="" />{self.say["goto"]}: {small} ] ' if last > 1 else ""
            )
            rows += f'<tr><td class="row1" align="center" valign="middle" width="20"><img src="folder.gif" width="19" height="18" alt="" /></td><td class="row1" width="100%"><span class="topictitle">{"<b>" + self.say["sticky"] + ":</b> " if thread.sticky else ""}<a href="viewtopic.php?t={at}" class="topictitle">{escape(thread.title)}</a></span><span class="gensmall">{small}</span></td><td class="row2" align="center" valign="middle"><span class="postdetails">{len(thread.posts) - 1}</span></td><td class="row3" align="center" valign="middle"><span class="name"><a href="profile.php?mode=viewprofile&amp;u={self.users[first.author]}">{first.author}</a></span></td><td class="row2" align="center" valign="middle"><span class="postdetails">{at * 29}</span></td><td class="row3Right" align="center" valign="middle" nowrap="nowrap"><span class="postdetails">{self.say.named(post.time)}<br /><a href="profile.php?mode=viewprofile&amp;u={self.users[post.author]}">{post.author}</a> <a href="viewtopic.php?p={self.post_id(at)}#{self.post_id(at)}"><img src="icon_latest_reply.gif" alt="{self.say["newest"]}" border="0" /></a></span></td></tr>'
        heads = (
            f'<tr><th colspan="2" align="center" height="25" class="thCornerL" nowrap="nowrap">&nbsp;{self.say["topics"]}&nbsp;</th>'
            + "".join(
                f'<th width="50" align="center" class="thTop" nowrap="nowrap">&nbsp;{self.say[word]}&nbsp;</th>'
                for word in ("replies", "author", "views", "last")
            )
            + "</tr>"
        )
        rows = (
            rows
            or '<tr><td class="row1" colspan="6" height="30" align="center" valign="middle"><span class="gen">В этом форуме пока нет сообщений</span></td></tr>'
        )
        below = (
            f'<table width="100%" cellpadding="2" cellspacing="1" border="0" class="forumline">{self._heads()}{self._rows(board, self.boards(board))}</table><br />'
            if self.boards(board)
            else ""
        )
        trail = " -> ".join(
            f'<a class="nav" href="viewforum.php?f={each}">{self.board_name(each)}</a>'
            for each in self.trail(board)[1:]
        )
        bar = f'<table width="100%" cellspacing="2" cellpadding="2" border="0" align="center"><tr><td align="left" valign="middle" width="50"><a href="posting.php?mode=newtopic&amp;f={board}"><img src="post.gif" border="0" alt="{self.say["new"]}" /></a></td><td align="left" valign="middle" class="nav" width="100%"><span class="nav">&nbsp;&nbsp;&nbsp;<a href="index.php" class="nav">{self.say["forum"]}</a> -> {trail}</span></td><td align="right" valign="bottom" class="nav" nowrap="nowrap">{self._paging(f"viewforum.php?f={board}&amp;topicdays=0", page, self.pages_of_board(board), self.threads_a_page)}</td></tr></table>'
        return self._frame(
            self.board_name(board),
            f'<form method="post" action="viewforum.php?f={board}&amp;start=0"><a class="maintitle" href="viewforum.php?f={board}">{self.board_name(board)}</a><br />{below}{bar}<table border="0" cellpadding="4" cellspacing="1" width="100%" class="forumline">{heads}{rows}</table>{bar}</form>',
        )

    def _thread(self, at: int, page: int) -> str:
        thread, rows = self.thread(at), ""
        for post, place, said in self.posts_on(at, page):
            user, side = self.users[said.author], place % 2 + 1
            rows += f"""<tr><td width="150" align="left" valign="top" class="row{side}"><span class="name"><a name="{post}"></a><b>{said.author}</b></span><br /><span class="postdetails"><br /><br />{self.say["joined"]}: {self.say.named(self.content.users[user - 2].joined)[3:14]}<br />{self.say["posts"]}: {user * 4}<br />{self.say["from"]}: Томск</span><br /></td><td class="row{side}" width="100%" height="28" valign="top"><table width="100%" border="0" cellspacing="0" cellpadding="0"><tr><td width="100%"><a href="viewtopic.php?p={post}#{post}"><img src="icon_minipost.gif" width="12" height="9" alt="Сообщение" border="0" /></a><span class="postdetails">Добавлено: {self.say.named(said.time)}<span class="gen">&nbsp;</span>&nbsp; &nbsp;{self.say["subject"]}: {"Re: " if place else ""}{escape(thread.title)}</span></td><td valign="top" nowrap="nowrap"><a href="posting.php?mode=quote&amp;p={post}"><img src="icon_quote.gif" alt="{self.say["quote"]}" border="0" /></a> </td></tr><tr><td colspan="2"><hr /></td></tr><tr><td colspan="2"><span class="postbody">{part_markup(said, _QUOTE)}</span><span class="gensmall"></span></td></tr></table></td></tr>
<tr><td class="row{side}" width="150" align="left" valign="middle"><span class="nav"><a href="#top" class="nav">Вернуться к началу</a></span></td><td class="row{side}" width="100%" height="28" valign="bottom" nowrap="nowrap"><table cellspacing="0" cellpadding="0" border="0" height="18" width="18"><tr><td valign="middle" nowrap="nowrap"><a href="profile.php?mode=viewprofile&amp;u={user}"><img src="icon_profile.gif" alt="{self.say["profile"]}" border="0" /></a> <a href="privmsg.php?mode=post&amp;u={user}"><img src="icon_pm.gif" alt="" border="0" /></a></td></tr></table></td></tr><tr><td class="spaceRow" colspan="2" height="1"><img src="spacer.gif" alt="" width="1" height="1" /></td></tr>"""
        trail = " -> ".join(
            f'<a href="viewforum.php?f={each}" class="nav">{self.board_name(each)}</a>'
            for each in self.trail(thread.board)[1:]
        )
        paging = self._paging(
            f"viewtopic.php?t={at}&amp;postdays=0&amp;postorder=asc", page, self.pages_of_thread(at), self.posts_a_page
        )
        bar = f'<table width="100%" cellspacing="2" cellpadding="2" border="0"><tr><td align="left" valign="bottom" nowrap="nowrap"><a href="posting.php?mode=newtopic&amp;f={thread.board}"><img src="post.gif" border="0" alt="{self.say["new"]}" /></a>&nbsp;<a href="posting.php?mode=reply&amp;t={at}"><img src="reply.gif" border="0" alt="{self.say["reply"]}" /></a></td><td align="left" valign="middle" width="100%"><span class="nav">&nbsp;&nbsp;&nbsp;<a href="index.php" class="nav">{self.say["forum"]}</a> -> {trail}</span></td></tr></table>'
        return self._frame(
            escape(thread.title),
            f'<table width="100%" cellspacing="2" cellpadding="2" border="0"><tr><td align="left" valign="bottom" colspan="2"><a class="maintitle" href="viewtopic.php?t={at}&amp;start=0&amp;postdays=0&amp;postorder=asc&amp;highlight=">{escape(thread.title)}</a><br />{paging}</td></tr></table>{bar}<table class="forumline" width="100%" cellspacing="1" cellpadding="3" border="0"><tr align="right"><td class="catHead" colspan="2" height="28"><span class="nav"><a href="viewtopic.php?t={at}&amp;view=previous" class="nav">Предыдущая тема</a> :: <a href="viewtopic.php?t={at}&amp;view=next" class="nav">Следующая тема</a> &nbsp;</span></td></tr><tr><th class="thLeft" width="150" height="26" nowrap="nowrap">{self.say["author"]}</th><th class="thRight" nowrap="nowrap">{self.say["message"]}</th></tr>{rows}</table>{bar}{paging}<span class="gensmall">{self.say["times"]}</span>',
        )
