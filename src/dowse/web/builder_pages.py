"""The page of the rule builder, and the frame in which it shows other people's pages.

The frame has an origin of its own, in which only the picker runs: the copy in it is inert (extract/inert_pages.py), the
policy lets nothing else run or load, and the sandbox lets nothing out. Each of the three would do alone.
"""

from __future__ import annotations

import secrets
from functools import cache
from pathlib import Path

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from dowse.modes.rules.rule_table import COLUMNS
from dowse.web.builder_api import Looked
from dowse.web.extension_pack import packed
from dowse.web.html_answers import Entry, page

ROUTER = APIRouter(include_in_schema=False)
MENU = (Entry("Rule builder", "/builder"),)

_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline' data:; img-src data:; font-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts"
)


@ROUTER.get("/builder")
def builder(request: Request) -> Response:
    """Where tables are made."""
    return page(request, "builder.html", columns=list(COLUMNS))


@ROUTER.get("/builder/frames/{page_id}")
def frame(request: Request, shown: Looked) -> Response:
    """The copy of a page, with the picker and nothing else that runs."""
    nonce = secrets.token_urlsafe(16)
    # The page around it knows the id, and no other page does.
    told = msgspec.json.encode({"key": shown.id, "origin": str(request.base_url).rstrip("/")}).decode()
    script = f"{_picker()}\ndowsePicker.inFrame({told});".replace("</", "<\\/")
    headers = {"content-security-policy": _POLICY.format(nonce=nonce), "x-frame-options": "SAMEORIGIN"}
    return HTMLResponse(f'{shown.copy}<script nonce="{nonce}">{script}</script>', headers=headers)


@ROUTER.get("/builder/extension.zip")
def extension() -> Response:
    """The browser extension, to be unpacked and loaded."""
    return Response(packed(), media_type="application/zip")


@cache
def _picker() -> str:
    return (Path(__file__).parent / "assets" / "picker.js").read_text("utf-8")
