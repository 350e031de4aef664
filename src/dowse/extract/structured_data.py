"""What a page says of itself for machines: JSON-LD, microdata, RDFa and the Open Graph family of meta tags.

Every item is a record of one shape, that of JSON-LD, whichever way it was written:

    {"syntax": "microdata", "@type": "Product", "name": "Kettle", "offers": {"@type": "Offer", "price": "19.90"}}

A property that is there once is a value, otherwise a list. Names of schema.org go without its address, and an item's
own `url` is its `item_url`, for `url` is the page's. The meta tags of a page are one item with their names as they are
(`og:title`, `article:tag`, `twitter:card`).

The parser reads microdata and RDFa. Rejected: extruct. It wants a tree of its own from lxml, brings rdflib, pyRdfa and
BeautifulSoup along and takes many times as long (benchmarks/content.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from turbohtml import Document, MicrodataItem, RdfaItem

from dowse.core.record import TAKEN, Record
from dowse.extract.json_ld import read_json_ld
from dowse.parse.page import Page

Described = MicrodataItem | RdfaItem

KIND = "data"
MOST_ITEMS = 1_000
LONGEST_TEXT = 100_000
# Deeper parts are left out; no vocabulary needs a third of this.
DEEPEST = 32
# Texts that lie in each other, and parts that several items refer to, are read several times: all that may be read.
MOST_READ = 200_000_000
# References from items that are referred to themselves multiply: with this many a page can name some thousand items.
MOST_CHAINED = 24

_SCHEMA_ORG = ("http://schema.org/", "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/")
# Vocabularies of <meta property>, which many pages put into <meta name>.
_VOCABULARIES = (
    *("og:", "article:", "book:", "business:", "fb:", "music:", "place:", "product:", "profile:", "twitter:", "video:"),
)
_ADDRESSES = frozenset({"og:image", "og:image:url", "og:url", "og:video", "og:audio", "twitter:image"})
_OWN = (*TAKEN, "syntax")
_NESTED = {
    MicrodataItem: "[itemprop]:not([itemscope]) [itemprop]:not([itemscope]) [itemprop]:not([itemscope])",
    RdfaItem: "[property]:not([typeof]) [property]:not([typeof]) [property]:not([typeof])",
}


class DataExtractor:
    """Makes a record of each item that a page describes for machines."""

    kinds = (KIND,)

    def extract(self, page: Page) -> list[Record]:
        if not page.is_html:
            return []
        items = islice(_items(page), MOST_ITEMS)
        return [
            Record(KIND, f"{number:04}", {"syntax": syntax, **_renamed(properties)})
            for number, (syntax, properties) in enumerate(items, 1)
        ]


def _renamed(properties: dict[str, Any]) -> dict[str, Any]:
    """What an item calls like a column of every record is its own: `item_url`."""
    return {f"item_{name}" if name in _OWN else name: value for name, value in properties.items()}


def _items(page: Page) -> Iterator[tuple[str, dict[str, Any]]]:
    """The syntax and the properties of each item that has any."""
    tree, size = page.tree, len(page.response.body)
    for node in read_json_ld(page):
        if properties := _of_node(node, DEEPEST):
            yield "json-ld", properties
    if tree.select_one("[itemscope]") is not None and _reads(tree, MicrodataItem) * size <= MOST_READ:
        yield from _described("microdata", tree.microdata, page)
    if tree.select_one("[typeof]") is not None and _reads(tree, RdfaItem) * size <= MOST_READ:
        yield from _described("rdfa", tree.rdfa, page)
    if properties := _meta_tags(page):
        yield "opengraph", properties


def _described(
    syntax: str, read: Callable[[str], Sequence[Described]], page: Page
) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        found = read(page.base.url)
    except RecursionError:  # the parser's own limit, 400 items in each other
        return
    for item in found:
        if properties := _of_item(item, DEEPEST):
            yield syntax, properties


def _reads(tree: Document, syntax: type[Described]) -> int:
    """How often the page's text may be read at most; MOST_READ if there is no telling."""
    nested = len(tree.select(_NESTED[syntax]))
    if syntax is RdfaItem:
        return nested + 2
    chained = tree.select("[itemprop][itemref]")
    if sum(len((element.attr("itemref") or "").split()) for element in chained) > MOST_CHAINED:
        return MOST_READ
    references = sum(len((element.attr("itemref") or "").split()) for element in tree.select("[itemref]"))
    return nested + references + 2


def _of_node(node: dict[str, Any], room: int) -> dict[str, Any]:
    """A JSON-LD node without what is empty, and without its context if that is schema.org."""
    return {
        str(name): simple
        for name, value in node.items()
        if not (name == "@context" and _is_schema_org(value))
        and (simple := _of_value(_short(value) if name == "@type" else value, room)) not in (None, "", [], {})
    }


def _of_value(value: Any, room: int) -> Any:
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, (dict, list)) and not room:
        return None
    if isinstance(value, dict):
        return _of_node(value, room - 1)
    if isinstance(value, list):
        return [part for member in value if (part := _of_value(member, room - 1)) not in (None, "", [], {})]
    return _number(value)


def _of_item(item: Described, room: int) -> dict[str, Any]:
    """A microdata or RDFa item as JSON-LD would have it."""
    types = (item.type or "").split() if isinstance(item, MicrodataItem) else item.type
    name = item.id if isinstance(item, MicrodataItem) else item.resource
    properties: dict[str, Any] = {}
    for key, found in item.properties.items():
        # Many pages write a property twice, to be read and to be seen.
        texts = dict.fromkeys(_one_line(value) for value in found if isinstance(value, str))
        parts = [_of_item(value, room - 1) for value in found if not isinstance(value, str)] if room else []
        values = [value for value in (*texts, *parts) if value]
        if values:
            properties[_short(key)] = values[0] if len(values) == 1 else values
    if not properties:
        return {}
    about: dict[str, Any] = {}
    if types:
        about["@type"] = _short(types[0]) if len(types) == 1 else [_short(kind) for kind in types]
    if name:
        about["@id"] = name
    return about | properties


def _meta_tags(page: Page) -> dict[str, Any]:
    """The meta tags of the vocabularies known here; a name that comes again makes a list."""
    found: dict[str, dict[str, None]] = {}
    for element in page.tree.find_all("meta"):
        name = (element.attr("property") or element.attr("name") or "").strip().lower()
        if name.startswith(_VOCABULARIES):
            content = _one_line(element.attr("content") or "")
            if content and name in _ADDRESSES:
                content = page.base.join(content) or content
            if content:
                found.setdefault(name, {})[content] = None
    return {name: next(iter(values)) if len(values) == 1 else list(values) for name, values in found.items()}


def _is_schema_org(context: Any) -> bool:
    return isinstance(context, str) and f"{context.strip().rstrip('/')}/".startswith(_SCHEMA_ORG)


def _short(name: Any) -> Any:
    """A type or property without the address of schema.org."""
    if isinstance(name, list):
        return [_short(part) for part in name]
    if isinstance(name, str) and name.startswith(_SCHEMA_ORG):
        return name.partition("schema.org/")[2] or name
    return name


def _clean(text: str) -> str:
    return text[:LONGEST_TEXT].strip().encode("utf-8", "replace").decode("utf-8")


def _one_line(text: str) -> str:
    return " ".join(text[:LONGEST_TEXT].split())


def _number(value: Any) -> Any:
    """Numbers that are too large for where records are kept become texts."""
    return value if value is None or isinstance(value, bool) or -(2**63) <= value < 2**63 else str(value)
