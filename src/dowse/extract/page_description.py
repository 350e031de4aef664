"""What a page says of itself: its description, canonical URL, first heading and language, and how many words it has."""

from __future__ import annotations

from dowse.core.record import ABOUT, Record
from dowse.parse.links import collapse
from dowse.parse.page import Page
from dowse.score.language import words_of

LONGEST = 1_000
"""Characters that are kept of a description or a heading."""

MOST_TEXT = 1_000_000


class DescriptionExtractor:
    """Makes one record of a page. What the page does not say is not in it."""

    kinds = (ABOUT,)

    def extract(self, page: Page) -> list[Record]:
        headings = (collapse(found.text, LONGEST) for found in page.tree.select("h1"))
        said = {
            "description": _description(page),
            "canonical": page.canonical,
            "h1": next(filter(None, headings), ""),
            "language": page.language,
        }
        fields = {name: value for name, value in said.items() if value}
        return [Record(ABOUT, "", {**fields, "words": len(words_of(page.text[:MOST_TEXT]))})]


def _description(page: Page) -> str:
    named = page.tree.select("meta[name]")
    metas = (meta for meta in named if (meta.attr("name") or "").strip().lower() == "description")
    return next(filter(None, (collapse(meta.attr("content") or "", LONGEST) for meta in metas)), "")
