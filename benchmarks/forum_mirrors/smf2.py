"""SMF 2.0: threads and boards with offsets behind a dot, parameters with semicolons, messages as addresses of threads."""
# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import re
from html import escape

from benchmarks.forum_mirrors import side_pages
from benchmarks.forum_mirrors.manner import Manner, Shown, number, part_markup, window

_QUOTE = '<div class="quoteheader"><div class="topslice_quote"><a href="index.php?topic=0.msg0#msg0">Citation de: {author}</a></div></div><blockquote class="bbc_standard_quote">{text}</blockquote><div class="quotefooter"><div class="botslice_quote"></div></div>'


class SMF2(Manner):
    name = "smf2"
    language = "fr"
    charset = "iso-8859-1"
    folder = "/smf/"

    def answer(self, path: str, query: dict[str, str]) -> Shown | None:
        if path not in ("", "index.php"):
            return None
        if "board" in query:
            told = re.fullmatch(r"(\d+)(?:\.(\d+))?", query["board"])
            board, page = (int(told[1]), int(told[2] or 0) // self.threads_a_page + 1) if told else (-1, 1)
            return (
                Shown("index", ("board", board, page), self._board(board, page))
                if self.has_board(board, page)
                else None
            )
        if "topic" in query and "action" not in query:
            return self._topic(query)
        return self._rest(query) if "action" in query else Shown("index", ("entry",), self._entry())

    def _topic(self, query: dict[str, str]) -> Shown | None:
        told = re.fullmatch(r"(\d+)\.(msg)?(\d+|new)", query["topic"])
        if told is None:
            return None
        found = int(told[1]), 1
        if told[3] == "new":
            found = (found[0], self.pages_of_thread(found[0])) if self.has_thread(found[0]) else found
        elif told[2]:
            found = self.thread_of_post(int(told[3])) or (-1, 1)
        else:
            found = found[0], int(told[3]) // self.posts_a_page + 1
        if query.get("prev_next") in ("prev", "next"):
            found = found[0] + (1 if query["prev_next"] == "next" else -1), 1
        return Shown("thread", ("thread", *found), self._thread(*found)) if self.has_thread(*found) else None

    def thread_addresses(self, thread: int) -> list[str]:
        return [f"index.php?topic={thread}.{page * self.posts_a_page}" for page in range(self.pages_of_thread(thread))]

    def _rest(self, query: dict[str, str]) -> Shown | None:
        action, say = query["action"], self.say
        if action == "profile":
            user = self.user(number(query.get("u")))
            if user is None:
                return None
            body = side_pages.profile(say, user, f"index.php?action=profile;area=showposts;u={query.get('u')}")
        elif action == "mlist":
            body = side_pages.members(
                say, self.member_rows(), lambda at, name: f'<a href="index.php?action=profile;u={at}">{name}</a>'
            )
        elif action == "printpage":
            told = number(query.get("topic", "").partition(".")[0])
            if not self.has_thread(told):
                return None
            body = "".join(
                f"<dt class='postheader'>{self.say['subject']}: <strong>{escape(self.thread(told).title)}</strong><br />{self.say['by']}: <strong>{post.author}</strong> le <strong>{say.named(post.time)}</strong></dt><dd class='postbody'>{part_markup(post, _QUOTE)}</dd>"
                for post in self.thread(told).posts
            )
            return Shown("other", ("print", told), f"<html><body><dl id='posts'>{body}</dl></body></html>")
        elif action in ("login", "register", "post", "notify", "reporttm", "markasread", "emailuser", "pm"):
            body = side_pages.log_in(say, "index.php?action=login2")
        else:
            body = side_pages.search(say, "index.php?action=search2")
        return Shown("other", tuple(sorted(query.items())), self._frame(say["search"], "", body))

    def _frame(self, title: str, trail: str, body: str) -> str:
        say = self.say
        menu = "".join(
            f'<li id="button_{action}"><a class="firstlevel" href="index.php{f"?action={action}" if action != "home" else ""}"><span class="firstlevel">{say[word]}</span></a></li>'
            for action, word in (
                ("home", "home"),
                ("help", "faq"),
                ("search", "search"),
                ("mlist", "members"),
                ("login", "login"),
                ("register", "register"),
            )
        )
        return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1" /><title>{title}</title><link rel="help" href="index.php?action=help" /></head><body><div id="wrapper"><div id="header"><div class="frame"><div id="top_section"><h1 class="forumtitle"><a href="index.php">Le forum du bois</a></h1></div><div id="upper_section"><div class="user"><p>Bienvenue, <strong>Invité</strong>. Merci de vous <a href="index.php?action=login">connecter</a> ou de vous <a href="index.php?action=register">inscrire</a>.</p></div><div class="news normaltext"><h2>Nouvelles: </h2><p>SMF - Just Installed!</p></div></div><br class="clear" /><div id="main_menu"><ul class="dropmenu" id="menu_nav">{menu}</ul></div></div></div>
<div id="content_section"><div class="frame"><div id="main_content_section"><div class="navigate_section"><ul><li><a href="index.php"><span>Le forum du bois</span></a>{trail}</li></ul></div>{body}</div></div></div><div id="footer_section"><div class="frame"><ul class="reset"><li class="copyright"><span class="smalltext"><a href="index.php?action=credits">SMF 2.0.19</a> | <a href="http://www.simplemachines.org/about/smf/license.php">SMF &copy; 2021</a></span></li><li><a id="button_xhtml" href="http://validator.w3.org/check?uri=referer"><span>XHTML</span></a></li><li><a href="index.php?action=.xml;type=rss"><span>RSS</span></a></li><li class="last"><a href="index.php?wap2"><span>WAP2</span></a></li></ul></div></div></div></body></html>"""

    def _crumbs(self, board: int) -> str:
        made = ""
        for each in self.trail(board):
            target = f"index.php#c{each}" if self.content.boards[each].parent is None else f"index.php?board={each}.0"
            made += f' &#187;</li><li><a href="{target}"><span>{self.board_name(each)}</span></a>'
        return made

    def _rows(self, boards: list[int]) -> str:
        made = ""
        for board in boards:
            last, said = self.last_of(board), "&nbsp;"
            if last is not None:
                post = last.thread.posts[-1]
                said = f'<p><strong>{self.say["last"]}</strong> {self.say["by"]} <a href="index.php?action=profile;u={self.users[post.author]}">{post.author}</a><br />dans <a href="index.php?topic={last.number}.msg{self.post_id(last.number)}#new" title="{escape(last.thread.title)}">{escape(last.thread.title[:24])}...</a><br />le {self.say.named(post.time)}</p>'
            below = ", ".join(
                f'<a href="index.php?board={each}.0" title="Pas de nouveaux messages">{self.board_name(each)}</a>'
                for each in self.boards(board)
            )
            below = (
                f'<tr id="board_{board}_children"><td colspan="3" class="children windowbg"><strong>Sous-sections</strong>: {below}</td></tr>'
                if below
                else ""
            )
            made += f'<tr id="board_{board}" class="windowbg2"><td class="icon windowbg" rowspan="{2 if below else 1}"><a href="index.php?board={board}.0"><img src="Themes/default/images/off.png" alt="" /></a></td><td class="info"><a class="subject" href="index.php?board={board}.0" name="b{board}">{self.board_name(board)}</a><p>{escape(self.content.boards[board].description)}</p></td><td class="stats windowbg"><p>{self.count_posts(board)} {self.say["posts"]} <br />{len(self.lines(board))} {self.say["topics"]}</p></td><td class="lastpost">{said}</td></tr>{below}'
        return made

    def _entry(self) -> str:
        parts = "".join(
            f'<tbody class="header" id="category_{parent}"><tr><td colspan="4"><div class="cat_bar"><h3 class="catbg"><a id="c{parent}"></a>{self.board_name(parent)}</h3></div></td></tr></tbody><tbody class="content" id="category_{parent}_boards">{self._rows(self.boards(parent))}</tbody>'
            for parent in self.boards(None)
        )
        return self._frame(
            "Le forum du bois",
            "",
            f'<div id="boardindex_table"><table class="table_list">{parts}</table></div><div id="upshrinkHeaderIC"><p class="inline stats">635 {self.say["posts"]} <a href="index.php?action=stats">Plus de stats</a></p><p><a href="index.php?action=recent">{self.say["newest"]}</a></p></div>',
        )

    def _paging(self, before: str, page: int, last: int, size: int, first: str) -> str:
        shown = " ".join(
            f"[<strong>{at}</strong>]"
            if at == page
            else f'<a class="navPages" href="index.php?{before}.{(at - 1) * size}">{at}</a>'
            for at in window(page, last)
        )
        return f'<div class="pagesection"><div class="pagelinks floatleft">{self.say["page"]}s: {shown} &nbsp;&nbsp;<a href="#bot"><strong>En bas</strong></a></div><div class="buttonlist floatright"><ul><li><a class="active" href="{first}"><span>{self.say["reply"]}</span></a></li><li><a href="index.php?action=printpage;{before}.0" rel="nofollow"><span class="last">{self.say["print"]}</span></a></li></ul></div></div>'

    def _board(self, board: int, page: int) -> str:
        rows = ""
        for at, thread in self.lines_on(board, page):
            first, post, last = thread.posts[0], thread.posts[-1], self.pages_of_thread(at)
            small = " ".join(
                f'<a href="index.php?topic={at}.{(each - 1) * self.posts_a_page}">{each}</a>'
                for each in range(1, last + 1)
            )
            small = f'<small id="pages{self.post_id(at, 0)}">&#171; {small} &#187;</small>' if last > 1 else ""
            rows += f'<tr><td class="icon1 windowbg"><img src="normal_post.gif" alt="" /></td><td class="icon2 windowbg"><img src="xx.gif" alt="" /></td><td class="subject windowbg2"><div><span id="msg_{self.post_id(at, 0)}"><a href="index.php?topic={at}.0">{escape(thread.title)}</a></span><p>{self.say["started"]} <a href="index.php?action=profile;u={self.users[first.author]}" title="">{first.author}</a>{small}</p></div></td><td class="stats windowbg">{len(thread.posts) - 1} {self.say["replies"]}<br />{at * 31} {self.say["views"]}</td><td class="lastpost windowbg2"><a href="index.php?topic={at}.msg{self.post_id(at)}#new"><img src="last_post.gif" alt="{self.say["last"]}" title="{self.say["last"]}" /></a>{self.say.named(post.time)}<br />{self.say["by"]} <a href="index.php?action=profile;u={self.users[post.author]}">{post.author}</a></td></tr>'
        heads = "".join(
            f'<th scope="col"><a href="index.php?board={board}.0;sort={key}">{self.say[word]}</a></th>'
            for key, word in (("subject", "subject"), ("replies", "replies"), ("last_post", "last"))
        )
        below = (
            f'<div class="tborder childboards"><div class="cat_bar"><h3 class="catbg">Sous-sections</h3></div><div class="table_frame"><table class="table_list"><tbody class="content">{self._rows(self.boards(board))}</tbody></table></div></div>'
            if self.boards(board)
            else ""
        )
        paging = self._paging(
            f"board={board}",
            page,
            self.pages_of_board(board),
            self.threads_a_page,
            f"index.php?action=post;board={board}.0",
        )
        listed = (
            f'<div class="tborder topic_table" id="messageindex"><table class="table_grid" cellspacing="0"><thead><tr class="catbg"><th colspan="2">&nbsp;</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
            if rows
            else '<div class="tborder"><h3>Il n\'y a pas de messages.</h3></div>'
        )
        return self._frame(
            self.board_name(board), self._crumbs(board), f"<a id='top'></a>{below}{paging}{listed}{paging}"
        )

    def _thread(self, at: int, page: int) -> str:
        thread, blocks = self.thread(at), ""
        for post, place, said in self.posts_on(at, page):
            user = self.users[said.author]
            blocks += f"""<div class="windowbg{place % 2 + 1}"><span class="topslice"><span></span></span><div class="post_wrapper"><div class="poster"><h4><img src="useroff.gif" alt="" /> <a href="index.php?action=profile;u={user}" title="Voir le profil de {said.author}">{said.author}</a></h4><ul class="reset smalltext" id="msg_{post}_extra_info"><li class="postgroup">Membre</li><li class="stars"><img src="star.gif" alt="*" /></li><li class="postcount">{self.say["posts"]}: {user * 5}</li><li class="profile"><ul><li><a href="index.php?action=profile;u={user}"><img src="profile_sm.gif" alt="{self.say["profile"]}" /></a></li></ul></li></ul></div>
<div class="postarea"><div class="flow_hidden"><div class="keyinfo"><div class="messageicon"><img src="xx.gif" alt="" /></div><h5 id="subject_{post}"><a href="index.php?topic={at}.msg{post}#msg{post}" rel="nofollow">{"Re: " if place else ""}{escape(thread.title)}</a></h5><div class="smalltext">&#171; <strong>{f"Réponse #{place} le:" if place else " le:"}</strong> {self.say.named(said.time)} &#187;</div><div id="msg_{post}_quick_mod"></div></div></div><div class="post"><div class="inner" id="msg_{post}">{part_markup(said, _QUOTE)}</div></div></div><div class="moderatorbar"><div class="smalltext modified" id="modified_{post}"></div><div class="smalltext reportlinks"><a href="index.php?action=reporttm;topic={at}.{place};msg={post}">Signaler au modérateur</a> &nbsp; <img src="ip.gif" alt="" /> IP archivée</div></div></div><span class="botslice"><span></span></span></div><hr class="post_separator" />"""
        paging = self._paging(
            f"topic={at}",
            page,
            self.pages_of_thread(at),
            self.posts_a_page,
            f"index.php?action=post;topic={at}.0;last_msg={self.post_id(at)}",
        )
        around = f'<div class="nextlinks">&#171; <a href="index.php?topic={at}.0;prev_next=prev#new">sujet précédent</a> | <a href="index.php?topic={at}.0;prev_next=next#new">sujet suivant</a> &#187;</div>'
        trail = f'{self._crumbs(thread.board)} &#187;</li><li class="last"><a href="index.php?topic={at}.0"><span>{escape(thread.title)}</span></a>'
        return self._frame(
            escape(thread.title),
            trail,
            f'{around}{paging}<div id="forumposts"><div class="cat_bar"><h3 class="catbg"><img src="normal_post.gif" alt="" /><span id="author">{self.say["author"]}</span> {self.say["subject"]}: {escape(thread.title)} &nbsp;({self.say["read"]} {at * 31} fois)</h3></div><form action="index.php?action=quickmod2;topic={at}.0" method="post">{blocks}</form></div>{paging}{around}',
        )
