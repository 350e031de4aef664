"""How every page of the sample site looks: the frame around its content and the one style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from dowse.demo.content import Consultation, Content

STYLE = """
:root { --ink: #1d2530; --line: #d8dde5; --blue: #12395f; --sky: #eef3f9; --gold: #c9962b; --soft: #5b6675 }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.6 system-ui, "Segoe UI", Roboto, sans-serif; color: var(--ink); background: #fff }
a { color: #0b5cad } a:hover { color: var(--gold) }
h1, h2, h3 { font-family: Georgia, "Times New Roman", serif; line-height: 1.25; margin: 1.4em 0 .4em }
h1 { font-size: 2rem; margin-top: .6em }
.wide { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem }
header { background: var(--blue); color: #fff; border-bottom: 4px solid var(--gold) }
header a { color: #fff; text-decoration: none }
.brand { display: flex; align-items: center; gap: .8rem; padding: 1rem 0 .4rem; font: 1.35rem Georgia, serif }
.brand small { display: block; font: .8rem system-ui, sans-serif; opacity: .8 }
nav.site { display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; padding: .3rem 0 .8rem; font-size: .95rem }
nav.site a[aria-current] { border-bottom: 2px solid var(--gold) }
.crumbs { font-size: .85rem; color: var(--soft); padding-top: 1rem }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 16rem; gap: 2.5rem; padding-bottom: 3rem }
@media (max-width: 48rem) { .columns { grid-template-columns: 1fr } }
aside { font-size: .92rem; background: var(--sky); padding: .2rem 1.2rem 1rem; align-self: start; margin-top: 1.6rem }
aside ul { padding-left: 1.1rem }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; padding: 0 }
.cards li { list-style: none; border: 1px solid var(--line); border-top: 3px solid var(--blue); padding: .8rem 1rem }
.cards p { margin: .3rem 0 0; font-size: .92rem; color: var(--soft) }
.entry { border-top: 1px solid var(--line); padding: .8rem 0 } .entry h3 { margin: 0; font-size: 1.1rem }
.entry p { margin: .2rem 0 0; color: var(--soft); font-size: .92rem }
.badge { font: 600 .72rem system-ui, sans-serif; padding: .15rem .5rem; border-radius: 1rem; vertical-align: middle }
.open { background: #dff2e3; color: #176b2c } .closed { background: #eceff3; color: #566070 }
dl { display: grid; grid-template-columns: 8rem 1fr; gap: .3rem 1rem; background: var(--sky); padding: 1rem 1.2rem }
dt { color: var(--soft) } dd { margin: 0 }
table { border-collapse: collapse; width: 100% } td { border: 1px solid var(--line); padding: .4rem }
.month td { height: 4.6rem; width: 14%; vertical-align: top; font-size: .8rem }
.pages { display: flex; gap: 1rem; padding: 1rem 0 }
input, select, button { font: inherit; padding: .4rem .7rem; border: 1px solid #9aa6b5; border-radius: 3px }
button { background: var(--blue); color: #fff; border-color: var(--blue) }
footer { background: #f4f6f9; border-top: 1px solid var(--line); font-size: .88rem; padding: 1.2rem 0 }
footer a { margin-right: 1.2rem }
""".strip()

CREST = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">'
    '<path d="M4 4h32v18c0 8-7 13-16 16C11 35 4 30 4 22z" fill="#c9962b"/>'
    '<path d="M4 26l9-11 6 7 5-5 12 11c-3 5-9 8-16 10C12 36 6 32 4 26z" fill="#12395f" stroke="#fff"/></svg>'
)

NAVIGATION = (
    ("/", "Home"),
    ("/topics/", "Topics"),
    ("/consultations/", "Consultations"),
    ("/news/", "News"),
    ("/calendar/", "Calendar"),
    ("/regions/", "Regions"),
    ("/search", "Search"),
    ("/contact.html", "Contact"),
)

FOOTER = (
    ("/about.html", "About"),
    ("/accessibility.html", "Accessibility"),
    ("/privacy.html", "Privacy"),
    ("/international-visitors.html", "International visitors"),
    ("/fr/bienvenue.html", "Français"),
    ("/news/feed.xml", "News feed"),
    ("/internal/", "Staff"),
)


@dataclass(frozen=True, slots=True)
class Document:
    """What the server answers for one path."""

    body: bytes
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""


def link(href: str, text: str) -> str:
    return f'<a href="{escape(href)}">{escape(text)}</a>'


def items(entries: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{entry}</li>\n" for entry in entries) + "</ul>"


def badge(consultation: Consultation) -> str:
    state = "Open" if consultation.is_open else "Closed"
    return f'<span class="badge {state.lower()}">{state}</span>'


def entry(consultation: Consultation, text: str) -> str:
    """A consultation as it stands in a list."""
    return (
        f'<div class="entry"><h3>{link(consultation.path, consultation.title)} {badge(consultation)}</h3>'
        f"<p>{escape(text)}</p></div>\n"
    )


def frame(
    content: Content, title: str, main: str, *, crumbs: Sequence[tuple[str, str]] = (), aside: str = ""
) -> Document:
    """A whole page. All addresses here begin with a slash, so that a copy of a page is a copy to the byte."""
    section = crumbs[0][0] if crumbs else "/"
    trail = " &rsaquo; ".join(link(href, text) for href, text in [("/", "Home"), *crumbs])
    navigation = "".join(link(href, text) for href, text in NAVIGATION)
    navigation = navigation.replace(f'href="{section}"', f'href="{section}" aria-current="page"', 1)
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} - {escape(content.name)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/rss+xml" title="News" href="/news/feed.xml">
<style>
{STYLE}
</style>
</head>
<body>
<header><div class="wide">
<div class="brand">{CREST}
<span><a href="/">{escape(content.name)}</a><small>{escape(content.motto)}</small></span></div>
<nav class="site">{navigation}</nav>
</div></header>
<div class="wide crumbs">{trail}</div>
<div class="wide columns">
<main>
<h1>{escape(title)}</h1>
{main}
</main>
<aside>{aside or _about(content)}</aside>
</div>
<footer><div class="wide">
<p>{"".join(link(href, text) for href, text in FOOTER)}</p>
<p>The {escape(content.government)} is invented, and so is every word on this sample site.</p>
</div></footer>
</body>
</html>
"""
    return Document(text.encode())


def _about(content: Content) -> str:
    newest = items(link(notice.path, notice.title) for notice in content.news[:3])
    return f"<h3>News</h3>{newest}<p>{link('/news/', 'All news')}</p>"
