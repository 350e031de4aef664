"""FluxBB in EUC-JP: plain boards whose times are the links of posts, and whose last posts stand as times too."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

from html import escape

from benchmarks.forum_mirrors import side_pages
from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup, window

_QUOTE = '</p><div class="quotebox"><cite>{author} さんが書きました:</cite><blockquote><div><p>{text}</p></div></blockquote></div><p>'


class FluxBB(Manner):
    name = "fluxbb"
    language = "ja"
    charset = "euc-jp"
    folder = "/bbs/"

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        page = number(query.get("p"), 1)
        if path in ("", "index.php"):
            return Shown("index", ("entry",), self._entry())
        if path == "viewforum.php":
            board = number(query.get("id"))
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if path == "viewtopic.php":
            found = self.thread_of_post(number(query["pid"])) if "pid" in query else (number(query.get("id")), page)
            if found is not None and query.get("action") in ("last", "new") and self.has_thread(found[0]):
                found = found[0], self.pages_of_thread(found[0])
            return (
                Shown("thread", ("thread", *found), self._thread(*found)) if found and self.has_thread(*found) else None
            )
        return self._rest(path, query)

    def thread_addresses(self, thread: int) -> list[str]:
        return [
            f"viewtopic.php?id={thread}",
            *(f"viewtopic.php?id={thread}&p={page}" for page in range(2, self.pages_of_thread(thread) + 1)),
        ]

    def _rest(self, path: str, query: dict[str, str]) -> Shown | None:
        if path == "profile.php":
            user = self.user(number(query.get("id")))
            if user is None:
                return None
            body = side_pages.profile(
                self.say, user, f"search.php?action=show_user_posts&amp;user_id={query.get('id')}"
            )
        elif path == "userlist.php":
            body = side_pages.members(
                self.say, self.member_rows(), lambda at, name: f'<a href="profile.php?id={at}">{name}</a>'
            )
        elif path in ("login.php", "register.php", "post.php", "misc.php"):
            body = side_pages.log_in(self.say, "login.php?action=in")
        elif path in ("search.php", "help.php", "extern.php"):
            body = side_pages.search(self.say, "search.php")
        else:
            return None
        return Shown("other", (path, *sorted(query.items())), self._frame(self.say["search"], body))

    def _frame(self, title: str, body: str) -> str:
        say = self.say
        return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="ja" lang="ja" dir="ltr"><head><meta http-equiv="Content-Type" content="text/html; charset=EUC-JP" /><title>{title} / 鉄道掲示板</title></head><body><div id="punviewtopic" class="pun"><div class="top-box"></div><div class="punwrap"><div id="brdheader" class="block"><div class="box"><div id="brdtitle" class="inbox"><h1><a href="index.php">鉄道掲示板</a></h1></div><div id="brdmenu" class="inbox"><ul><li id="navindex" class="isactive"><a href="index.php">{say["home"]}</a></li><li id="navuserlist"><a href="userlist.php">{say["members"]}</a></li><li id="navsearch"><a href="search.php">{say["search"]}</a></li><li id="navregister"><a href="register.php">{say["register"]}</a></li><li id="navlogin"><a href="login.php">{say["login"]}</a></li></ul></div><div id="brdwelcome" class="inbox"><p class="conl">ログインしていません。</p><ul class="conr"><li><span>トピック: <a href="search.php?action=show_recent" title="">アクティブ</a> | <a href="search.php?action=show_unanswered" title="">未返信</a></span></li></ul></div></div></div>
<div id="brdmain">{body}</div><div id="brdfooter" class="block"><h2><span>フッター</span></h2><div class="box"><div id="brdfooternav" class="inbox"><div class="conr"><p id="feedlinks"><span class="rss"><a href="extern.php?action=feed&amp;type=rss">RSS</a></span></p><p id="poweredby">Powered by <a href="http://fluxbb.org/">FluxBB</a></p></div></div></div></div></div></div></body></html>"""

    def _entry(self) -> str:
        parts = ""
        for parent in self.boards(None):
            rows = ""
            for board in [each for top in self.boards(parent) for each in (top, *self.boards(top))]:
                last, said = self.last_of(board), "なし"
                if last is not None:
                    post = last.thread.posts[-1]
                    said = f'<a href="viewtopic.php?pid={self.post_id(last.number)}#p{self.post_id(last.number)}">{post.time:%Y-%m-%d %H:%M:%S}</a> <span class="byuser">by {post.author}</span>'
                rows += f'<tr class="rowodd"><td class="tcl"><div class="icon"><div class="nosize">1</div></div><div class="tclcon"><div><h3><a href="viewforum.php?id={board}">{self.board_name(board)}</a></h3><div class="forumdesc">{escape(self.content.boards[board].description)}</div></div></div></td><td class="tc2">{len(self.lines(board))}</td><td class="tc3">{self.count_posts(board)}</td><td class="tcr">{said}</td></tr>'
            parts += f'<div id="idx{parent}" class="blocktable"><h2><span>{self.board_name(parent)}</span></h2><div class="box"><div class="inbox"><table cellspacing="0"><thead><tr><th class="tcl" scope="col">フォーラム</th><th class="tc2">トピック</th><th class="tc3">投稿</th><th class="tcr">最新投稿</th></tr></thead><tbody>{rows}</tbody></table></div></div></div>'
        return self._frame(
            self.say["forum"],
            f'{parts}<div id="brdstats" class="block"><h2><span>掲示板情報</span></h2><div class="box"><div class="inbox"><dl class="conr"><dt><strong>統計</strong></dt><dd><span>登録ユーザー数: <strong>80</strong></span></dd></dl></div></div></div>',
        )

    def _paging(self, address: str, page: int, last: int) -> str:
        shown = " ".join(
            f"<strong{' class=item1' if at == 1 else ''}>{at}</strong>"
            if at == page
            else f'<a href="{address}{f"&amp;p={at}" if at > 1 else ""}">{at}</a>'
            for at in window(page, last)
        )
        onward = f' <a rel="next" href="{address}&amp;p={page + 1}">{self.say["next"]}</a>' if page < last else ""
        return f'<p class="pagelink conl"><span class="pages-label">{self.say["page"]} </span>{shown}{onward}</p>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            post, last = thread.posts[-1], self.pages_of_thread(at)
            small = " ".join(
                f'<a href="viewtopic.php?id={at}{f"&amp;p={each}" if each > 1 else ""}">{each}</a>'
                for each in range(1, last + 1)
            )
            small = f' <span class="pagestext">[ {small} ]</span>' if last > 1 else ""
            mark = f'<span class="stickytext">{self.say["sticky"]}: </span>' if thread.sticky else ""
            rows += f'<tr class="rowodd{" isticky" if thread.sticky else ""}"><td class="tcl"><div class="icon"><div class="nosize">{at}</div></div><div class="tclcon"><div>{mark}<a href="viewtopic.php?id={at}">{escape(thread.title)}</a> <span class="byuser">by {thread.posts[0].author}</span>{small}</div></div></td><td class="tc2">{len(thread.posts) - 1}</td><td class="tc3">{at * 7}</td><td class="tcr"><a href="viewtopic.php?pid={self.post_id(at)}#p{self.post_id(at)}">{post.time:%Y-%m-%d %H:%M:%S}</a> <span class="byuser">by {post.author}</span></td></tr>'
        rows = (
            rows
            or '<tr class="rowodd inone"><td class="tcl" colspan="4"><div class="icon inone"></div><div class="tclcon"><div><strong>このフォーラムにはトピックがありません。</strong></div></div></td></tr>'
        )
        bar = f'<div class="linkst"><div class="inbox crumbsplus"><ul class="crumbs"><li><a href="index.php">{self.say["home"]}</a></li><li><span>&raquo;&nbsp;</span><a href="viewforum.php?id={board}"><strong>{self.board_name(board)}</strong></a></li></ul><div class="pagepost">{self._paging(f"viewforum.php?id={board}", page, self.pages_of_board(board))}<p class="postlink conr"><a href="post.php?fid={board}">{self.say["new"]}</a></p></div></div></div>'
        return self._frame(
            self.board_name(board),
            f'{bar}<div id="vf" class="blocktable"><h2><span>{self.board_name(board)}</span></h2><div class="box"><div class="inbox"><table cellspacing="0"><thead><tr><th class="tcl" scope="col">トピック</th><th class="tc2">返信</th><th class="tc3">閲覧</th><th class="tcr">最新投稿</th></tr></thead><tbody>{rows}</tbody></table></div></div></div>{bar}',
        )

    def _thread(self, at: int, page: int) -> str:
        thread, blocks = self.thread(at), ""
        for post, place, said in self.posts_on(at, page):
            user = self.users[said.author]
            blocks += f"""<div id="p{post}" class="blockpost row{"odd" if place % 2 else "even"}{" firstpost blockpost1" if not place else ""}"><h2><span><span class="conr">#{place + 1}</span> <a href="viewtopic.php?pid={post}#p{post}">{said.time:%Y-%m-%d %H:%M:%S}</a></span></h2><div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong><a href="profile.php?id={user}">{said.author}</a></strong></dt><dd class="usertitle"><strong>メンバー</strong></dd><dd><span>{self.say["joined"]}: {self.content.users[user - 2].joined:%Y-%m-%d}</span></dd><dd><span>{self.say["posts"]}: {user * 8}</span></dd></dl></div><div class="postright"><h3>{"Re: " if place else ""}{escape(thread.title)}</h3><div class="postmsg"><p>{part_markup(said, _QUOTE)}</p></div></div></div></div><div class="inbox"><div class="postfoot clearb"><div class="postfootleft"><p><span>オフライン</span></p></div><div class="postfootright"><ul><li class="postquote"><span><a href="post.php?tid={at}&amp;qid={post}">{self.say["quote"]}</a></span></li></ul></div></div></div></div></div>"""
        bar = f'<div class="linkst"><div class="inbox crumbsplus"><ul class="crumbs"><li><a href="index.php">{self.say["home"]}</a></li><li><span>&raquo;&nbsp;</span><a href="viewforum.php?id={thread.board}">{self.board_name(thread.board)}</a></li><li><span>&raquo;&nbsp;</span><a href="viewtopic.php?id={at}"><strong>{escape(thread.title)}</strong></a></li></ul><div class="pagepost">{self._paging(f"viewtopic.php?id={at}", page, self.pages_of_thread(at))}<p class="postlink conr"><a href="post.php?tid={at}">{self.say["reply"]}</a></p></div></div></div>'
        return self._frame(escape(thread.title), f"{bar}{blocks}{bar}")
