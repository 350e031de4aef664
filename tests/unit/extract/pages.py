"""Pages and records for the tests of extraction."""

from __future__ import annotations

from typing import Any

from dowse.core.job import ExtractOptions
from dowse.core.model import Request, Response
from dowse.extract.fields import KIND, FieldExtractor
from dowse.parse.page import Page

URL = "http://example.org/shop/item?utm_source=x"
KEY = "http://example.org/shop/item"
# 2026-01-10 12:00 UTC
FETCHED_AT = 1_768_046_400.0


def page_of(body: str | bytes, content_type: str = "text/html; charset=utf-8", url: str = URL) -> Page:
    raw = body.encode() if isinstance(body, str) else body
    request = Request(url=url, key_hash=1, host="example.org", key=KEY)
    return Page(Response(request, 200, {"content-type": content_type}, raw, FETCHED_AT, 0.0))


def fields_of(body: str | bytes | Page, *specs: str, exclude: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields that specs take from a page; empty if there is no record."""
    page = body if isinstance(body, Page) else page_of(body)
    records = FieldExtractor(ExtractOptions(extract=specs, exclude_from=exclude)).extract(page)
    return next((record.fields for record in records if record.kind == KIND), {})
