"""Asking a person whether pages are on topic: `dowse label`, and `dowse focus --ask` when the crawl has ended."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

from dowse.cli.terminal import say
from dowse.core.phrasing import counted, shortened

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_ASKED = 10
_WIDTH = 71
_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


def ask_about(crawl: Crawl) -> None:
    """Ask about the pages the crawl is least sure of, one after the other; each answer counts before the next is asked.

    Where nobody can answer, the pages are named, and how to label them.
    """
    if not sys.stdin.isatty():
        _name_unsure(crawl)
        return
    say("is it on topic? y: yes, n: no, s: skip, q: enough")
    skipped: set[str] = set()
    for number in range(1, MOST_ASKED + 1):
        unsure = [row for row in crawl.unsure(MOST_ASKED + len(skipped)) if row[0] not in skipped]
        if not unsure:
            break
        url, title, relevance = unsure[0]
        say(f"{number:>3}. {shortened(title or url, _WIDTH)}\n     {url}  ({relevance:.2f})")
        answer = click.prompt("     y/n/s/q", type=click.Choice(["y", "n", "s", "q"]), show_choices=False)
        if answer == "q":
            break
        if answer == "s":
            skipped.add(url)
        else:
            crawl.label(url, _ANSWERS[answer])
    tell_matched(crawl)


def tell_matched(crawl: Crawl) -> None:
    """How many pages match by now."""
    found = crawl.standing().prospect.matched
    say(f"{counted(found, 'page')} on topic now; see {crawl.directory / 'urls.txt'}")


def _name_unsure(crawl: Crawl) -> None:
    say("least sure of:")
    for url, _title, relevance in crawl.unsure(MOST_ASKED):
        say(f"  {relevance:.2f}  {url}")
    say(f"say what they are: dowse label {shlex.quote(str(crawl.directory))} --yes URL --no URL")
