"""Asking a person whether pages are on topic: `dowse label`, and `dowse focus --ask` when the crawl has ended."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from dowse.cli.terminal import say
from dowse.core.phrasing import counted, printable, shortened

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_ASKED = 10
LETTERS = {
    "y": "y", "yes": "y",
    "n": "n", "no": "n",
    "s": "s", "skip": "s",
    "q": "q", "quit": "q", "enough": "q",
}  # fmt: skip
"""What may be typed, and the letter that it stands for."""

PROMPT = "     y/n/s/q: "
NO_ANSWER = "     please answer y, n, s or q"
HOW = "is it on topic? y: yes, n: no, s: skip, q: enough"
WIDTH = 71
UNLIKELY = 0.05
"""Below this relevance a page is named only if there is no other."""


def ask_about(crawl: Crawl, most: int = MOST_ASKED, skipped: Collection[str] = ()) -> None:
    """Ask about the pages the crawl is least sure of, one after the other; each answer counts before the next is asked.

    Where nobody can answer, the pages are named, and how to label them.
    """
    if sys.stdin is None or not sys.stdin.isatty():  # None where somebody closed it
        _name_unsure(crawl, most)
        return
    left_out, before = {*skipped}, crawl.standing().prospect.matched
    for number in range(1, most + 1):
        unsure = [row for row in crawl.unsure(1 + len(left_out)) if row[0] not in left_out]
        if not unsure:
            break
        if number == 1:
            say(HOW)
        url, title, relevance = unsure[0]
        say(question_text(number, url, title, relevance, crawl.lines_about(url, WIDTH)))
        answer = _answer()
        if answer == "q":
            break
        if answer == "s":
            left_out.add(url)
        else:
            crawl.label(url, answer == "y")
    tell_matched(crawl, before)


def _answer() -> str:
    """The letter of what was typed; it is asked for until it is one.

    Who types no more (Ctrl-D) has had enough, as while a crawl runs. A prompt of click's would end the command as an
    interrupt does, with its exit status.
    """
    while True:
        try:
            letter = letter_of(input(PROMPT))
        except EOFError:
            say("")
            return "q"
        except UnicodeDecodeError:  # a key of another encoding than that of the terminal
            letter = None
        if letter is not None:
            return letter
        say(NO_ANSWER)


def letter_of(typed: str) -> str | None:
    """The letter of an answer; None if it is none.

    >>> letter_of("y"), letter_of(" No\\n"), letter_of("maybe"), letter_of("")
    ('y', 'n', None, None)
    """
    return LETTERS.get(typed.strip().lower())


def question_text(number: int, url: str, title: str, relevance: float, lines: Sequence[str] = ()) -> str:
    """A page that is asked about, with lines of its text."""
    told = [f"{number:>3}. {shortened(printable(title or url), WIDTH)}", f"     {url}  ({relevance:.2f})"]
    return "\n".join([*told, *(f"     {printable(line)}" for line in lines)])


def tell_matched(crawl: Crawl, before: int) -> None:
    """How many pages match by now, and how many did."""
    found = crawl.standing().prospect.matched
    say(f"{counted(found, 'page')} on topic now, {before:,} before; see {crawl.directory / 'urls.txt'}")


def _name_unsure(crawl: Crawl, most: int) -> None:
    unsure = crawl.unsure(most)
    if not unsure:
        say("no page is left to ask about")
        return
    likely = [row for row in unsure if row[2] >= UNLIKELY] or unsure
    say("least sure of these, the likeliest first:")
    for url, _title, relevance in sorted(likely, key=lambda row: -row[2]):
        say(f"  {relevance:.2f}  {url}")
    say(f"say what they are: dowse label {shlex.quote(str(crawl.directory))} --yes URL --no URL")
