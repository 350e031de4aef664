r"""Rich text (rtf): groups in braces, control words, text.

    {\rtf1\ansi\ansicpg1252 {\fonttbl ...} {\info{\title A title}} First \b paragraph\b0 .\par ...}

What groups with a name hold (fonts, styles, pictures) is no text, but for a few. Headings are told by outline levels,
their own or those of their styles. Tables are in rich_tables.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dowse.documents.growing_html import Markup, Unreadable
from dowse.documents.headings import heading_tag, styled_tag
from dowse.documents.rich_tables import TABLE_WORDS, RichTable

_TOKEN = re.compile(
    rb"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.IGNORECASE
)
_TARGET = re.compile(r'HYPERLINK\s+(?:\\l\s+)?"([^"]+)"')
_SILENT = frozenset(
    b"""fonttbl colortbl stylesheet listtable listoverridetable rsidtbl pict object header headerl
    headerr headerf footer footerl footerr footerf themedata colorschememapping datastore xmlnstbl generator info
    latentstyles pgptbl revtbl filetbl listtext pntext nonshppict nonesttables shpinst comment annotation
    atnid atnauthor""".split()
)
_SIGNS = {
    b"tab": "\t", b"line": " ", b"emdash": "\u2014", b"endash": "\u2013", b"lquote": "\u2018", b"rquote": "\u2019",
    b"ldblquote": "\u201c", b"rdblquote": "\u201d", b"bullet": "\u2022", b"emspace": " ", b"enspace": " ",
}  # fmt: skip
_BULLETS = frozenset({b"listtext", b"pntext"})
_BULLET = "\u2022"
_ESCAPED = {b"~": "\u00a0", b"_": "-", b"-": "", b"\n": " ", b"\r": " "}
_ENDS = frozenset({b"par", b"sect", b"page", b"nestcell", b"pard"})
_FACTS = {b"title": "title", b"author": "author", b"doccomm": "description"}
_NO_HEADING = 9
_DEEPEST = 1_000
_LONGEST_CODE = 5_000


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds inside of a pair of braces."""

    silent: bool = False
    hidden: bool = False
    fact: str = ""
    is_code: bool = False
    is_result: bool = False
    is_note: bool = False
    is_styles: bool = False
    after_unicode: int = 1


def read_rtf(body: bytes, markup: Markup) -> None:
    if not body.lstrip().startswith(b"{\\rtf"):
        raise Unreadable("it does not begin as rich text does")
    reader = _Reader(markup)
    for match in _TOKEN.finditer(body):
        reader.take(match)
    reader.end_paragraph()  # a table that is open is ended with the page


