"""A page of a thread each as three boards of twenty years ago write it, with what its posts say.

phpBB 2 (subSilver)   twelve-hour clock; the profile and the time are spans of one class
SMF 2.0               "Reply #1 on:", a day by its name, an edit, joining dates with the hour
vBulletin 3           in German; the time is a text behind a picture, the profile is a table in a cell
"""

# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Wanted(NamedTuple):
    """What is to be read of a post. `shown` is its time as the board writes it."""

    author: str
    time: str
    shown: str
    joined: str
    text: str


def phpbb2(posts: Sequence[Wanted]) -> str:
    rows = ""
    for place, post in enumerate(posts):
        number, user = 4711 + place, sum(map(ord, post.author))
        rows += f"""
	<tr>
		<td width="150" align="left" valign="top" class="row{place % 2 + 1}"><span class="name"><a name="{number}"></a><b>{post.author}</b></span><br /><span class="postdetails">Site Admin<br /><img src="images/avatars/{user}.jpg" alt="" border="0" /><br /><br />Joined: {post.joined}<br />Posts: {user}<br />Location: Leeds</span><br /></td>
		<td class="row{place % 2 + 1}" width="100%" height="28" valign="top"><table width="100%" border="0" cellspacing="0" cellpadding="0">
			<tr>
				<td width="100%"><a href="viewtopic.php?p={number}#{number}"><img src="templates/subSilver/images/icon_minipost.gif" width="12" height="9" alt="Post" title="Post" border="0" /></a><span class="postdetails">Posted: {post.shown}<span class="gen">&nbsp;</span>&nbsp; &nbsp;Post subject: {"Re: " if place else ""}Sanding an oak floor</span></td>
				<td valign="top" nowrap="nowrap"><a href="posting.php?mode=quote&amp;p={number}"><img src="templates/subSilver/images/lang_english/icon_quote.gif" alt="Reply with quote" title="Reply with quote" border="0" /></a>  </td>
			</tr>
			<tr>
				<td colspan="2"><hr /></td>
			</tr>
			<tr>
				<td colspan="2"><span class="postbody">{post.text}</span><span class="gensmall"></span></td>
			</tr>
		</table></td>
	</tr>
	<tr>
		<td class="row{place % 2 + 1}" width="150" align="left" valign="middle"><span class="nav"><a href="#top" class="nav">Back to top</a></span></td>
		<td class="row{place % 2 + 1}" width="100%" height="28" valign="bottom" nowrap="nowrap"><table cellspacing="0" cellpadding="0" border="0" height="18" width="18">
			<tr>
				<td valign="middle" nowrap="nowrap"><a href="profile.php?mode=viewprofile&amp;u={user}"><img src="templates/subSilver/images/lang_english/icon_profile.gif" alt="View user's profile" title="View user's profile" border="0" /></a> <a href="privmsg.php?mode=post&amp;u={user}"><img src="templates/subSilver/images/lang_english/icon_pm.gif" alt="Send private message" border="0" /></a></td>
			</tr>
		</table></td>
	</tr>
	<tr>
		<td class="spaceRow" colspan="2" height="1"><img src="templates/subSilver/images/spacer.gif" alt="" width="1" height="1" /></td>
	</tr>"""
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html dir="ltr"><head><title>Floors :: View topic - Sanding an oak floor</title></head><body bgcolor="#E5E5E5">
<table width="100%" cellspacing="0" cellpadding="10" border="0" align="center"><tr><td class="bodyline">
<table width="100%" cellspacing="2" cellpadding="2" border="0"><tr><td align="left" valign="bottom" colspan="2"><a class="maintitle" href="viewtopic.php?t=88&amp;start=0&amp;postdays=0&amp;postorder=asc&amp;highlight=">Sanding an oak floor</a><br /><span class="gensmall"><b></b><br />&nbsp; </span></td></tr></table>
<table width="100%" cellspacing="2" cellpadding="2" border="0"><tr><td align="left" valign="middle" width="100%"><span class="nav">&nbsp;&nbsp;&nbsp;<a href="index.php" class="nav">Floors Forum Index</a> -> <a href="viewforum.php?f=2" class="nav">Wood</a></span></td></tr></table>
<table class="forumline" width="100%" cellspacing="1" cellpadding="3" border="0">
	<tr align="right"><td class="catHead" colspan="2" height="28"><span class="nav"><a href="viewtopic.php?t=88&amp;view=previous" class="nav">View previous topic</a> :: <a href="viewtopic.php?t=88&amp;view=next" class="nav">View next topic</a> &nbsp;</span></td></tr>
	<tr><th class="thLeft" width="150" height="26" nowrap="nowrap">Author</th><th class="thRight" nowrap="nowrap">Message</th></tr>{rows}
	<tr align="center"><td class="catBottom" colspan="2" height="28"><form method="post" action="viewtopic.php?t=88"><span class="gensmall">Display posts from previous: <select name="postdays"><option value="0">All Posts</option><option value="1">1 Day</option></select></span></form></td></tr>
