"""The content as mails: one list for every board that has threads, one mail for every post."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha1
from random import Random

from benchmarks.forum_software.content import Content, Post, Thread
from benchmarks.forum_software.markup import mail


def list_name(content: Content, board: int) -> str:
    """The name of a list: what of the board's name is ASCII, and its number."""
    name = re.sub(r"[^a-z]+", "-", content.boards[board].name.lower()).strip("-")
    return f"{name or 'list'}-{board}"


def lists(content: Content) -> dict[str, list[Thread]]:
    """The threads of every list; those whose board has none are empty."""
    found: dict[str, list[Thread]] = {
        list_name(content, number): [] for number, board in enumerate(content.boards) if board.parent is not None
    }
    for thread in content.threads:
        found[list_name(content, thread.board)].append(thread)
    return found


def identifier(thread: Thread, place: int) -> str:
    """The id of a mail; it tells the thread too, where software has addresses made of it."""
    return f"{sha1(thread.title.encode()).hexdigest()[:20]}-{place}@lists.example.org"


def message(thread: Thread, place: int, post: Post) -> EmailMessage:
    """A post as a mail; it answers the first mail or the one before."""
    made = EmailMessage()
    made["From"] = f"{post.author} <{post.author.lower()}@example.org>"
    made["To"] = "list@lists.example.org"
    made["Subject"] = "Re: " * bool(place) + thread.title
    made["Date"] = format_datetime(post.time)
    made["Message-ID"] = f"<{identifier(thread, place)}>"
    if place:
        before = Random(place).choice([0, place - 1])
        made["In-Reply-To"] = f"<{identifier(thread, before)}>"
        made["References"] = f"<{identifier(thread, 0)}>" + f" <{identifier(thread, before)}>" * bool(before)
    made.set_content(mail(post) + "\n", cte="8bit")
    return made
