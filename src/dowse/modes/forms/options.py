"""The options of a crawl for forms."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from dowse.core.job import Option

ResultPages = Literal["no", "later", "first"]
"""Whether the pages that results link to are fetched, and when."""


class FormsOptions(Struct, frozen=True, kw_only=True):
    """Which forms, and whether they are asked."""

    topic: Annotated[str, Option("What the databases behind the forms should be about.", "TEXT")] = ""
    harvest: Annotated[bool, Option("Query the search forms, and take the records of their answers.")] = False
    dry_run: Annotated[bool, Option("Only plan the first queries; the table queries has them. No form is sent.")] = (
        False
    )
    max_queries: Annotated[int, Meta(ge=0), Option("Most queries of one form; 0 is no limit.", "N")] = 100
    result_pages: Annotated[
        ResultPages, Option("Fetch the pages that results link to: no, later than queries, or first.")
    ] = "no"
    depth_pages: Annotated[
        int, Meta(ge=0), Option("Most pages of a site at each depth; 0 is no limit (SC2 of stopping early).", "N")
    ] = 200
    depth_forms: Annotated[
        int, Meta(ge=0), Option("Enough forms of a site at each depth; 0 is no limit (SC3 of stopping early).", "N")
    ] = 10
    barren_pages: Annotated[
        int, Meta(ge=0), Option("Leave a site after so many pages in a row without a new form; 0 goes on (SC4).", "N")
    ] = 100
    backlinks: Annotated[
        str, Option("Who links to a site: a search as URL with {url}, or a CSV file (page, target).", "PLACE")
    ] = ""
    candidates: Annotated[
        int, Meta(ge=0), Option("Use --backlinks while fewer sites of high priority wait than this.", "N")
    ] = 20
    known: Annotated[
        tuple[str, ...], Option("Folder of an earlier crawl for forms, whose sites are explored too.", "FOLDER")
    ] = ()
