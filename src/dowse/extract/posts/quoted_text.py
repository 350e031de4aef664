"""Quotes: who is quoted, by the words around it, and the quotes of mail, whose lines begin with ">"."""

from __future__ import annotations

import regex

from dowse.extract.posts.forum_words import QUOTED_FROM, WROTE
from dowse.extract.posts.thread_records import Quote

DEEPEST = 20
LONGEST_SAYING = 160
LONGEST_NAME = 60
_MOST_WORDS = 6
_ENDS = (":", "\uff1a", "...", "\u2026")
_AROUND = " \t\u00ab\u00bb\u2191:\uff1a.\u2026"
_ADDRESS = regex.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()@\d]*+[@\d][^()]*+\)")  # or a time in brackets
_AFTER_NAME = regex.compile(r"[:\uff1a,\n]|\son\s")
_TIME = regex.compile(
    r"(?:\d:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?|\d{4})(?:\s[+-]\d{4}|\s\(\w+\))?[,\s]", regex.IGNORECASE
)


def split_mail_quotes(text: str) -> tuple[str, list[Quote]]:
    """A text as mail has it, without the lines that begin with ">", and these as quotes."""
    own: list[str] = []
    quotes: list[Quote] = []
    lines = text.split("\n")
    place = 0
    while place < len(lines):
        if not lines[place].startswith(">"):
            own.append(lines[place])
            place += 1
            continue
        end = place
        while end < len(lines) and (lines[end].startswith(">") or _goes_on(lines, end)):
            end += 1
        said = _take_saying(own)
        quotes.append(_mail_quote(lines[place:end], said))
        place = end
    if not quotes:
        return text, []
    return regex.sub(r"\n{3,}", "\n\n", "\n".join(own)).strip(), quotes


def _goes_on(lines: list[str], place: int) -> bool:
    """Whether an empty line stands within what is quoted."""
    return not lines[place].strip() and place + 1 < len(lines) and lines[place + 1].startswith(">")


def _mail_quote(lines: list[str], author: str, depth: int = 0) -> Quote:
    bare = "\n".join(regex.sub(r"^> ?", "", line) for line in lines)
    if depth < DEEPEST:
        inner: list[Quote] = []
        own: list[str] = []
        rows = bare.split("\n")
        place = 0
        while place < len(rows):
            end = place
            while end < len(rows) and rows[end].startswith(">"):
                end += 1
            if end == place:
                own.append(rows[place])
                place += 1
            else:
                inner.append(_mail_quote(rows[place:end], _take_saying(own), depth + 1))
                place = end
        return Quote("\n".join(own).strip(), author, tuple(inner))
    return Quote(bare.strip(), author)


def _take_saying(lines: list[str]) -> str:
    """Take the line off that says who is quoted; mail breaks it into two."""
    while lines and not lines[-1].strip():
        lines.pop()
    for number in (1, 2):
        said = " ".join(lines[-number:]).strip() if len(lines) >= number else ""
        if said.endswith(_ENDS) and (author := quoted_author(said)) is not None:
            del lines[-number:]
            return author
    return ""


def without_saying(text: str) -> tuple[str, str]:
    """What a quote says without its first lines, if these only say that it is one, and whose."""
    name = ""
    for _ in range(2):
        line, _, rest = text.partition("\n")
        author = quoted_author(line)
        if author is None or name:
            break
        text, name = rest.strip(), author
    return text, name


def quoted_author(line: str) -> str | None:
    """Whom a line says to be quoting, "" if it does not say whom; None if it says something else.

    >>> quoted_author("On Tue, Mar 5, 2024 at 9:00 AM Ann Lee <ann@example.org> wrote:"), quoted_author("Zitat von Bo:")
    ('Ann Lee', 'Bo')
    """
    if not 0 < len(line) <= LONGEST_SAYING:
        return None
    bare = line.strip(_AROUND)
    if (before := QUOTED_FROM.match(bare)) is not None:
        return _name(_AFTER_NAME.split(bare[before.end() :], maxsplit=1)[0])
    wrote = WROTE.search(bare)
    if wrote is None or (wrote.end() < len(bare) and not line.rstrip().endswith(_ENDS)):
        return None
    said = _ADDRESS.sub(" ", bare[: wrote.start()])
    times = list(_TIME.finditer(said))
    name = said[times[-1].end() :] if times else said
    if not name.strip(_AROUND):
        name = said.partition(",")[0]  # "Ann, 5 March 2024, wrote"
    return _name(name)


def _name(text: str) -> str | None:
    name = " ".join(text.split()).strip(f"{_AROUND}@\"',")
    return name if len(name) <= LONGEST_NAME and len(name.split()) <= _MOST_WORDS else None


def bare_name(text: str) -> str:
    """A name without what says that it is one: "ann wrote:"."""
    line = " ".join(text.split())
    return quoted_author(line) or line.rstrip(":\uff1a ")


def flat(quote: Quote) -> Quote:
    """A box around one quote that says nothing but its author is that quote."""
    if len(quote.quotes) != 1 or len(quote.text) > LONGEST_SAYING:
        return quote
    inner = quote.quotes[0]
    if quote.text and not quote.text.endswith((":", "\uff1a")):
        return quote
    return Quote(inner.text, inner.author or quote.author or quote.text.rstrip(":\uff1a "), inner.quotes)
