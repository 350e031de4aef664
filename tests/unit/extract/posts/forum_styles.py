"""Pages of threads in the markup of many kinds of forum software, in our own words, with what they say.

Each style is a function from posts to a page. The markup has the structure of the real one: where the author, the time
and the text stand, what repeats, what is in the way (profiles, signatures, buttons, notes of edits, side bars).
"""

# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from html import escape
from typing import NamedTuple

TITLE = "Which kettle for hard water?"
BOARDS = (("Household", "/index.php?c=1"), ("Kitchen", "/viewforum.php?f=7"))

_PEOPLE = ("ann", "Bo Larsen", "kettle_fan", "Dora", "x1", "Zoë")
_SAYINGS = (
    "I have had the same one for eleven years and it still works, although the lid is loose now.",
    "Thanks!",
    "Vinegar. Half a cup, boil it, wait an hour, rinse twice.",
    "That is not what I read elsewhere: steel is worse than glass when the water is as hard as ours.",
    "See the test in the March issue, they compared 14 of them.",
    "ok",
    "My neighbour bought a filter in 2019 and never looked back. It costs 30 a year, give or take.",
    "Why not ask the shop?",
)


class Said(NamedTuple):
    """One post, as it should be read."""

    author: str
    when: datetime
    text: str
    quoted: tuple[str, str] | None = None

    @property
    def number(self) -> int:
        return int(self.when.timestamp()) % 90_000 + 1_000


