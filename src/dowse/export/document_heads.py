"""What the heads of all HTML pages share: a policy that lets nothing run but what is ours, and how a crawl is named."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from dowse.core.phrasing import shortened
from dowse.export.report.markup import element
from dowse.version import VERSION


def document_head(title: str, style: str, script: str = "") -> Element:
    """The head of a page that loads nothing. Its style sheet and its script are let through by their checksums."""
    scripts = f" script-src 'sha256-{_checksum(script)}';" if script else ""
    policy = f"default-src 'none'; style-src 'sha256-{_checksum(style)}';{scripts} base-uri 'none'; form-action 'none'"
    sheet = element("style")
    sheet.text = style
    return element(
        "head",
        None,
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"name": "referrer", "content": "no-referrer"}),
        element("meta", {"name": "generator", "content": f"dowse {VERSION}"}),
        element("title", None, title),
        sheet,
    )


def subject(seeds: Sequence[str], name: str) -> str:
    """The site by its first seed's host, or the folder where there is no seed to speak of."""
    host = seeds[0].partition("//")[2].partition("/")[0].rpartition("@")[2] if seeds else ""
    return shortened(host or name, 80)


def moment(timestamp: float) -> str:
    """A point in time: 5 November 2026, 14:03 UTC."""
    told = time.gmtime(timestamp)
    return f"{told.tm_mday} {time.strftime('%B %Y, %H:%M', told)} UTC"


def _checksum(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