</table>
<table width="100%"><tr><td align="right"><span class="gensmall">All times are GMT</span></td></tr></table>
<div align="center"><span class="copyright">Powered by phpBB &copy; 2001, 2005 phpBB Group</span></div></td></tr></table></body></html>"""


def smf2(posts: Sequence[Wanted]) -> str:
    rows = ""
    for place, post in enumerate(posts):
        number, user = 901 + place, sum(map(ord, post.author))
        edit = "&#171; <em>Last Edit: March 29, 2025, 01:00:00 AM by Ola</em> &#187;" if place == 0 else ""
        rows += f"""
				<div class="windowbg{place % 2 + 1}">
					<span class="topslice"><span></span></span>
					<div class="post_wrapper">
						<div class="poster">
							<h4><img src="Themes/default/images/useroff.gif" alt="Offline" /> <a href="index.php?action=profile;u={user}" title="View the profile of {post.author}">{post.author}</a></h4>
							<ul class="reset smalltext" id="msg_{number}_extra_info">
								<li class="postgroup">Jr. Member</li><li class="stars"><img src="star.gif" alt="*" /><img src="star.gif" alt="*" /></li>
								<li class="postcount">Posts: {user}</li>
								<li class="registered">Date Registered: {post.joined}</li>
							</ul>
						</div>
						<div class="postarea">
							<div class="flow_hidden">
								<div class="keyinfo">
									<div class="messageicon"><img src="Themes/default/images/post/xx.gif" alt="" /></div>
									<h5 id="subject_{number}"><a href="index.php?topic=31.msg{number}#msg{number}" rel="nofollow">{"Re: " if place else ""}Grinding a lens</a></h5>
									<div class="smalltext">&#171; <strong>{f"Reply #{place} on:" if place else " on:"}</strong> {post.shown} &#187;</div>
									<div id="msg_{number}_quick_mod"></div>
								</div>
							</div>
							<div class="post"><div class="inner" id="msg_{number}">{post.text}</div></div>
						</div>
						<div class="moderatorbar">
							<div class="smalltext modified" id="modified_{number}">{edit}</div>
							<div class="smalltext reportlinks"><img src="Themes/default/images/ip.gif" alt="" /> Logged</div>
						</div>
					</div>
					<span class="botslice"><span></span></span>
				</div>
				<hr class="post_separator" />"""
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Grinding a lens</title></head><body>
<div id="wrapper" style="width: 90%"><div id="header"><div class="frame"><div id="upper_section"><ul class="reset"><li>March 15, 2025, 06:30:11 PM</li></ul><div class="news normaltext"><h2>News: </h2><p>SMF - Just Installed!</p></div></div></div></div>
<div id="content_section"><div class="frame"><div id="main_content_section"><div class="navigate_section"><ul><li><a href="index.php"><span>Glass</span></a> &#187;</li><li><a href="index.php?board=4.0"><span>Workshop</span></a> &#187;</li><li class="last"><a href="index.php?topic=31.0"><span>Grinding a lens</span></a></li></ul></div>
<div id="forumposts"><div class="cat_bar"><h3 class="catbg"><img src="normal_post.gif" align="bottom" alt="" /><span id="author">Author</span> Topic: Grinding a lens &nbsp;(Read 815 times)</h3></div>
<form action="index.php?action=quickmod2;topic=31.0" method="post" id="quickModForm">{rows}
</form></div></div></div></div><div id="footer_section"><span class="smalltext">SMF 2.0.19 | SMF &copy; 2021</span></div></div></body></html>"""


def vbulletin3(posts: Sequence[Wanted]) -> str:
    rows = ""
    for place, post in enumerate(posts):
        number, user = 5201 + place, sum(map(ord, post.author))
        rows += f"""
<table class="tborder" id="post{number}" cellpadding="6" cellspacing="0" border="0" width="100%" align="center">
<tr>
	<td class="thead"><div class="normal" style="float:right">&nbsp;#<a href="showpost.php?p={number}&amp;postcount={place + 1}" target="new" rel="nofollow" id="postcount{number}" name="{place + 1}"><strong>{place + 1}</strong></a> &nbsp;</div>
	<div class="normal"><!-- status icon and date --><a name="post{number}"><img class="inlineimg" src="images/statusicon/post_old.gif" alt="Alt" border="0" /></a> {post.shown} <!-- / status icon and date --></div></td>
</tr>
<tr><td class="alt2" style="padding:0px"><table cellpadding="0" cellspacing="6" border="0" width="100%"><tr>
	<td nowrap="nowrap"><div id="postmenu_{number}"><a class="bigusername" href="member.php?u={user}">{post.author}</a></div><div class="smallfont">Erfahrener Benutzer</div></td>
	<td width="100%">&nbsp;</td>
	<td valign="top" nowrap="nowrap"><div class="smallfont"><div>Registriert seit: {post.joined}</div><div>Ort: Kassel</div><div>Beiträge: {user}</div></div></td>
</tr></table></td></tr>
<tr><td class="alt1" id="td_post_{number}"><!-- message --><div id="post_message_{number}">{post.text}</div><!-- / message --></td></tr>
<tr><td class="alt1" align="right"><a href="newreply.php?do=newreply&amp;p={number}" rel="nofollow"><img src="images/buttons/quote.gif" alt="Mit Zitat antworten" border="0" /></a></td></tr>
</table>"""
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html dir="ltr" lang="de"><head><title>Kette springt - Radforum</title></head><body>
<table class="tborder" cellpadding="6" width="100%"><tr><td class="alt1" width="100%"><span class="navbar"><a href="index.php" accesskey="1">Radforum</a></span> <span class="navbar">&gt; <a href="forumdisplay.php?f=3">Werkstatt</a></span><div class="navbar" style="font-size:10pt"><strong>Kette springt</strong></div></td></tr></table>
<div id="posts">{rows}</div>
<div class="smallfont" align="center">Alle Zeitangaben in WEZ +1. Es ist jetzt <span class="time">18:30</span> Uhr.</div></body></html>"""