class _Reader:
    def __init__(self, markup: Markup) -> None:
        self._markup = markup
        self._groups = [_Group()]
        self._charset = "cp1252"
        self._bytes = b""
        self._to_skip = 0
        self._tag = "p"
        self._is_open = False
        self._table = RichTable(markup)
        self._starred = False
        self._fact = self._code = ""
        self._style = 0
        self._styles: dict[int, str] = {}

    @property
    def _group(self) -> _Group:
        return self._groups[-1]

    def take(self, match: re.Match[bytes]) -> None:
        word, number, code, sign, brace, text = match.groups()
        if code is not None:
            self._character(bytes([int(code, 16)]))
            return
        self._flush()
        if brace == b"{":
            self._begin_group()
        elif brace == b"}":
            self._end_group()
        elif word is not None:
            self._word(word, int(number) if number else None)
        elif sign == b"*":
            self._starred = True
        elif sign is not None:
            self._text(_ESCAPED.get(sign, chr(sign[0])))
        elif text is not None:
            skipped, self._to_skip = self._to_skip, max(0, self._to_skip - len(text))
            self._text(text[skipped:].decode(self._charset, "replace"))

    def end_paragraph(self) -> None:
        self._flush()
        if self._is_open:
            self._markup.end()
        self._is_open = False

    def _begin_group(self) -> None:
        if len(self._groups) >= _DEEPEST:
            raise Unreadable("its groups are nested too deeply")
        self._groups.append(self._group)
        self._starred = False

    def _end_group(self) -> None:
        if len(self._groups) == 1:
            return
        ended = self._groups.pop()
        if ended.fact and not self._group.fact:
            self._markup.note_fact(ended.fact, self._fact)
            self._fact = ""
        if ended.is_result and not self._group.is_result:
            self._markup.end_link()
        if ended.is_note and not self._group.is_note:
            self._text(")")

    def _word(self, word: bytes, number: int | None) -> None:
        if word == b"u" and number is not None:
            self._text(_character(number))
            self._to_skip = self._group.after_unicode
        elif word == b"uc":
            self._change(after_unicode=min(max(number or 0, 0), 10))
        elif word == b"ansicpg":
            self._charset = _codec(number or 1252)
        elif word == b"bin":
            raise Unreadable("it has binary parts")
        elif word in _FACTS:
            self._change(silent=True, fact=_FACTS[word])
        elif word == b"fldinst":
            self._code = ""
            self._change(silent=True, is_code=True)
        elif word == b"fldrslt":
            self._begin_result()
        elif word == b"footnote":
            self._text(" (")
            self._change(is_note=True)
        elif word in _SILENT or self._starred:
            self._tag = "li" if word in _BULLETS and self._tag == "p" else self._tag
            self._change(silent=True, is_styles=word == b"stylesheet")
        elif word == b"v":
            self._change(hidden=number != 0)
        elif word in _ENDS:
            self._end_block(word)
        elif word in TABLE_WORDS:
            self._table_word(word)
        elif word in (b"s", b"outlinelevel") and number is not None:
            self._note_style(word, number)
        elif word in _SIGNS:
            self._text(_SIGNS[word])
        self._starred = False

    def _note_style(self, word: bytes, number: int) -> None:
        """The style of a paragraph or its level; in the list of styles, of which style what follows is the level."""
        tag = heading_tag(number + 1) if 0 <= number < _NO_HEADING else "p"
        if self._group.is_styles and word == b"s":
            self._style = number
        elif self._group.is_styles:
            self._styles[self._style] = tag
        elif not self._group.silent:
            self._tag = self._styles.get(number, self._tag) if word == b"s" else tag

    def _begin_result(self) -> None:
        self._change(is_result=True)
        if self._group.silent:
            return
        if found := _TARGET.search(self._code):
            self._open()
            self._markup.link(found[1])

    def _end_block(self, word: bytes) -> None:
        if self._group.silent or self._group.is_note:
            return
        if word != b"pard":
            self.end_paragraph()
        # The next item of a list has a bullet of its own.
        self._tag = "p" if word == b"pard" or self._tag == "li" else self._tag

    def _table_word(self, word: bytes) -> None:
        if self._group.silent or self._group.is_note:
            return
        if word in (b"cell", b"row"):
            self.end_paragraph()
        self._table.take(word)

    def _change(self, **changed: object) -> None:
        self._groups[-1] = replace(self._group, **changed)  # type: ignore[arg-type]

    def _character(self, byte: bytes) -> None:
        """Characters of several bytes come byte by byte."""
        if self._to_skip:
            self._to_skip -= 1
        else:
            self._bytes += byte

    def _flush(self) -> None:
        if self._bytes:
            held, self._bytes = self._bytes, b""
            self._text(held.decode(self._charset, "replace"))

    def _text(self, text: str) -> None:
        group = self._group
        if group.fact:
            self._fact = (self._fact + text)[:_LONGEST_CODE]
        elif group.is_styles and (tag := styled_tag(text.rstrip(";"))):
            self._styles.setdefault(self._style, tag)
        elif group.is_code:
            self._code = (self._code + text)[:_LONGEST_CODE]
        elif text and not group.silent and not group.hidden:
            if text.startswith(_BULLET) and not self._is_open and self._tag in ("p", "li"):
                self._tag, text = "li", text[1:].lstrip()
            self._open()
            self._markup.text(text)

    def _open(self) -> None:
        if not self._is_open:
            self._table.before_text()
            self._markup.begin(self._tag)
            self._is_open = True


def _character(number: int) -> str:
    """Numbers above 32767 are written as negative ones."""
    return chr(number % 65_536)


def _codec(number: int) -> str:
    name = f"cp{number}"
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name
