"""phpBB 3 (prosilver): lists of rows, sessions in links, print views, permalinks by post, views of the next thread."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

from html import escape

from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup, window

_QUOTE = "<blockquote><div><cite>{author} schrieb:</cite>{text}</div></blockquote>"


class PhpBB3(Manner):
    name = "phpbb3"
    language = "de"
    sid = "4f1c0de2a7b94c55b0aa6f2e19d3c871"

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        start = number(query.get("start"), 0)
        if path in ("", "index.php"):
            return Shown("index", ("entry",), self._entry())
        if path == "viewforum.php":
            board, page = number(query.get("f")), start // self.threads_a_page + 1
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if path == "viewtopic.php":
            return self._topic(query, start)
        return self._rest(path, query)

    def _topic(self, query: dict[str, str], start: int) -> Shown | None:
        found = (
            self.thread_of_post(number(query["p"]))
            if "p" in query
            else (number(query.get("t")), start // self.posts_a_page + 1)
        )
        if found is None or not self.has_thread(*found):
            return None
        if query.get("view") in ("previous", "next"):
            found = (found[0] + (1 if query["view"] == "next" else -1), 1)
            if not self.has_thread(*found):
                return None
        if query.get("view") == "print":
            return Shown(
                "other",
                ("print", *found),
                f"<html><body><h2>{escape(self.thread(found[0]).title)}</h2>"
                + "<hr />".join(
                    f"<div class='post'><h3>{escape(self.thread(found[0]).title)}</h3><div class='date'>{self.say['posts']} <strong>{self.say.named(post.time)}</strong></div><div class='author'>{self.say['by']} <strong>{post.author}</strong></div><div class='content'>{part_markup(post, _QUOTE)}</div></div>"
                    for _, _, post in self.posts_on(*found)
                )
                + "</body></html>",
            )
        return Shown("thread", ("thread", *found), self._thread(*found))

    def thread_addresses(self, thread: int) -> list[str]:
        board = self.thread(thread).board
        first = f"viewtopic.php?f={board}&t={thread}"
        return [
            first,
            *(f"{first}&start={page * self.posts_a_page}" for page in range(1, self.pages_of_thread(thread))),
        ]

    def _rest(self, path: str, query: dict[str, str]) -> Shown | None:
        say = self.say
        which = (path, *sorted(query.items()))
        if path == "memberlist.php" and query.get("mode") == "viewprofile":
            user = self.user(number(query.get("u")))
            if user is None:
                return None
            body = f'<h2>{say["profile"]} - {user.name}</h2><div class="panel bg1"><dl class="left-box details"><dt>{say["subject"]}:</dt><dd><span>{user.name}</span></dd><dt>{say["from"]}:</dt><dd>Kassel</dd></dl></div><div class="panel bg2"><h3>{say["members"]}</h3><dl class="details"><dt>{say["joined"]}:</dt><dd>{say.named(user.joined)}</dd><dt>{say["posts"]}:</dt><dd>12 | <strong><a href="./search.php?author_id={query.get("u")}&amp;sr=posts">{say["search"]}</a></strong></dd></dl></div>'
        elif path == "memberlist.php":
            rows = "".join(
                f'<tr class="bg{at % 2 + 1}"><td><span class="rank-img"></span><a href="./memberlist.php?mode=viewprofile&amp;u={at}" class="username">{user.name}</a></td><td class="posts">{at * 7}</td><td class="info">&nbsp;</td><td>{say.named(user.joined)}</td></tr>'
                for at, user in self.member_rows(number(query.get("start"), 0))
            )
            heads = "".join(
                f'<th><a href="./memberlist.php?mode=&amp;sk={key}&amp;sd=a">{say[word]}</a></th>'
                for key, word in (("a", "subject"), ("d", "posts"), ("c", "joined"))
            )
            body = f'<h2>{say["members"]}</h2><table class="table1" id="memberlist"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        elif path in ("ucp.php", "posting.php"):
            body = f'<form action="./ucp.php?mode=login" method="post" id="login"><div class="panel"><h2>{say["login"]}</h2><fieldset><dl><dt><label>{say["members"]}:</label></dt><dd><input type="text" name="username" /></dd></dl><dl><dt><label>Passwort:</label></dt><dd><input type="password" name="password" /></dd></dl></fieldset><p>{say["rules"]}</p></div></form>'
        elif path in ("search.php", "faq.php", "viewonline.php"):
            body = f'<h2>{say["search"]}</h2><form method="get" action="./search.php"><div class="panel"><fieldset><dl><dt>{say["search"]}:</dt><dd><input type="search" name="keywords" /></dd></dl></fieldset></div></form>'
        else:
            return None
        return Shown("other", which, self._frame(say["search"], "", body))

    def _frame(self, title: str, trail: str, body: str) -> str:
        say, sid = self.say, f"sid={self.sid}"
        return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" dir="ltr" lang="de" xml:lang="de"><head><meta http-equiv="content-type" content="text/html; charset=UTF-8" /><title>Radforum &bull; {title}</title></head>
<body id="phpbb"><div id="wrap"><a id="top" name="top" accesskey="t"></a><div id="page-header"><div class="headerbar"><div class="inner"><div id="site-description"><a href="./index.php?{sid}" title="{say["forum"]}" id="logo"><img src="./styles/prosilver/imageset/site_logo.gif" alt="" /></a><h1>Radforum</h1><p>Alles, was rollt</p></div>
<div id="search-box"><form action="./search.php?{sid}" method="get" id="search"><fieldset><input name="keywords" type="text" /><input type="submit" value="{say["search"]}" /><br /><a href="./search.php?{sid}">Erweiterte Suche</a></fieldset></form></div></div></div>
<div class="navbar"><div class="inner"><ul class="linklist navlinks"><li class="icon-home"><a href="./index.php?{sid}" accesskey="h">{say["forum"]}</a>{trail}</li></ul><ul class="linklist rightside"><li class="icon-faq"><a href="./faq.php?{sid}">{say["faq"]}</a></li><li class="icon-register"><a href="./ucp.php?mode=register&amp;{sid}">{say["register"]}</a></li><li class="icon-logout"><a href="./ucp.php?mode=login&amp;{sid}">{say["login"]}</a></li><li><a href="./memberlist.php?{sid}">{say["members"]}</a></li></ul></div></div></div>
<a name="start_here"></a><div id="page-body">{body}</div>
<div id="page-footer"><div class="navbar"><ul class="linklist"><li class="icon-home"><a href="./index.php?{sid}">{say["forum"]}</a></li><li class="rightside"><a href="./memberlist.php?mode=leaders&amp;{sid}">Das Team</a> &bull; <a href="./ucp.php?mode=delete_cookies&amp;{sid}">Alle Cookies des Boards l&ouml;schen</a> &bull; {say["times"]}</li></ul></div><div class="copyright">Powered by <a href="http://www.phpbb.com/">phpBB</a> &copy; 2000, 2002, 2005, 2007 phpBB Group</div></div></div></body></html>"""

    def _crumbs(self, board: int) -> str:
        return "".join(
            f' <strong>&#8249;</strong> <a href="./viewforum.php?f={each}&amp;sid={self.sid}">{self.board_name(each)}</a>'
            for each in self.trail(board)
        )

    def _row(self, board: int) -> str:
        last = self.last_of(board)
        said = "Keine Beiträge"
        if last is not None:
            post = last.thread.posts[-1]
            said = f'<dfn>{self.say["last"]}</dfn> {self.say["by"]} <a href="./memberlist.php?mode=viewprofile&amp;u={self.users[post.author]}&amp;sid={self.sid}">{post.author}</a> <a href="./viewtopic.php?f={last.thread.board}&amp;p={self.post_id(last.number)}&amp;sid={self.sid}#p{self.post_id(last.number)}"><img src="./styles/prosilver/imageset/icon_topic_latest.gif" alt="{self.say["newest"]}" /></a> <br />{self.say.named(post.time)}'
        below = ", ".join(
            f'<a href="./viewforum.php?f={each}&amp;sid={self.sid}" class="subforum read">{self.board_name(each)}</a>'
            for each in self.boards(board)
        )
        below = f"<br /><strong>Unterforen:</strong> {below}" if below else ""
        return f'<li class="row"><dl class="icon" style="background-image: url(./forum_read.gif)"><dt title="Keine ungelesenen Beitr&auml;ge"><a href="./viewforum.php?f={board}&amp;sid={self.sid}" class="forumtitle">{self.board_name(board)}</a><br />{escape(self.content.boards[board].description)}{below}</dt><dd class="topics">{len(self.lines(board))} <dfn>{self.say["topics"]}</dfn></dd><dd class="posts">{self.count_posts(board)} <dfn>{self.say["posts"]}</dfn></dd><dd class="lastpost"><span>{said}</span></dd></dl></li>'

    def _list(self, parent: int, boards: list[int]) -> str:
        rows = "".join(map(self._row, boards))
        return f'<div class="forabg"><div class="inner"><ul class="topiclist"><li class="header"><dl class="icon"><dt><a href="./viewforum.php?f={parent}&amp;sid={self.sid}">{self.board_name(parent)}</a></dt><dd class="topics">{self.say["topics"]}</dd><dd class="posts">{self.say["posts"]}</dd><dd class="lastpost"><span>{self.say["last"]}</span></dd></dl></li></ul><ul class="topiclist forums">{rows}</ul></div></div>'

    def _entry(self) -> str:
        boards = "".join(self._list(parent, self.boards(parent)) for parent in self.boards(None))
        return self._frame(
            self.say["forum"],
            "",
            f'<p class="right">Aktuelle Zeit: So 15. Nov 2026, 18:30</p>{boards}<form method="post" action="./ucp.php?mode=login&amp;sid={self.sid}" class="headerspace"><h3><a href="./ucp.php?mode=login&amp;sid={self.sid}">{self.say["login"]}</a></h3><fieldset class="quick-login"><input type="text" name="username" /><input type="password" name="password" /></fieldset></form><h3><a href="./viewonline.php?sid={self.sid}">Wer ist online?</a></h3><p>Insgesamt sind 2 Besucher online</p>',
        )

    def _paging(self, address: str, page: int, last: int, size: int) -> str:
        if last == 1:
            return ""
        shown = '<span class="page-sep">, </span>'.join(
            f"<strong>{at}</strong>"
            if at == page
            else f'<a href="./{address}&amp;sid={self.sid}{f"&amp;start={(at - 1) * size}" if at > 1 else ""}">{at}</a>'
            for at in window(page, last)
        )
        return f' &bull; <a href="#" onclick="jumpto(); return false;" title="">{self.say["page"]} <strong>{page}</strong> von <strong>{last}</strong></a> &bull; <span>{shown}</span>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, last = thread.posts[0], thread.posts[-1], self.pages_of_thread(at)
            small = "".join(
                f'<a href="./viewtopic.php?f={board}&amp;t={at}&amp;sid={self.sid}&amp;start={(each - 1) * self.posts_a_page}">{each}</a>'
                for each in window(last, last)
                if each > 1
            )
            small = f'<strong class="pagination"><span>{small}</span></strong>' if small else ""
            rows += f'<li class="row bg{at % 2 + 1}{" sticky" if thread.sticky else ""}"><dl class="icon"><dt title=""><a href="./viewtopic.php?f={board}&amp;t={at}&amp;sid={self.sid}" class="topictitle">{escape(thread.title)}</a>{small}<br />{self.say["by"]} <a href="./memberlist.php?mode=viewprofile&amp;u={self.users[first.author]}&amp;sid={self.sid}">{first.author}</a> &raquo; {self.say.named(first.time)}</dt><dd class="posts">{len(thread.posts) - 1} <dfn>{self.say["replies"]}</dfn></dd><dd class="views">{at * 37} <dfn>{self.say["views"]}</dfn></dd><dd class="lastpost"><span><dfn>{self.say["last"]} </dfn>{self.say["by"]} <a href="./memberlist.php?mode=viewprofile&amp;u={self.users[post.author]}&amp;sid={self.sid}">{post.author}</a> <a href="./viewtopic.php?f={board}&amp;t={at}&amp;p={self.post_id(at)}&amp;sid={self.sid}#p{self.post_id(at)}"><img src="./icon_topic_latest.gif" alt="{self.say["newest"]}" /></a> <br />{self.say.named(post.time)}</span></dd></dl></li>'
        below = self._list(board, self.boards(board)) if self.boards(board) else ""
        paging = f'<div class="topic-actions"><div class="buttons"><div class="post-icon"><a href="./posting.php?mode=post&amp;f={board}&amp;sid={self.sid}"><span></span>{self.say["new"]}</a></div></div><div class="pagination">{len(self.lines(board))} {self.say["topics"]}{self._paging(f"viewforum.php?f={board}", page, self.pages_of_board(board), self.threads_a_page)}</div></div>'
        listed = (
            f'<div class="forumbg"><div class="inner"><ul class="topiclist"><li class="header"><dl class="icon"><dt>{self.say["topics"]}</dt><dd class="posts">{self.say["replies"]}</dd></dl></li></ul><ul class="topiclist topics">{rows}</ul></div></div>'
            if rows
            else '<div class="panel"><strong>Es sind keine Themen in diesem Forum.</strong></div>'
        )
        sort = f'<form method="post" action="./viewforum.php?f={board}"><fieldset class="display-options"><a href="./viewforum.php?f={board}&amp;sid={self.sid}&amp;sk=a&amp;sd=d">{self.say["sort"]}</a></fieldset></form>'
        return self._frame(
            self.board_name(board),
            self._crumbs(board),
            f'<h2><a href="./viewforum.php?f={board}&amp;sid={self.sid}">{self.board_name(board)}</a></h2>{below}{paging}{listed}{sort}{paging}',
        )

    def _thread(self, at: int, page: int) -> str:
        thread, blocks = self.thread(at), ""
        for post, place, said in self.posts_on(at, page):
            user = self.users[said.author]
            joined = self.content.users[user - 2].joined
            blocks += f"""<div id="p{post}" class="post bg{place % 2 + 1}"><div class="inner"><div class="postbody"><ul class="profile-icons"><li class="quote-icon"><a href="./posting.php?mode=quote&amp;f={thread.board}&amp;p={post}&amp;sid={self.sid}" title="{self.say["quote"]}"><span>{self.say["quote"]}</span></a></li></ul>
<h3{' class="first"' if place % 10 == 0 else ""}><a href="#p{post}">{"Re: " if place else ""}{escape(thread.title)}</a></h3><p class="author"><a href="./viewtopic.php?p={post}&amp;sid={self.sid}#p{post}"><img src="./icon_post_target.gif" alt="Beitrag" /></a>{self.say["by"]} <strong><a href="./memberlist.php?mode=viewprofile&amp;u={user}&amp;sid={self.sid}">{said.author}</a></strong> &raquo; {self.say.named(said.time)} </p>
<div class="content">{part_markup(said, _QUOTE)}</div></div><dl class="postprofile" id="profile{post}"><dt><a href="./memberlist.php?mode=viewprofile&amp;u={user}&amp;sid={self.sid}">{said.author}</a></dt><dd>&nbsp;</dd><dd><strong>{self.say["posts"]}:</strong> {user * 3}</dd><dd><strong>{self.say["joined"]}:</strong> {self.say.named(joined)}</dd></dl><div class="back2top"><a href="#wrap" class="top">Nach oben</a></div></div></div><hr class="divider" />"""
        address = f"viewtopic.php?f={thread.board}&amp;t={at}"
        bar = f'<div class="topic-actions"><div class="buttons"><div class="reply-icon"><a href="./posting.php?mode=reply&amp;f={thread.board}&amp;t={at}&amp;sid={self.sid}"><span></span>{self.say["reply"]}</a></div></div><div class="pagination">{len(thread.posts)} {self.say["posts"]}{self._paging(address, page, self.pages_of_thread(at), self.posts_a_page)}</div></div>'
        around = f'<fieldset class="quickmod"></fieldset><p><a href="./viewforum.php?f={thread.board}&amp;sid={self.sid}" class="left-box left">Zur&uuml;ck zu {self.board_name(thread.board)}</a></p><ul class="linklist"><li class="rightside"><a href="./{address}&amp;sid={self.sid}&amp;view=print" title="{self.say["print"]}">{self.say["print"]}</a></li><li><a href="./{address}&amp;view=previous&amp;sid={self.sid}">Vorheriges Thema</a> <a href="./{address}&amp;view=next&amp;sid={self.sid}">Nächstes Thema</a></li></ul>'
        return self._frame(
            escape(thread.title),
            self._crumbs(thread.board),
            f'<h2><a href="./{address}&amp;sid={self.sid}">{escape(thread.title)}</a></h2>{bar}{blocks}{bar}{around}<h3>Wer ist online?</h3><p>{self.say["guests"]}</p>',
        )
