"""The text of a post as plain lines, and what it quotes apart from it.

    <blockquote><cite>Ann wrote:</cite>Hello</blockquote>Hi!    ->  "Hi!", Quote("Hello", "Ann")
    On Tue, Mar 5, 2024 Ann wrote:\n> Hello\n\nHi!               ->  the same

Quotes within quotes belong to the quote. Signatures and notes of edits are left out; so is whatever the caller says.
"""

from __future__ import annotations

from collections.abc import Collection

import regex
from turbohtml import Element, Node, Text

from dowse.extract.posts.block_names import EDIT_NOTE, QUOTE, SIGNATURE, words_of
from dowse.extract.posts.forum_words import EDITED, QUOTE_LABEL, REPLY
from dowse.extract.posts.quoted_text import (
    DEEPEST,
    LONGEST_NAME,
    bare_name,
    flat,
    quoted_author,
    split_mail_quotes,
    without_saying,
)
from dowse.extract.posts.thread_records import Quote

LONGEST_TEXT = 200_000
_LONGEST_NOTE = 200

_UNSEEN = frozenset(
    {
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "button",
        "select",
        "textarea",
        "iframe",
        "input",
        "form",
        "head",
    }
)
_BLOCKS = frozenset(
    {
        *(
            "address",
            "article",
            "aside",
            "center",
            "dd",
            "details",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
        ),
        *(
            "footer",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "legend",
            "li",
            "main",
            "ol",
            "section",
            "summary",
        ),
        *("table", "tbody", "td", "th", "thead", "tr", "ul"),
    }
)
_SPACED = frozenset({"p", "blockquote", "pre", "ul", "ol", "table"})
_DASHES = regex.compile(r"-- ?|_{5,}|={10,}")


class PostText:
    """Collects the lines of a post."""

    __slots__ = ("_announced", "_left_out", "lines", "quotes")

    def __init__(self, left_out: Collection[Node] = ()) -> None:
        self.lines: list[str] = [""]
        self.quotes: list[Quote] = []
        self._announced = ""
        self._left_out = left_out

    def add(self, element: Element, depth: int = 0) -> None:
        """Recursion is bounded: the parser makes no tree deeper than 512."""
        for child in element:
            if type(child) is Text:
                if child not in self._left_out:
                    self._words(child.data)
            elif isinstance(child, Element):
                self._element(child, depth)

    def _element(self, child: Element, depth: int) -> None:
        tag = child.tag
        if tag in _UNSEEN or (self._left_out and child in self._left_out):
            return
        if tag == "br":
            self.lines.append("")
        elif tag == "cite" and depth:
            self.add(child, depth)
            self.lines.append("")
        elif tag == "img":
            self._picture(child)
        elif is_quote(child):
            self._quote(child, depth)
        elif _is_note(child):
            return
        elif tag == "pre":
            self.lines += ["", *child.text.strip("\n").split("\n"), ""]
        elif tag == "p" or tag in _BLOCKS:
            gap = [""] if tag not in _SPACED else ["", ""]
            self._end(gap)
            if tag == "li":
                self._words("- ")
            self.add(child, depth)
            self._end(gap)
        else:
            self.add(child, depth)

    def _end(self, gap: list[str]) -> None:
        self.lines += gap

    def _words(self, text: str) -> None:
        if text.isspace():
            if self.lines[-1]:
                self.lines[-1] += " "
        elif text:
            self.lines[-1] += _one_space(text)

    def _picture(self, picture: Element) -> None:
        """What stands for a smiley; other pictures say nothing."""
        said = picture.attr("alt") or ""
        names = words_of(f"{picture.attr('class') or ''} {picture.attr('src') or ''}"[:200])
        if (
            said
            and len(said) <= 20
            and not names.isdisjoint({"emoji", "smilie", "smilies", "smiley", "smileys", "emoticon"})
        ):
            self.lines[-1] += said

    def _quote(self, element: Element, depth: int) -> None:
        author = _stated_author(element)
        name = _leading_name(element) if not author else None
        if name is not None:
            author = bare_name(name.text)
        inner = PostText([*self._left_out, name] if name is not None else self._left_out)
        if depth < DEEPEST:
            inner.add(element, depth + 1)
        said = self._saying_before() if not author else ""
        text, first = without_saying(inner.text())
        author = author or first or said or self._announced
        self._announced = ""
        if text or inner.quotes:
            self.quotes.append(flat(Quote(text, author, tuple(inner.quotes))))
            self.lines += ["", ""]
        else:
            self._announced = author  # the head of a quote, which stands before it

    def _saying_before(self) -> str:
        """Who is quoted, where the line above the quote says so: that line belongs to the quote."""
        place = next((number for number in range(len(self.lines) - 1, -1, -1) if self.lines[number].strip()), None)
        author = quoted_author(self.lines[place]) if place is not None else None
        if place is None or author is None:
            return ""
        self.lines[place] = ""
        return author

    def text(self) -> str:
        """The lines, with at most one empty one between paragraphs."""
        kept: list[str] = []
        for written in self.lines:
            line = written.rstrip() if written.startswith("    ") else written.strip()
            if line or (kept and kept[-1]):
                kept.append(line)
        return "\n".join(kept).strip()[:LONGEST_TEXT]