def conversation(number: int, start: datetime = datetime(2024, 3, 2, 9, 30)) -> list[Said]:
    """So many posts, some of which quote the one before."""
    found: list[Said] = []
    for place in range(number):
        author = _PEOPLE[(place * place + place // 3) % len(_PEOPLE)]
        text = _SAYINGS[(place * 5 + place // 8) % len(_SAYINGS)]
        before = found[-1] if place % 4 == 2 else None
        when = start + timedelta(hours=7 * place, minutes=13 * place)
        found.append(Said(author, when, text, (before.author, before.text) if before else None))
    return found


def _slug(name: str) -> str:
    return escape(name.lower().replace(" ", "-"))


def _page(main: str, *, head: str = "", foot: str = "", lang: str = "en-gb", title: str = TITLE) -> str:
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><title>{escape(title)} - Kettle Talk</title>{head}</head><body>'
        f'<div id="top"><a href="/">Home</a> <a href="/search">Search</a> <a href="/login">Log in</a></div>{main}{foot}'
        '<div id="end">Powered by something, 2001-2024</div></body></html>'
    )


def phpbb(posts: Sequence[Said]) -> str:
    crumbs = "".join(f'<span class="crumb"><a href="{url}"><span>{name}</span></a></span>' for name, url in BOARDS)
    blocks = ""
    for place, post in enumerate(posts):
        who, when = escape(post.author), f"{post.when:%a %b %d, %Y %I:%M %p}".replace("AM", "am").replace("PM", "pm")
        quote = (
            f"<blockquote><div><cite>{post.quoted[0]} wrote:</cite>{post.quoted[1]}</div></blockquote>"
            if post.quoted
            else ""
        )
        edited = (
            '<div class="notice">Last edited by ann on Sat Mar 30, 2024 1:00 pm, edited 1 time in total.</div>'
            if place % 3 == 0
            else ""
        )
        blocks += f"""
        <div id="p{post.number}" class="post has-profile bg{place % 2 + 1}"><div class="inner">
          <dl class="postprofile" id="profile{post.number}"><dt class="has-profile-rank no-avatar"><div class="avatar-container"></div>
            <a href="./memberlist.php?mode=viewprofile&amp;u={_slug(post.author)}" class="username">{who}</a></dt>
            <dd class="profile-rank">Registered user</dd><dd class="profile-posts"><strong>Posts:</strong> <a href="./search.php?a={_slug(post.author)}">{len(post.author) * 17}</a></dd>
            <dd class="profile-joined"><strong>Joined:</strong> Mon Jan {len(post.author) + 1:02}, 2018 8:00 am</dd></dl>
          <div class="postbody"><div id="post_content{post.number}">
            <h3><a href="./viewtopic.php?p={post.number}#p{post.number}">{"Re: " if place else ""}{TITLE}</a></h3>
            <ul class="post-buttons"><li><a href="./posting.php?mode=quote&amp;p={post.number}" title="Reply with quote"><span>Quote</span></a></li></ul>
            <p class="author"><a class="unread" href="./viewtopic.php?p={post.number}#p{post.number}" title="Post"><span class="sr-only">Post</span></a>
              <span class="responsive-hide">by <strong><a href="./memberlist.php?mode=viewprofile&amp;u={_slug(post.author)}" class="username">{who}</a></strong> &raquo; </span>
              <time datetime="{post.when:%Y-%m-%dT%H:%M:%S}+00:00">{when}</time></p>
            <div class="content">{quote}{escape(post.text)}</div>{edited}
            <div id="sig{post.number}" class="signature">Never without tea, {who}</div></div></div>
          <div class="back2top"><a href="#top" title="Top">Top</a></div></div></div><hr class="divider">"""
    return _page(
        f'<div id="page-body"><ul id="nav-breadcrumbs" class="nav-breadcrumbs linklist navbar"><li class="breadcrumbs">{crumbs}</li></ul>'
        f'<h2 class="topic-title"><a href="./viewtopic.php?t=1">{TITLE}</a></h2><div class="pagination">{len(posts)} posts</div>{blocks}</div>',
        foot='<div class="copyright">All times are <span title="UTC">UTC</span></div>',
    )


def mybb(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<blockquote class="mycode_quote"><cite><span> (03-01-2024, 01:00 AM)</span>{post.quoted[0]} Wrote: <a href="showthread.php?pid=1#pid1" class="quick_jump"></a></cite>{post.quoted[1]}</blockquote>'
            if post.quoted
            else ""
        )
        blocks += f"""
        <a name="pid{post.number}" id="pid{post.number}"></a>
        <div class="post " style="" id="post_{post.number}"><div class="post_author"><div class="author_avatar"><a href="member.php?action=profile&amp;uid={_slug(post.author)}"><img src="a.png" alt=""></a></div>
          <div class="author_information"><strong><span class="largetext"><a href="member.php?action=profile&amp;uid={_slug(post.author)}">{escape(post.author)}</a></span></strong> <img src="offline.png" title="Offline" alt="Offline"><br>
            <span class="smalltext">Junior Member<br><img src="star.png" alt="*"></span></div>
          <div class="author_statistics">Posts: {len(post.author) * 7}<br>Threads: 3<br>Joined: Jan 2019<br>Reputation: <strong class="reputation_neutral">0</strong></div></div>
          <div class="post_content"><div class="post_head"><div class="float_right" style="vertical-align: top"><strong><a href="showthread.php?tid=4&amp;pid={post.number}#pid{post.number}" title="{TITLE}">#{place + 1}</a></strong></div>
            <span class="post_date">{post.when:%m-%d-%Y, %I:%M %p} <span class="post_edit" id="edited_by_{post.number}">{'<span class="edited_post">(This post was last modified: 03-29-2024, 01:00 AM by <a href="member.php?uid=1">ann</a>.)</span>' if place % 3 == 1 else ""}</span></span></div>
          <div class="post_body scaleimages" id="pid_{post.number}">{quote}{escape(post.text)}</div>
          <div class="post_meta" id="post_meta_{post.number}"></div></div>
          <div class="post_controls"><div class="postbit_buttons author_buttons float_left"><a href="search.php?uid={_slug(post.author)}" class="postbit_find"><span>Find</span></a></div>
          <div class="postbit_buttons post_management_buttons float_right"><a href="newreply.php?tid=4&amp;replyto={post.number}" class="postbit_quote"><span>Reply</span></a></div></div></div>"""
    crumbs = "&rsaquo;".join(f'<a href="{url}">{name}</a>' for name, url in BOARDS)
    return _page(
        f'<div class="navigation">{crumbs}<br><span class="active">{TITLE}</span></div><table class="tborder"><tr><td class="thead"><div><strong>{TITLE}</strong></div></td></tr><tr><td id="posts_container"><div id="posts">{blocks}</div></td></tr></table>'
        '<table class="tborder"><tr><td class="thead">Users browsing this thread: 1 Guest(s)</td></tr></table>',
        lang="en",
    )


def vbulletin(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<div style="margin:20px; margin-top:5px;"><div class="smallfont" style="margin-bottom:2px">Quote:</div><table cellpadding="6" border="0" width="100%" class="quotetable"><tr><td class="alt2" style="border:1px inset"><div>Originally Posted by <strong>{post.quoted[0]}</strong></div><div style="font-style:italic">{post.quoted[1]}</div></td></tr></table></div>'
            if post.quoted
            else ""
        )
        blocks += f"""
        <div align="center"><div class="page" style="width:100%"><div style="padding:0px 10px">
        <div id="edit{post.number}" style="padding:0px 0px 6px 0px"><table class="tborder" id="post{post.number}" cellpadding="6" width="100%">
        <tr><td class="thead" style="font-weight:normal"><a name="post{post.number}"><img class="inlineimg" src="old.gif" alt="Old"></a> {post.when:%d-%m-%Y, %H:%M}</td>
          <td class="thead" align="right"># <a href="showthread.php?p={post.number}#post{post.number}" target="new" id="postcount{post.number}" name="{place + 1}"><strong>{place + 1}</strong></a></td></tr>
        <tr valign="top"><td class="alt2" width="175"><div id="postmenu_{post.number}"><a class="bigusername" href="member.php?u={_slug(post.author)}">{escape(post.author)}</a></div>
            <div class="smallfont">Senior Member</div><div class="smallfont">&nbsp;<br><div>Join Date: Sep 2009</div><div>Location: Upstairs, second door to the left of {escape(post.author)}</div><div>Posts: {len(post.author) * 31}</div></div></td>
          <td class="alt1" id="td_post_{post.number}"><div class="smallfont"><strong>{"Re: " if place else ""}{TITLE}</strong></div><hr size="1">
            <div id="post_message_{post.number}">{quote}{escape(post.text)}</div>
            <div>__________________<br>Signature of {escape(post.author)}, who drinks tea all day</div></td></tr>
        <tr><td class="alt2"><img class="inlineimg" src="offline.gif" alt="{escape(post.author)} is offline"></td><td class="alt1" align="right"><a href="newreply.php?do=newreply&amp;p={post.number}" rel="nofollow"><img src="quote.gif" alt="Reply With Quote"></a></td></tr></table></div></div></div></div>"""
    crumbs = " &gt; ".join(f'<span class="navbar"><a href="{url}">{name}</a></span>' for name, url in BOARDS)
    return _page(
        f'<table class="tborder"><tr><td class="alt1"><div class="navbits">{crumbs}</div><strong>{TITLE}</strong></td></tr></table><div id="posts">{blocks}</div>'
        '<table class="tborder" id="similar"><tr><td>Similar Threads</td></tr><tr><td><a href="showthread.php?t=9">Old pots</a></td><td><a href="member.php?u=9">Kim</a></td><td>4</td><td>11-02-2008 10:11</td></tr>'
        '<tr><td><a href="showthread.php?t=8">Pans</a></td><td><a href="member.php?u=3">Lee</a></td><td>2</td><td>12-02-2009 10:11</td></tr></table>',
        foot='<div class="smallfont" align="center">All times are GMT +2. The time now is <span class="time">21:04</span>.</div>',
    )


def smf(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<div class="quoteheader"><div class="topslice_quote"><a href="index.php?topic=1.msg1#msg1">Quote from: {post.quoted[0]} on March 01, 2024, 01:00:00 AM</a></div></div><blockquote class="bbc_standard_quote">{post.quoted[1]}</blockquote><div class="quotefooter"><div class="botslice_quote"></div></div>'
            if post.quoted
            else ""
        )
        blocks += f"""
        <div class="windowbg{"2" if place % 2 else ""}"><span class="topslice"><span></span></span><div class="post_wrapper">
          <div class="poster"><h4><img src="useroff.gif" alt="Offline"> <a href="index.php?action=profile;u={_slug(post.author)}" title="View the profile of {escape(post.author)}">{escape(post.author)}</a></h4>
            <ul class="reset smalltext" id="msg_{post.number}_extra_info"><li class="postgroup">Newbie</li><li class="stars"><img src="star.gif" alt="*"></li><li class="postcount">Posts: {len(post.author) * 3}</li></ul></div>
          <div class="postarea"><div class="flow_hidden"><div class="keyinfo"><div class="messageicon"><img src="xx.gif" alt=""></div>
            <h5 id="subject_{post.number}"><a href="index.php?topic=1.msg{post.number}#msg{post.number}" rel="nofollow">{"Re: " if place else ""}{TITLE}</a></h5>
            <div class="smalltext">&#171; <strong>{f"Reply #{place} on:" if place else "on:"}</strong> {post.when:%B %d, %Y, %I:%M:%S %p} &#187;</div><div id="msg_{post.number}_quick_mod"></div></div></div>
            <div class="post"><div class="inner" id="msg_{post.number}">{quote}{escape(post.text)}</div></div></div>
          <div class="moderatorbar"><div class="smalltext modified" id="modified_{post.number}">{"&#171; <em>Last Edit: March 29, 2024, 01:00:00 AM by ann</em> &#187;" if place % 3 == 0 else ""}</div><div class="smalltext reportlinks"><img src="ip.gif" alt=""> Logged</div>
          <div class="signature" id="msg_{post.number}_signature">Tea first, says {escape(post.author)}</div></div></div><span class="botslice"><span></span></span></div><hr class="post_separator">"""
    crumbs = "".join(f'<li><a href="{url}"><span>{name}</span></a> &#187;</li>' for name, url in BOARDS)
    return _page(
        f'<div class="navigate_section"><ul>{crumbs}<li class="last"><a href="/t?id=1"><span>{TITLE}</span></a></li></ul></div><div id="forumposts"><div class="cat_bar"><h3 class="catbg"><span id="author">Author</span> Topic: {TITLE} (Read 1843 times)</h3></div><form>{blocks}</form></div>'
    )


def fluxbb(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<div class="quotebox"><cite>{post.quoted[0]} wrote:</cite><blockquote><div><p>{post.quoted[1]}</p></div></blockquote></div>'
            if post.quoted
            else ""
        )
        blocks += f"""
        <div id="p{post.number}" class="blockpost row{"even" if place % 2 else "odd"}{" firstpost" if not place else ""}"><h2><span><span class="conr">#{place + 1}</span> <a href="viewtopic.php?pid={post.number}#p{post.number}">{post.when:%Y-%m-%d %H:%M:%S}</a></span></h2>
        <div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong><a href="profile.php?id={_slug(post.author)}">{escape(post.author)}</a></strong></dt><dd class="usertitle"><strong>Member</strong></dd><dd><span>Registered: 2012-05-0{len(post.author) % 9 + 1}</span></dd><dd><span>Posts: {len(post.author) * 5}</span></dd></dl></div>
          <div class="postright"><h3>{"Re: " if place else ""}{TITLE}</h3><div class="postmsg">{quote}<p>{escape(post.text)}</p>{'<p class="postedit"><em>Last edited by ann (2024-03-29 01:00:00)</em></p>' if place % 3 == 2 else ""}</div><div class="postsignature postmsg"><hr><p>Tea, tea, tea</p></div></div></div></div>
          <div class="inbox"><div class="postfoot clearb"><div class="postfootleft"><p><span>Offline</span></p></div></div></div></div></div>"""
    crumbs = "".join(f'<li><span>»&#160;</span><a href="{url}">{name}</a></li>' for name, url in BOARDS)
    return _page(
        f'<div class="linkst"><div class="inbox crumbsplus"><ul class="crumbs">{crumbs}<li><span>»&#160;</span><a href="/t?id=1"><strong>{TITLE}</strong></a></li></ul></div></div>{blocks}'
    )


def old_tables(posts: Sequence[Said]) -> str:
    """Rows without any class: one with the author and the time, one with the text, one with buttons."""
    rows = ""
    for post in posts:
        rows += f"""
        <tr><td bgcolor="#cccccc"><a name="{post.number}"></a><b><a href="profile.cgi?user={_slug(post.author)}">{escape(post.author)}</a></b><br><font size="1">Member # {len(post.author)}</font></td>
            <td bgcolor="#cccccc"><font size="1">posted {post.when:%B %d, %Y %I:%M %p}</font></td></tr>
        <tr><td colspan="2"><font size="2">{f"<blockquote><font size=1>quote:</font><hr>Originally posted by {post.quoted[0]}:<br>{post.quoted[1]}<hr></blockquote>" if post.quoted else ""}{escape(post.text)}</font></td></tr>
        <tr><td colspan="2" align="right"><a href="reply.cgi?n={post.number}">Reply</a> | <a href="report.cgi?n={post.number}">Report</a></td></tr>"""
    return _page(
        f'<font size="2"><a href="/">Kettle Talk</a> » <a href="/viewforum.php?f=7">Kitchen</a> » {TITLE}</font><h1>{TITLE}</h1><table border="0" width="95%"><tr><td>Author</td><td>Topic: {TITLE}</td></tr>{rows}</table>',
        lang="",
    )


def discourse(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<aside class="quote" data-username="{post.quoted[0]}" data-post="1"><div class="title"><div class="quote-controls"></div>{post.quoted[0]}:</div><blockquote><p>{post.quoted[1]}</p></blockquote></aside>'
            if post.quoted
            else ""
        )
        blocks += f"""
        <div id="post_{place + 1}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta">
          <span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel="nofollow" href="http://f.example/u/{_slug(post.author)}"><span itemprop="name">{escape(post.author)}</span></a></span>
          <link itemprop="mainEntityOfPage" href="/t/kettle/1"><span class="crawler-post-infos"><time itemprop="datePublished" datetime="{post.when:%Y-%m-%dT%H:%M:%S}Z" class="post-time">{post.when:%B %d, %Y, %I:%M%p}</time><meta itemprop="dateModified" content="2024-04-01T00:00:00Z"><span itemprop="position">{place + 1}</span></span></div>
          <div class="post" itemprop="text">{quote}<p>{escape(post.text)}</p></div>
          <div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter"><meta itemprop="userInteractionCount" content="0"><span class="post-likes">{place % 3} Likes</span></div></div>"""
    crumbs = "".join(
        f'<span itemprop="itemListElement" itemscope><a href="{url}" class="badge-wrapper bullet" itemprop="item"><span class="category-name" itemprop="name">{name}</span></a></span>'
        for name, url in BOARDS
    )
    return _page(
        f'<div id="main-outlet"><div id="topic-title"><h1><a href="/t?id=1">{TITLE}</a></h1><div class="topic-category" itemscope itemtype="http://schema.org/BreadcrumbList">{crumbs}</div></div><div itemscope itemtype="http://schema.org/DiscussionForumPosting">{blocks}</div>'
        '<div id="related-topics" class="more-topics__list"><h3>Related topics</h3><table><tr class="topic-list-item"><td><a href="/t/9">Old pots</a></td><td>3</td><td>May 5, 2021</td></tr><tr class="topic-list-item"><td><a href="/t/8">Pans</a></td><td>8</td><td>May 9, 2021</td></tr></table></div></div>',
        lang="en",
    )


def nodebb(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<p dir="auto">@{_slug(post.quoted[0])} said in <a href="/post/1">Kettles</a>:</p><blockquote><p>{post.quoted[1]}</p></blockquote>'
            if post.quoted
            else ""
        )
        stamp = f"{post.when:%Y-%m-%dT%H:%M:%S}.000Z"
        blocks += f"""
        <li component="post" class="posts-list-item{" topic-owner-post" if not place else ""}" data-index="{place}" data-pid="{post.number}" data-timestamp="{int(post.when.timestamp())}000" data-username="{escape(post.author)}">
          <a component="post/anchor" data-index="{place}" id="{place}"></a><div class="d-flex align-items-start gap-3"><div class="bg-body avatar-wrapper"><a href="/user/{_slug(post.author)}" aria-label="Profile: {escape(post.author)}"><span class="avatar">{escape(post.author[0].upper())}</span></a></div>
          <div class="post-container d-flex flex-grow-1 flex-column"><div class="post-header"><a class="fw-bold text-nowrap" href="/user/{_slug(post.author)}" data-username="{escape(post.author)}">{escape(post.author)}</a> <span class="text-muted">wrote on</span> <a href="/post/{post.number}" class="post-index timeago-link"><span class="timeago text-nowrap" title="{stamp}"></span></a>
            <span class="text-xs">last edited by <a href="/user/ann">ann</a> <span class="timeago" title="2024-04-01T00:00:00.000Z"></span></span> <a href="/post/{post.number}" class="post-index">#{place + 1}</a></div>
            <div class="content text-break" component="post/content" itemprop="text">{quote}<p dir="auto">{escape(post.text)}</p></div><div component="post/footer" class="post-footer"><a component="post/reply" href="#">Reply</a> <a component="post/quote" href="#">Quote</a> <span component="post/vote-count">{place % 3}</span></div></div></div></li>"""
    crumbs = "".join(
        f'<li itemscope itemprop="itemListElement" class="breadcrumb-item"><a href="{url}" itemprop="item"><span itemprop="name">{name}</span></a></li>'
        for name, url in BOARDS
    )
    return _page(
        f'<ol class="breadcrumb" itemscope itemtype="http://schema.org/BreadcrumbList">{crumbs}</ol><h1 component="post/header">{TITLE}</h1><ul component="topic" class="posts timeline list-unstyled">{blocks}</ul>'
    )


def xenforo(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<blockquote data-attributes="member: 4" data-quote="{post.quoted[0]}" class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title"><a href="/goto/post?id=1" class="bbCodeBlock-sourceJump">{post.quoted[0]} said:</a></div><div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">{post.quoted[1]}</div></div></blockquote>'
            if post.quoted
            else ""
        )
        blocks += f"""
        <article class="message message--post" data-author="{escape(post.author)}" data-content="post-{post.number}" id="js-post-{post.number}"><span class="u-anchorTarget" id="post-{post.number}"></span><div class="message-inner">
          <div class="message-cell message-cell--user"><section class="message-user"><div class="message-avatar"><a href="/members/{_slug(post.author)}.3/" class="avatar"><img src="/a.png" alt="{escape(post.author)}"></a></div><div class="message-userDetails"><h4 class="message-name"><a href="/members/{_slug(post.author)}.3/" class="username">{escape(post.author)}</a></h4><h5 class="userTitle message-userTitle">Well-known member</h5></div>
            <div class="message-userExtras"><dl class="pairs"><dt>Joined</dt><dd>Feb {len(post.author) + 2}, 2015</dd></dl><dl class="pairs"><dt>Messages</dt><dd>{len(post.author) * 100}</dd></dl></div></section></div>
          <div class="message-cell message-cell--main"><div class="message-main"><header class="message-attribution"><ul class="message-attribution-main listInline"><li class="u-concealed"><a href="/threads/kettle.1/post-{post.number}" rel="nofollow"><time class="u-dt" datetime="{post.when:%Y-%m-%dT%H:%M:%S}+0000" data-time="{int(post.when.timestamp())}" title="{post.when:%b %d, %Y at %I:%M %p}">{post.when:%b %d, %Y}</time></a></li></ul><ul class="message-attribution-opposite"><li><a href="/threads/kettle.1/post-{post.number}" rel="nofollow">#{place + 1}</a></li></ul></header>
            <div class="message-content"><div class="message-userContent lbContainer"><article class="message-body"><div class="bbWrapper">{quote}{escape(post.text)}</div></article></div>{'<div class="message-lastEdit">Last edited: <time class="u-dt" datetime="2024-04-02T10:00:00+0000">Apr 2, 2024</time></div>' if place % 3 == 1 else ""}</div>
            <footer class="message-footer"><div class="message-actionBar"><a href="/posts/{post.number}/reply" class="actionBar-action">Reply</a></div></footer><aside class="message-signature"><div class="bbWrapper">Tea and {escape(post.author)}</div></aside></div></div></div></article>"""
    crumbs = "".join(
        f'<li itemprop="itemListElement"><a href="{url}" itemprop="item"><span itemprop="name">{name}</span></a></li>'
        for name, url in BOARDS
    )
    return _page(
        f'<ul class="p-breadcrumbs">{crumbs}</ul><h1 class="p-title-value">{TITLE}</h1><div class="p-description"><a href="/members/ann.3/" class="username">ann</a> <a href="/threads/kettle.1/"><time class="u-dt" datetime="2024-03-02T09:30:00+0000">Mar 2, 2024</time></a></div><div class="block-body js-replyNewMessageContainer">{blocks}</div>'
        '<div class="block" data-widget-key="similar"><h3>Similar threads</h3><div class="structItem"><a href="/threads/9/">Old pots</a> <a class="username" href="/members/kim.9/">Kim</a> <time class="u-dt" datetime="2020-01-01T00:00:00+0000">Jan 1, 2020</time></div><div class="structItem"><a href="/threads/8/">Pans</a> <a class="username" href="/members/lee.8/">Lee</a> <time class="u-dt" datetime="2020-02-01T00:00:00+0000">Feb 1, 2020</time></div></div>'
    )


def flarum(posts: Sequence[Said]) -> str:
    blocks = ""
    for place, post in enumerate(posts):
        quote = (
            f'<blockquote class="uncited"><div><a href="/d/1/1" class="PostMention" data-id="1">{post.quoted[0]}</a> {post.quoted[1]}</div></blockquote>'
            if post.quoted
            else ""
        )
        blocks += f"""
        <div class="PostStream-item" data-index="{place}" data-time="{post.when:%Y-%m-%dT%H:%M:%S}.000Z" data-number="{place + 1}" data-id="{post.number}"><article class="CommentPost Post"><div>
          <header class="Post-header"><ul><li class="item-user"><div class="PostUser"><h3 class="PostUser-name"><a href="/u/{_slug(post.author)}"><span class="Avatar PostUser-avatar">{escape(post.author[0].upper())}</span><span class="username">{escape(post.author)}</span></a></h3></div></li>
          <li class="item-meta"><div class="Dropdown PostMeta"><a class="Dropdown-toggle"><time pubdate datetime="{post.when:%Y-%m-%dT%H:%M:%S}+00:00" title="{post.when:%A, %B %d, %Y %I:%M %p}" data-humantime>{post.when:%b %d, %Y}</time></a></div></li></ul></header>
          <div class="Post-body">{quote}<p>{escape(post.text)}</p></div><aside class="Post-actions"><ul><li class="item-reply"><button>Reply</button></li></ul></aside></div></article></div>"""
    return _page(
        f'<header class="Hero DiscussionHero"><ul class="DiscussionHero-items"><li class="item-tags"><span class="TagsLabel"><a class="TagLabel" href="/t/kitchen">Kitchen</a></span></li><li class="item-title"><h1 class="DiscussionHero-title">{TITLE}</h1></li></ul></header><div class="PostStream">{blocks}</div>'
    )


def tree_of_replies(posts: Sequence[Said]) -> str:
    """Each reply lies in what it replies to, two by two."""

    def comment(place: int) -> str:
        post = posts[place]
        inner = "".join(comment(below) for below in (2 * place + 1, 2 * place + 2) if below < len(posts))
        return f"""<div class="thing comment" id="thing_{post.number}"><div class="midcol"><div class="arrow up"></div></div><div class="entry"><p class="tagline"><a href="javascript:void(0)" class="expand">[-]</a><a href="/user/{_slug(post.author)}" class="author">{escape(post.author)}</a> <span class="score">{place % 5} points</span> <time title="{post.when:%a %b %d %H:%M:%S %Y} UTC" datetime="{post.when:%Y-%m-%dT%H:%M:%S}+00:00">2 years ago</time></p>
        <form class="usertext"></form><div class="usertext-body"><div class="md">{f"<blockquote><p>{post.quoted[1]}</p></blockquote>" if post.quoted else ""}<p>{escape(post.text)}</p></div></div><ul class="flat-list buttons"><li><a href="/r/k/comments/1/x/{post.number}/" class="bylink">permalink</a></li><li><a href="#">reply</a></li></ul></div><div class="child"><div class="sitetable listing">{inner}</div></div></div>"""

    return _page(
        f'<div class="content"><h1>{TITLE}</h1><div class="commentarea"><div class="sitetable nestedlisting">{comment(0)}</div></div></div>',
        lang="en",
    )


def hacker_news(posts: Sequence[Said]) -> str:
    rows = ""
    for place, post in enumerate(posts):
        rows += f"""<tr class="athing comtr" id="{post.number}"><td><table border="0"><tr><td class="ind" indent="{place % 3}"><img src="s.gif" height="1" width="{40 * (place % 3)}"></td><td valign="top" class="votelinks"><a id="up_{post.number}" href="vote?id={post.number}"><div class="votearrow" title="upvote"></div></a></td>
        <td class="default"><div style="margin-top:2px"><span class="comhead"><a href="user?id={_slug(post.author)}" class="hnuser">{escape(post.author)}</a> <span class="age" title="{post.when:%Y-%m-%dT%H:%M:%S} {int(post.when.timestamp())}"><a href="item?id={post.number}">on {post.when:%b %d, %Y}</a></span> <span id="unv_{post.number}"></span> <span class="navs">| <a href="#{post.number - 1}" class="clicky">prev</a> | <a href="#{post.number + 1}" class="clicky">next</a></span></span></div><br>
        <div class="comment"><div class="commtext c00">{escape(post.text)}</div><div class="reply"><p><font size="1"><u><a href="reply?id={post.number}">reply</a></u></font></p></div></div></td></tr></table></td></tr>"""
    return _page(
        f'<table class="fatitem"><tr class="athing"><td class="title"><span class="titleline"><a href="http://other.example/">{TITLE}</a></span></td></tr></table><table class="comment-tree">{rows}</table>',
        lang="en",
    )


def questions(posts: Sequence[Said]) -> str:
    """A question, its answers, and the one who edited some of them."""

    def one(place: int, post: Said) -> str:
        kind = "answer" if place else "question"
        edit = (
            '<div class="post-signature"><div class="user-info"><div class="user-action-time">edited <span title="2024-04-05 10:00:00Z" class="relativetime">Apr 5, 2024 at 10:00</span></div><div class="user-details"><a href="/users/1/ann">ann</a></div></div></div>'
            if place % 2
            else ""
        )
        return f"""<div class="{kind} js-{kind}" id="{kind}-{post.number}" data-{kind}id="{post.number}"><div class="post-layout"><div class="votecell post-layout--left"><div class="js-vote-count">{place % 4}</div></div>
        <div class="postcell post-layout--right"><div class="s-prose js-post-body" itemprop="text"><p>{escape(post.text)}</p></div><div class="mt24"><div class="d-flex"><div class="js-post-menu"><a href="/a/{post.number}" class="js-share-link">Share</a></div>{edit}
        <div class="post-signature owner"><div class="user-info"><div class="user-action-time">{"answered" if place else "asked"} <span title="{post.when:%Y-%m-%d %H:%M:%S}Z" class="relativetime">{post.when:%b %d, %Y at %H:%M}</span></div><div class="user-details" itemprop="author"><a href="/users/{len(post.author)}/{_slug(post.author)}">{escape(post.author)}</a><div class="-flair"><span class="reputation-score">{len(post.author) * 7}</span></div></div></div></div></div></div></div></div></div>"""

    answers = "".join(one(place, post) for place, post in enumerate(posts) if place)
    return _page(
        f'<div id="content"><div id="question-header"><h1><a href="/t?id=1" class="question-hyperlink">{TITLE}</a></h1></div><div id="mainbar">{one(0, posts[0])}<div id="answers"><h2>{len(posts) - 1} Answers</h2>{answers}</div></div><div id="sidebar"><ul><li><a href="/q/1">Old pots</a> 3</li></ul></div></div>',
        lang="en",
    )


def mail_archive(posts: Sequence[Said]) -> str:
    """A thread of a mailing list on one page."""
    blocks = ""
    for post in posts:
        quote = (
            f"On Fri, Mar 1, 2024 at 9:00 AM {post.quoted[0]} &lt;a@example.org&gt; wrote:\n&gt; {escape(post.quoted[1])}\n\n"
            if post.quoted
            else ""
        )
        blocks += f"""<div class="even"><div class="email"><div id="M{post.number}" class="email-header"><div class="gravatar-wrapper"><img alt="" src="g.png"></div><div class="email-author"><h2 class="name"><a href="/users/{post.number % 7}{len(post.author)}/">{escape(post.author)}</a></h2></div>
        <div class="email-date"><div class="time"><span title="Sender's time: {post.when:%B %d, %Y, %I:%M p.m.}">{post.when:%a, %d %b %Y}</span><br><span>{post.when:%H:%M}</span></div></div></div>
        <div class="email-body"><pre>{quote}{escape(post.text)}\n\n-- \nsent by mail</pre></div><div class="email-info"><a href="/message/{post.number}/#{post.number}">Reply</a></div></div></div>"""
    return _page(f'<h1>{TITLE}</h1><div class="replies">{blocks}</div>')


STYLES: dict[str, Callable[[Sequence[Said]], str]] = {
    style.__name__: style
    for style in (
        phpbb, mybb, vbulletin, smf, fluxbb, old_tables, discourse, nodebb, xenforo, flarum, tree_of_replies, hacker_news,
        questions,
    )
}  # fmt: skip
