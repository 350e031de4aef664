"""What people call the parts of a post and of a forum page, in classes, ids and properties: groups of words.

Names only weigh in where structure leaves a choice. They are cut into words at marks and at capital letters.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from dowse.extract.posts.page_spots import Spot

_WORDS = regex.compile(r"[a-z]+|[A-Z][a-z]*")

POST = frozenset(
    {
        "post", "posts", "postbit", "postcontainer", "blockpost", "message", "msg", "comment", "reply", "answer",
        "question", "entry", "email", "mail", "posting", "topicpost", "postwrapper", "comtr",
        "discussionforumposting",
    }
)  # fmt: skip
AUTHOR = frozenset(
    {
        "author", "user", "username", "usernames", "nick", "nickname", "poster", "member", "profile", "person",
        "creator", "hnuser", "postauthor", "postername", "bigusername", "byline", "mention", "from", "sender",
        "displayname", "fullname",
    }
)  # fmt: skip
BODY = frozenset(
    {
        "content", "body", "message", "text", "msg", "postbody", "cooked", "markdown", "prose", "articlebody",
        "posttext", "postcontent", "commtext", "postmsg", "html", "misago", "md", "messagetext", "inner",
    }
)  # fmt: skip
NOT_BODY = frozenset(
    {
        "profile", "postprofile", "user", "author", "avatar", "signature", "sig", "signatures", "meta", "footer",
        "header", "head", "foot", "info", "details", "tools", "actions", "controls", "buttons", "button", "toolbar",
        "likes", "edited", "rank", "stats", "menu", "options", "userinfo", "userdetails", "poster", "member",
        "tagline", "statistics", "panel", "votes", "vote", "side", "left", "keyinfo", "badges", "reactions",
        "quickreply",
    }
)  # fmt: skip
SIGNATURE = frozenset(
    {"signature", "sig", "postsig", "postsignature", "signatur", "usersignature", "signaturecontainer"}
)
EDIT_NOTE = frozenset({"edited", "lastedit", "editnote", "postedit", "modified", "editedby", "lastedited", "editby"})
QUOTE = frozenset(
    {
        "quote", "quotes", "quoted", "bbquote", "quotebox", "quotecontent", "blockquote", "quotemain", "bquote",
        "citation", "quotedtext", "quotecontainer",
    }
)  # fmt: skip
APART = frozenset(
    {
        "sidebar", "widget", "recent", "latest", "similar", "related", "footer", "stats", "statistics", "online",
        "whosonline", "breadcrumb", "breadcrumbs", "pagination", "pager", "birthdays", "copyright", "suggested",
    }
)  # fmt: skip
CONTROL = frozenset(
    {"buttons", "button", "btn", "controls", "actions", "action", "menu", "tools", "options", "find", "toolbar"}
)
_USER_HREF = regex.compile(
    r"(?:^|[/?&._=-])(?:users?|members?|memberlist|profiles?|people|author|u|uid|accounts?|viewprofile|showuser|~\w+|@\w+)"
    r"(?:$|[/?&.=;_-])|[/?&;]u=\d|mailto:|/[@~]\w",
    regex.IGNORECASE,
)
_DIGITS = regex.compile(r"\d+")  # ids of posts are as many as posts, and their words are few
_RELS = ("itemprop", "rel", "data-role", "id")


@lru_cache(maxsize=8_192)
def words_of(names: str) -> frozenset[str]:
    """The words that names are made of, and the names without marks."""
    parts = names.split()
    whole = (regex.sub(r"[^a-z]", "", part.lower()) for part in parts)
    return frozenset(
        [word.lower() for part in parts for word in _WORDS.findall(part)] + [name for name in whole if name]
    )


def named(spot: Spot) -> frozenset[str]:
    """The words of an element's class, property and so on."""
    words = spot.words
    if words is None:
        words = spot.words = _words(spot)
    return words


def _words(spot: Spot) -> frozenset[str]:
    names = spot.classes
    element = spot.element
    if element.attrs:
        for name in _RELS:
            if value := element.attr(name):
                names += f" {_DIGITS.sub('', value)}"
        if kind := element.attr("itemtype"):
            names += f" {kind.rpartition('/')[2]}"
    return words_of(names) if names else frozenset()


def is_post_name(spot: Spot) -> bool:
    return spot.tag == "article" or not POST.isdisjoint(named(spot))


def is_apart(spot: Spot) -> bool:
    """Whether a part of a page is about other things than its thread."""
    if spot.tag in ("aside", "footer") and not any(map(is_post_name, spot.above())):
        return True
    return bool(spot.classes or spot.element.attrs) and not APART.isdisjoint(named(spot)) and not is_post_name(spot)


def is_beside(spot: Spot, known: dict[int, bool]) -> bool:
    """Whether it stands in a side bar, a footer or a box about other threads. `known` has what was said of others."""
    unknown: list[Spot] = []
    around = spot.parent
    while around is not None and around.index not in known:
        unknown.append(around)
        around = around.parent
    inside = around is not None and known[around.index]
    for each in reversed(unknown):
        inside = known[each.index] = inside or each.tag == "blockquote" or is_apart(each)
    return inside


def may_name_author(spot: Spot) -> bool:
    """Whether an element says by its names that it holds one."""
    if not spot.is_line or not 0 < spot.length <= 60:
        return False
    if spot.tag == "a" and is_profile(spot.attr("href")):
        return True
    return not AUTHOR.isdisjoint(named(spot))


def is_profile(href: str) -> bool:
    """Whether an address looks like that of a person."""
    return bool(href) and _USER_HREF.search(href) is not None
