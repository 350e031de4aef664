"""What somebody looks for, read from what they typed. Whatever is typed can be read.

    heat pumps            pages that have both words, in any form
    "heat pump"           these words side by side
    insul*                words that begin so
    -oil  NOT oil         pages without it; also -"fuel oil"
    grant OR subsidy      either of the two; also grant|subsidy

What cannot be read as one of these is a word, or nothing, and a note says what was made of it.
"""

from __future__ import annotations

import re

from msgspec import Struct

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»「」『』", '"'))
_PIECES = re.compile(r'"[^"]*"?|[^\s"|]+|\|')
_AROUND = "()[]{},;:.!?'"
_MINUS = "-\u2013\u2212"
_SIGNS = f"+{_MINUS}"

MOST_CHARACTERS = 2_000
MOST_PARTS = 24
MOST_BEGINNINGS = 4
"""How much is read of what was typed: the time of a search grows with every word, and most with beginnings of words."""


class Part(Struct, frozen=True):
    """A word, words side by side, or (`begins`) what a word begins with."""

    text: str
    is_phrase: bool = False
    begins: bool = False

    def __str__(self) -> str:
        return f'"{self.text}"' if self.is_phrase else f"{self.text}*" if self.begins else self.text


class Clause(Struct, frozen=True):
    """Parts of which a page has to have one; or, if `is_excluded`, none."""

    parts: tuple[Part, ...]
    is_excluded: bool = False

    def __str__(self) -> str:
        return " or ".join(map(str, self.parts))


class SearchQuery(Struct, frozen=True):
    """What is looked for, and what has to be said of how it was read."""

    clauses: tuple[Clause, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def wanted(self) -> tuple[Clause, ...]:
        """What pages have to have."""
        return tuple(clause for clause in self.clauses if not clause.is_excluded)

    @property
    def excluded(self) -> tuple[Clause, ...]:
        """What they may not have."""
        return tuple(clause for clause in self.clauses if clause.is_excluded)

    def __str__(self) -> str:
        """
        >>> str(read_query('heat "pump grants" insul* OR wool -oil'))
        'heat and "pump grants" and (insul* or wool), without oil'
        """
        wanted = [
            f"({clause})" if len(clause.parts) > 1 and len(self.wanted) > 1 else f"{clause}" for clause in self.wanted
        ]
        without = f", without {' and '.join(map(str, self.excluded))}" if self.excluded else ""
        return (" and ".join(wanted) + without).removeprefix(", ")


def read_query(text: str) -> SearchQuery:
    """Read what somebody typed."""
    clauses: list[Clause] = []
    notes: list[str] = []
    if len(text) > MOST_CHARACTERS:
        notes.append(f"only the first {MOST_CHARACTERS:,} characters were read")
    is_either = is_excluded = False
    for piece in _PIECES.findall(text[:MOST_CHARACTERS].translate(_QUOTES)):
        if piece in ("OR", "|"):
            is_either = bool(clauses)
        elif piece == "NOT":
            is_excluded = True
        elif piece.strip(_MINUS) == "" and not piece.isspace():
            is_excluded = True  # what comes next is a phrase, or there is a space too many
        elif piece != "AND" and (part := _part(piece.lstrip(_SIGNS), notes)) is not None:
            without = is_excluded or piece[0] in _MINUS
            if is_either and not without and not clauses[-1].is_excluded:
                clauses[-1] = Clause((*clauses[-1].parts, part))
            else:
                clauses.append(Clause((part,), without))
            is_either = is_excluded = False
    bounded = _bounded(clauses, notes)
    query = SearchQuery(bounded, tuple(dict.fromkeys(notes)))
    if clauses and not query.wanted:
        return SearchQuery(query.clauses, (*query.notes, "there are only words to leave out; add one to look for"))
    return query


def _bounded(clauses: list[Clause], notes: list[str]) -> tuple[Clause, ...]:
    """Each once, and no more of them than can be looked for in a moment."""
    bounded: list[Clause] = []
    number = beginnings = 0
    for clause in dict.fromkeys(clauses):
        parts = []
        for part in dict.fromkeys(clause.parts):
            number += 1
            beginnings += part.begins
            if number > MOST_PARTS:
                notes.append(f"only the first {MOST_PARTS} words were looked for")
            elif part.begins and beginnings > MOST_BEGINNINGS:
                notes.append(f"only the first {MOST_BEGINNINGS} beginnings of words were looked for")
            else:
                parts.append(part)
        bounded += [Clause(tuple(parts), clause.is_excluded)] if parts else []
    return tuple(bounded)


def _part(piece: str, notes: list[str]) -> Part | None:
    if piece.startswith('"'):
        if len(piece) < 2 or not piece.endswith('"'):
            notes.append("a quotation mark is not closed; the words behind it are read as side by side")
        words = " ".join(piece.strip('"').split())
        return Part(words, is_phrase=True) if any(map(str.isalnum, words)) else None
    bare = piece.strip(_AROUND).rstrip("*").strip(_AROUND)
    if not any(map(str.isalnum, bare)):
        if piece:
            notes.append(f"{piece} is no word and was left out")
        return None
    if "*" in bare:
        notes.append(f"* is for the end of a word; it was left out of {piece}")
        bare = bare.replace("*", "")
    return Part(bare, begins=piece.strip(_AROUND).endswith("*"))
