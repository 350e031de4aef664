"""The options that say what is taken from pages."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from dowse.core.options import option_checks
from dowse.core.options.option import Option

DROP = "drop"
"""What names fields that are wanted no more, when pages are read again or a crawl goes on. A job does not have it."""


class ExtractOptions(Struct, frozen=True, kw_only=True):
    """What to take from the pages."""

    extract: Annotated[
        tuple[str, ...],
        Option(
            "A field to take from pages: title=//h1, price:number=css:.price, next=css:a.next@href, sku=re:sku=(\\w+). "
            "Types are text, number, date, url and html. tags[]=css:.tag takes all matches as a list, tags[, ]="
            "css:.tag joins them, without brackets it is the first.",
            "NAME=SELECTOR",
        ),
    ] = ()
    exclude_from: Annotated[
        tuple[str, ...],
        Option(
            "Parts to leave out of what a field's selector finds: title=//h1/span, title=css:.badge.", "NAME=SELECTOR"
        ),
    ] = ()
    article: Annotated[
        bool, Option("Take the main text of pages, with title, author, date, language and site name.")
    ] = False
    data: Annotated[bool, Option("Take what pages say for machines: JSON-LD, microdata, RDFa, Open Graph.")] = False
    tables: Annotated[bool, Option("Take the rows of tables.")] = False
    lists: Annotated[
        bool, Option("Take the items of lists, such as products, posts or search results, found without selectors.")
    ] = False
    keywords: Annotated[
        int,
        Meta(ge=0),
        Option("Find so many keywords of each page, the words that it has and few other pages of the crawl.", "N"),
    ] = 0
    describe: Annotated[
        bool,
        Option("Add to the table of pages what each says of itself: description, canonical, h1, language, words."),
    ] = False
    extractor: Annotated[
        tuple[str, ...],
        Option(
            "Take records with an extractor of an installed package, by its name, or with one of your own: FILE.py:NAME"
            " or MODULE:NAME.",
            "NAME",
            check=option_checks.extractor,
        ),
    ] = ()
    on: Annotated[
        tuple[str, ...],
        Option("Extract only from pages whose URL matches one of these regular expressions.", "REGEX"),
    ] = ()
