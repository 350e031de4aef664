"""A post in the markup that a forum takes: BBCode, Markdown, HTML, plain text of a mail."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from benchmarks.forum_software.content import Part, Post


def bbcode(post: Post) -> str:
    return _joined(post, _BBCODE)


def markdown(post: Post) -> str:
    return _joined(post, _MARKDOWN)


def html(post: Post) -> str:
    return _joined(post, _HTML)


def mail(post: Post) -> str:
    return _joined(post, _MAIL)


def _joined(post: Post, forms: dict[str, Callable[[Part], str]]) -> str:
    return "\n\n".join(forms[part.kind](part) for part in post.parts)


def _each_line(prefix: str, text: str) -> str:
    return "\n".join(prefix + line for line in text.split("\n"))


_BBCODE = {
    "text": lambda part: part.text,
    "quote": lambda part: f'[quote="{part.author}"]{part.text}[/quote]',
    "code": lambda part: f"[code]{part.text}[/code]",
    "link": lambda part: f"[url={part.href}]{part.text}[/url]",
}
_MARKDOWN = {
    "text": lambda part: part.text,
    "quote": lambda part: _each_line("> ", part.text),
    "code": lambda part: _each_line("    ", part.text),
    "link": lambda part: f"[{part.text}]({part.href})",
}
_HTML = {
    "text": lambda part: f"<p>{escape(part.text)}</p>",
    "quote": lambda part: f"<blockquote><p>{escape(part.text)}</p></blockquote>",
    "code": lambda part: f"<pre><code>{escape(part.text)}</code></pre>",
    "link": lambda part: f'<p><a href="{part.href}">{escape(part.text)}</a></p>',
}
_MAIL = {
    "text": lambda part: part.text,
    "quote": lambda part: f"{part.author} wrote:\n{_each_line('> ', part.text)}",
    "code": lambda part: part.text,
    "link": lambda part: f"{part.text} {part.href}",
}