def without_title(text: str, title: str) -> str:
    """A text without a first line that only says what it is about."""
    line, _, rest = text.partition("\n")
    bare = REPLY.sub("", line).strip()
    return rest.strip() if rest.strip() and len(bare) > 3 and bare == title else text


def write_post(elements: Collection[Element], left_out: Collection[Node]) -> tuple[str, tuple[Quote, ...]]:
    """The text of a post and what it quotes."""
    post = PostText(left_out)
    for element in elements:
        post.lines.append("")
        if element.tag == "pre":
            post.lines += element.text.split("\n")
        elif element.tag == "p":
            post.lines.append("")
            post.add(element)
        else:
            post.add(element)
    text = post.text()
    if not post.quotes or "\n>" in f"\n{text}":
        text, quotes = split_mail_quotes(text)
        post.quotes += quotes
    return _without_signature(text), tuple(post.quotes)


def _without_signature(text: str) -> str:
    """What stands below a line of two dashes, or of many underscores, is a signature."""
    lines = text.split("\n")
    for place in range(len(lines) - 1, 0, -1):
        if _DASHES.fullmatch(lines[place]) and len(lines) - place <= 12:
            return "\n".join(lines[:place]).strip()
    return text


def is_quote(element: Element) -> bool:
    """Whether an element is something quoted: by its tag, or by its name."""
    if element.tag == "blockquote":
        return True
    if element.tag not in ("div", "table", "td", "aside", "fieldset", "section"):
        return False
    classes = element.attr("class")
    if classes and not QUOTE.isdisjoint(words_of(classes)):
        return True
    first = next((child for child in element if isinstance(child, Element)), None)
    return first is not None and first.tag in ("div", "span", "b", "strong", "legend") and _is_label(first)


def _is_label(element: Element) -> bool:
    text = element.text
    return len(text) < 40 and QUOTE_LABEL.fullmatch(text) is not None


def _is_note(element: Element) -> bool:
    """Whether it is a signature, or says that the post was changed."""
    classes = f"{element.attr('class') or ''} {element.attr('id') or ''}"
    if len(classes) > 1 and not (SIGNATURE | EDIT_NOTE).isdisjoint(words_of(classes)):
        return True
    if element.tag in ("div", "p", "span", "em", "small", "i"):
        text = element.text
        return len(text) <= _LONGEST_NOTE and (found := EDITED.search(text)) is not None and _is_edit_note(text, found)
    return False


def _is_edit_note(text: str, found: regex.Match[str]) -> bool:
    """Such a note begins with that word, or nearly, and has a date or a time in it."""
    return found.start() <= 25 and regex.search(r"\d\s?[:./-]\s?\d|\d{4}|\bago\b", text) is not None


def _stated_author(element: Element) -> str:
    """Who is quoted, as attributes of the markup say."""
    for name in ("data-quote", "data-username", "data-author", "data-ipsquote-username", "data-ipsquote-contentauthor"):
        if said := element.attr(name):
            return said
    cite = element.select_one("cite")
    if cite is not None and cite.closest("blockquote") in (element, None):
        return quoted_author(" ".join(cite.text.split())) or ""
    return ""


def _leading_name(element: Element) -> Element | None:
    """The name that a quote begins with, where it has an element and a line of its own."""
    parts = [child for child in element if isinstance(child, Element) or not child.text.isspace()][:2]
    if len(parts) < 2 or not all(isinstance(part, Element) for part in parts):
        return None
    name, after = parts
    is_name = (
        isinstance(name, Element) and name.tag in ("em", "strong", "b", "cite") and 0 < len(name.text) <= LONGEST_NAME
    )
    return name if is_name and isinstance(after, Element) and after.tag == "br" and isinstance(name, Element) else None


def _one_space(text: str) -> str:
    start = " " if text[0].isspace() else ""
    end = " " if text[-1].isspace() else ""
    return f"{start}{' '.join(text.split())}{end}"
