"""Discuz! in GBK: three numbers in the addresses of threads, tables for posts, spaces of users, other orders."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from html import escape

from benchmarks.forum_mirrors import side_pages
from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup, window

_QUOTE = '<div class="quote"><blockquote><font size="2"><a href="forum.php?mod=redirect&amp;goto=findpost&amp;pid=1&amp;ptid=1" target="_blank"><font color="#999999">{author} 发表于 2014-1-1 10:00</font></a></font><br />{text}</blockquote></div>'


class Discuz(Manner):
    name = "discuz"
    language = "zh"
    charset = "gbk"
    folder = "/bbs/"
    entry = "forum.php"

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        if path in ("", "forum.php", "index.php") and "mod" not in query and "gid" not in query:
            return Shown("index", ("entry",), self._entry())
        if path == "forum.php" and "gid" in query and self.has_board(number(query["gid"])):
            return Shown(
                "index",
                ("group", query["gid"]),
                self._frame(self.board_name(int(query["gid"])), "", self._group(int(query["gid"]))),
            )
        if found := re.fullmatch(r"forum-(\d+)-(\d+)\.html", path):
            board, page = int(found[1]), int(found[2])
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if found := re.fullmatch(r"thread-(\d+)-(\d+)-(\d+)\.html", path):
            thread, page = int(found[1]), int(found[2])
            return (
                Shown("thread", ("thread", thread, page), self._thread(thread, page))
                if self.has_thread(thread, page)
                else None
            )
        if path == "forum.php" and query.get("mod") == "redirect":
            found_post = self.thread_of_post(number(query.get("pid"))) or (number(query.get("tid")), 1)
            if query.get("goto") == "lastpost" and self.has_thread(found_post[0]):
                found_post = found_post[0], self.pages_of_thread(found_post[0])
            return (
                Shown("thread", ("thread", *found_post), self._thread(*found_post))
                if self.has_thread(*found_post)
                else None
            )
        return self._rest(path, query)

    def thread_addresses(self, thread: int) -> list[str]:
        return [f"thread-{thread}-{page}-1.html" for page in range(1, self.pages_of_thread(thread) + 1)]

    def _rest(self, path: str, query: dict[str, str]) -> Shown | None:
        if found := re.fullmatch(r"space-uid-(\d+)\.html", path):
            user = self.user(int(found[1]))
            if user is None:
                return None
            body = side_pages.profile(self.say, user, f"home.php?mod=space&amp;uid={found[1]}&amp;do=thread")
        elif path in ("member.php", "forum.php", "home.php"):
            body = side_pages.log_in(self.say, "member.php?mod=logging&amp;action=login")
        elif path in ("search.php", "misc.php", "archiver/", "plugin.php"):
            body = side_pages.search(self.say, "search.php")
        else:
            return None
        return Shown("other", (path, *sorted(query.items())), self._frame(self.say["search"], "", body))

    def _frame(self, title: str, trail: str, body: str) -> str:
        say = self.say
        return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=gbk" /><title>{title} - 铁路论坛 - Powered by Discuz!</title></head><body id="nv_forum" class="pg_x"><div id="toptb" class="cl"><div class="wp"><div class="z"><a href="javascript:;" onclick="setHomepage()">设为首页</a><a href="./">收藏本站</a></div><div class="y"><a href="member.php?mod=logging&amp;action=login">{say["login"]}</a><a href="member.php?mod=register">{say["register"]}</a></div></div></div><div id="hd"><div class="wp"><div class="hdc cl"><h2><a href="./" title="铁路论坛"><img src="logo.png" alt="铁路论坛" border="0" /></a></h2></div><div id="nv"><ul><li class="a" id="mn_forum"><a href="forum.php" hidefocus="true" title="BBS">论坛<span>BBS</span></a></li><li id="mn_search"><a href="search.php" hidefocus="true">{say["search"]}</a></li><li><a href="misc.php?mod=ranklist">排行榜</a></li></ul></div></div></div>
<div id="wp" class="wp"><div id="pt" class="bm cl"><div class="z"><a href="./" class="nvhm" title="{say["home"]}">铁路论坛</a><em>&raquo;</em><a href="forum.php">{say["forum"]}</a>{trail}</div></div>{body}</div>
<div id="ft" class="wp cl"><div id="flk" class="y"><p><a href="archiver/">Archiver</a><span class="pipe">|</span><a href="forum.php?mobile=yes">手机版</a><span class="pipe">|</span><strong><a href="http://example.org/" target="_blank">铁路论坛</a></strong></p><p class="xs0">{say["times"]}, 2026-11-15 18:30</p></div><div id="frt"><p>Powered by <strong><a href="http://www.discuz.net" target="_blank">Discuz!</a></strong> <em>X3.4</em></p></div></div></body></html>"""

    def _crumbs(self, board: int) -> str:
        return "".join(
            f'<em>&rsaquo;</em><a href="{f"forum.php?gid={each}" if self.content.boards[each].parent is None else f"forum-{each}-1.html"}">{self.board_name(each)}</a>'
            for each in self.trail(board)
        )

    def _rows(self, boards: list[int]) -> str:
        made = ""
        for board in boards:
            last, said = self.last_of(board), "从未"
            if last is not None:
                post = last.thread.posts[-1]
                said = f'<div><a href="forum.php?mod=redirect&amp;tid={last.number}&amp;goto=lastpost#lastpost" class="xi2">{escape(last.thread.title[:16])} ...</a> <cite>{post.time:%Y-%-m-%-d %H:%M} <a href="space-uid-{self.users[post.author]}.html">{post.author}</a></cite></div>'
            below = " ".join(
                f'<a href="forum-{each}-1.html">{self.board_name(each)}</a>' for each in self.boards(board)
            )
            made += f'<tr class="fl_row"><td class="fl_icn"><a href="forum-{board}-1.html"><img src="forum.gif" alt="{self.board_name(board)}" /></a></td><td><h2><a href="forum-{board}-1.html">{self.board_name(board)}</a></h2><p class="xg2">{escape(self.content.boards[board].description)}</p>{f"<p>子版块: {below}</p>" if below else ""}</td><td class="fl_i"><span class="xi2">{len(self.lines(board))}</span><span class="xg1"> / {self.count_posts(board)}</span></td><td class="fl_by">{said}</td></tr>'
        return made

    def _group(self, parent: int) -> str:
        return f'<div class="bm bmw flg cl"><div class="bm_h cl"><h2><a href="forum.php?gid={parent}" style="">{self.board_name(parent)}</a></h2></div><div id="category_{parent}" class="bm_c"><table cellspacing="0" cellpadding="0" class="fl_tb">{self._rows(self.boards(parent))}</table></div></div>'

    def _entry(self) -> str:
        parts = "".join(map(self._group, self.boards(None)))
        return self._frame(
            self.say["forum"],
            "",
            f'<div id="chart" class="bm bw0 cl"><p class="chart z">今日: <em>0</em><span class="pipe">|</span>帖子: <em>635</em><span class="pipe">|</span>会员: <em>80</em></p></div><div class="mn"><div class="fl bm">{parts}</div></div>',
        )

    def _paging(self, before: str, after: str, page: int, last: int) -> str:
        if last == 1:
            return ""
        shown = "".join(
            f"<strong>{at}</strong>" if at == page else f'<a href="{before}{at}{after}">{at}</a>'
            for at in window(page, last)
        )
        onward = f'<a href="{before}{page + 1}{after}" class="nxt">{self.say["next"]}</a>' if page < last else ""
        return f'<div class="pg">{shown}<label><input type="text" name="custompage" class="px" size="2" value="{page}" /><span title="共 {last} 页"> / {last} 页</span></label>{onward}</div>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, last = thread.posts[0], thread.posts[-1], self.pages_of_thread(at)
            small = "".join(f'<a href="thread-{at}-{each}-1.html">{each}</a>' for each in range(2, last + 1))
            small = f'<span class="tps">&nbsp;...{small}</span>' if small else ""
            rows += f'<tbody id="{"stickthread" if thread.sticky else "normalthread"}_{at}"><tr><td class="icn"><a href="thread-{at}-1-{page}.html" title="新窗口打开" target="_blank"><img src="folder_common.gif" /></a></td><th class="common"><a href="thread-{at}-1-{page}.html" onclick="atarget(this)" class="s xst">{escape(thread.title)}</a>{small}</th><td class="by"><cite><a href="space-uid-{self.users[first.author]}.html" c="1">{first.author}</a></cite><em><span>{first.time:%Y-%-m-%-d}</span></em></td><td class="num"><a href="thread-{at}-1-{page}.html" class="xi2">{len(thread.posts) - 1}</a><em>{at * 13}</em></td><td class="by"><cite><a href="space-uid-{self.users[post.author]}.html" c="1">{post.author}</a></cite><em><a href="forum.php?mod=redirect&amp;tid={at}&amp;goto=lastpost#lastpost">{post.time:%Y-%-m-%-d %H:%M}</a></em></td></tr></tbody>'
        below = (
            f'<div class="bm bmw fl"><div class="bm_h cl"><h2>子版块</h2></div><div class="bm_c"><table class="fl_tb">{self._rows(self.boards(board))}</table></div></div>'
            if self.boards(board)
            else ""
        )
        order = f'<tr><th colspan="2"><div class="tf"><a href="forum.php?mod=forumdisplay&amp;fid={board}&amp;filter=author&amp;orderby=dateline" class="xi2">{self.say["sort"]}</a>&nbsp;<a href="forum.php?mod=forumdisplay&amp;fid={board}&amp;filter=digest&amp;digest=1" class="xi2">精华</a></div></th><td class="by">{self.say["author"]}</td><td class="num">{self.say["replies"]}/{self.say["views"]}</td><td class="by">{self.say["last"]}</td></tr>'
        bar = f'<div class="bm bw0 pgs cl">{self._paging(f"forum-{board}-", ".html", page, self.pages_of_board(board))}<a href="forum.php?mod=post&amp;action=newthread&amp;fid={board}" title="{self.say["new"]}"><img src="pn_post.png" alt="{self.say["new"]}" /></a></div>'
        listed = f'<div id="threadlist" class="tl bm bmw"><div class="th"><table cellspacing="0" cellpadding="0">{order}</table></div><div class="bm_c"><table summary="forum_{board}" id="threadlisttableid" cellspacing="0" cellpadding="0">{rows or "<tbody><tr><th colspan=5><p class=emp>本版块或指定的范围内尚无主题</p></th></tr></tbody>"}</table></div></div>'
        return self._frame(
            self.board_name(board),
            self._crumbs(board),
            f'<div class="boardnav"><div class="bm bml pbn"><div class="bm_h cl"><h1 class="xs2"><a href="forum-{board}-1.html">{self.board_name(board)}</a></h1></div></div>{below}{bar}{listed}{bar}</div>',
        )

    def _thread(self, at: int, page: int) -> str:
        thread, blocks = self.thread(at), ""
        for post, place, said in self.posts_on(at, page):
            user = self.users[said.author]
            blocks += f"""<div id="post_{post}"><table id="pid{post}" class="plhin" summary="pid{post}" cellspacing="0" cellpadding="0"><tr><td class="pls" rowspan="2"><div id="favatar{post}" class="pls favatar"><div class="pi"><div class="authi"><a href="space-uid-{user}.html" target="_blank" class="xw1">{said.author}</a></div></div><div><div class="avatar"><a href="space-uid-{user}.html" class="avtm" target="_blank"><img src="noavatar.gif" /></a></div></div><div class="tns xg2"><table cellspacing="0" cellpadding="0"><th><p><a href="home.php?mod=space&amp;uid={user}&amp;do=thread&amp;type=thread&amp;view=me" class="xi2">{user}</a></p>主题</th><th><p><a href="home.php?mod=space&amp;uid={user}&amp;do=thread&amp;type=reply&amp;view=me" class="xi2">{user * 4}</a></p>帖子</th><td><p>{user * 9}</p>积分</td></table></div><p><em><a href="home.php?mod=spacecp&amp;ac=usergroup&amp;gid=11" target="_blank">中级会员</a></em></p><dl class="pil cl"><dt>{self.say["joined"]}</dt><dd>{self.content.users[user - 2].joined:%Y-%-m-%-d}</dd></dl></div></td>
<td class="plc"><div class="pi"><strong><a href="forum.php?mod=redirect&amp;goto=findpost&amp;ptid={at}&amp;pid={post}" id="postnum{post}"><em>{place + 1}</em><sup>#</sup></a></strong><div class="pti"><div class="pdbt"></div><div class="authi"><img class="authicn vm" id="authicon{post}" src="online_member.gif" /><em id="authorposton{post}">发表于 {said.time:%Y-%-m-%-d %H:%M:%S}</em><span class="pipe">|</span><a href="forum.php?mod=viewthread&amp;tid={at}&amp;page=1&amp;authorid={user}" rel="nofollow">只看该作者</a></div></div></div><div class="pct"><div class="pcb"><div class="t_fsz"><table cellspacing="0" cellpadding="0"><tr><td class="t_f" id="postmessage_{post}">{part_markup(said, _QUOTE)}</td></tr></table></div></div></div></td></tr><tr><td class="plc plm"></td></tr><tr><td class="pls"></td><td class="plc" style="overflow:visible;"><div class="po hin"><div class="pob cl"><em><a class="fastre" href="forum.php?mod=post&amp;action=reply&amp;fid={thread.board}&amp;tid={at}&amp;repquote={post}">{self.say["reply"]}</a></em><p><a href="misc.php?mod=report&amp;rid={post}">举报</a></p></div></div></td></tr></table></div>"""
        bar = f'<div id="pgt" class="pgs mbm cl"><div class="pgt">{self._paging(f"thread-{at}-", "-1.html", page, self.pages_of_thread(at))}</div><span class="y pgb"><a href="forum-{thread.board}-1.html">返回列表</a></span><a href="forum.php?mod=post&amp;action=newthread&amp;fid={thread.board}"><img src="pn_post.png" alt="{self.say["new"]}" /></a></div>'
        head = f'<table cellspacing="0" cellpadding="0"><tr><td class="pls ptn pbn"><div class="hm"><span class="xg1">{self.say["views"]}:</span> <span class="xi1">{at * 13}</span><span class="pipe">|</span><span class="xg1">{self.say["replies"]}:</span> <span class="xi1">{len(thread.posts) - 1}</span></div></td><td class="plc ptm pbn vwthd"><div class="y"><a href="forum.php?mod=viewthread&amp;action=printable&amp;tid={at}" title="{self.say["print"]}"><img src="print.png" /></a><a href="forum.php?mod=redirect&amp;goto=nextoldset&amp;tid={at}" title="上一主题"><img src="thread-prev.png" /></a></div><h1 class="ts"><span id="thread_subject">{escape(thread.title)}</span></h1></td></tr></table>'
        return self._frame(
            escape(thread.title),
            f'{self._crumbs(thread.board)}<em>&rsaquo;</em><a href="thread-{at}-1-1.html">{escape(thread.title[:12])}...</a>',
            f'<div id="ct" class="wp cl">{bar}<div id="postlist" class="pl bm">{head}{blocks}</div>{bar}</div>',
        )
