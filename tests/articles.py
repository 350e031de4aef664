"""Pages of a site with a heavy template, and copies of them that differ in small things."""

from __future__ import annotations

from random import Random

WORDS = ["".join(Random(number).choices("bcdfghjklmnprstvwaeiou", k=6)) for number in range(900)]
MENU = "".join(f"<li><a href='/topic/{number}'>{WORDS[number]} {WORDS[number + 1]}</a></li>" for number in range(60))
FOOTER = "".join(f"<p>{' '.join(WORDS[number : number + 12])}.</p>" for number in range(100, 220, 12))


def text(number: int, words: int = 160) -> str:
    """What one article says, the same each time."""
    chance = Random(number)
    return "".join(f"<p>{' '.join(chance.choices(WORDS, k=20))}.</p>" for _ in range(words // 20))


def page(number: int, *hrefs: str, words: int = 160, head: str = "", more: str = "", bare: bool = False) -> str:
    """An article, with links behind it. `bare` leaves menu and footer away, as a print version does."""
    links = "".join(f"<p><a href='{href}'>{href.translate(NO_WORDS)}</a></p>" for href in hrefs)
    menu, footer = ("", "") if bare else (f"<ul>{MENU}</ul>", FOOTER)
    article = f"<h1>Article {number}</h1>{text(number, words)}"
    return f"<!doctype html><title>Article {number}</title>{head}<body>{menu}{article}{more}{links}{footer}</body>"


NO_WORDS = {ord(character): None for character in "abcdefghijklmnopqrstuvwxyz0123456789/?=&"}
"""So that the words of a link do not make pages different."""
