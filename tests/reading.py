"""Pages made of a text, as if they had been fetched."""

from __future__ import annotations

from dowse.core.model import Request, Response
from dowse.parse.forms.form import Form
from dowse.parse.forms.form_finding import find_forms
from dowse.parse.page import Page


def page_of(html: str | bytes, url: str = "https://example.org/", charset: str = "utf-8") -> Page:
    """A page with this content, which its header says is written in the charset."""
    body = html if isinstance(html, bytes) else html.encode(charset)
    headers = {"content-type": f"text/html; charset={charset}"}
    return Page(Response(Request(url, 1, "example.org"), 200, headers, body, fetched_at=0.0, elapsed=0.0))


def forms_of(html: str | bytes, url: str = "https://example.org/", charset: str = "utf-8") -> list[Form]:
    """The forms of such a page."""
    return find_forms(page_of(html, url, charset))
