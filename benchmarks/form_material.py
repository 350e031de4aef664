"""Real pages to build a web of many sites from, with their links and forms taken apart.

field       SWDE: 40 sites of four fields (auto, book, job, movie), 20 pages each, with real links and search boxes
forms       annotated pages of the wheel of formasaurus, by their hosts; what is marked heldout is never read
noise       articles of an encyclopedia, and pages of two universities

All but the wheel is in `DOWSE_DATA`.
"""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from benchmarks.cache import ROOT
from benchmarks.focus_webs import data_folder, unpacked
from benchmarks.form_pages import DATA, form_split, form_wheel

LONGEST = 6_000
"""Characters of a page's markup, so that all contenders are through in minutes."""

LONGEST_FORM = 20_000
NOISE_PAGES = 4_000

_ASIDE = re.compile(
    r"(?is)<(script|style|noscript|iframe|object|head)\b.*?</\1>|<!--.*?-->|<(?:base|link|meta|area)\b[^>]*>"
)
_ADDRESS = re.compile(r"""(?i)(<a\b[^>]*?)\s+href\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""")
_LINK = re.compile(r"""(?is)<a\b[^>]*?\shref\s*=\s*["']([^"'#]+)["'][^>]*>(.*?)</a>""")
_FORM = re.compile(r"(?is)<form\b.*?</form>")
_CONTROLS = re.compile(r"(?is)</?form\b[^>]*>|<(select|textarea|button)\b.*?</\1>|<input\b[^>]*>")
_ACTION = re.compile(r"""(?i)(\saction\s*=\s*["']?)https?://[^/"'>\s]+""")
_TITLE = re.compile(r"(?is)<title[^>]*>(.*?)</title>")
_TAG = re.compile(r"<[^>]*>")
_BOX = re.compile(
    r"""(?i)<input\b(?![^>]*\stype\s*=\s*["']?(?:hidden|submit|image|button|radio|checkbox|password|file|reset))"""
)
_SEARCHES = re.compile(r"(?i)search|find|suche|recherche|buscar|query|keyword")
_OTHER_USE = re.compile(
    r"(?i)password|<textarea|newsletter|e-?mail|subscribe|log.?in|sign.?(?:in|up)|add to (?:cart|basket)"
)


class RealLink(NamedTuple):
    """A link of a real page to another one of its site: its path, and what it is called."""

    path: str
    anchor: str


class RealPage(NamedTuple):
    """A real page: where it was, its markup without links and forms, and these apart."""

    url: str
    title: str
    markup: str
    forms: list[str]
    links: list[RealLink]

    @property
    def searches(self) -> list[str]:
        """The forms that search. A rule of words says so, not the model that a crawl for forms uses."""
        return [form for form in self.forms if is_search(form)]


def is_search(form: str) -> bool:
    return bool(_BOX.search(form) and _SEARCHES.search(form)) and not _OTHER_USE.search(form)


def fields() -> dict[str, dict[str, list[RealPage]]]:
    """The pages of each site of each field."""
    target = ROOT / "form-fields"
    if not target.exists():
        part = target.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        archive = data_folder() / "records" / "four-verticals.tar.zst"
        packed = subprocess.Popen(["zstd", "-dc", "--long=27", str(archive)], stdout=subprocess.PIPE)
        subprocess.run(["tar", "x", "-C", str(part)], stdin=packed.stdout, check=True)
        packed.wait()
        part.rename(target)
    found: dict[str, dict[str, list[RealPage]]] = {}
    for site in sorted(path for path in target.glob("*/*") if any(path.glob("*.htm"))):
        pages = [_field_page(path) for path in sorted(site.glob("*.htm"))]
        found.setdefault(site.parent.name, {})[site.name.partition("(")[0]] = pages
    return found


def _field_page(path: Path) -> RealPage:
    text = path.read_text(encoding="utf-8", errors="replace")
    first = re.search(r'<base href="([^"]+)"', text)
    return taken_apart(first[1] if first else f"http://{path.parent.name}/{path.name}", text)


def form_hosts() -> dict[str, list[RealPage]]:
    """The annotated pages of each host."""
    split = form_split()
    found: dict[str, list[RealPage]] = {}
    with zipfile.ZipFile(form_wheel()) as wheel:
        for name, page in json.loads(wheel.read(f"{DATA}/index.json")).items():
            host = urlsplit(page["url"]).hostname or ""
            if split[host][1] != "heldout":
                text = wheel.read(f"{DATA}/{name}").decode("utf-8", errors="replace")
                found.setdefault(host, []).append(taken_apart(page["url"], text))
    return found


def noise() -> Iterator[RealPage]:
    """Pages without forms that matter, in an order that never changes."""
    articles = sorted(unpacked("encyclopedia").rglob("*.htm"))
    people = sorted((unpacked("universities") / "webkb").glob("*/*/*"))
    for path in (*articles[: NOISE_PAGES // 2], *people[: NOISE_PAGES // 2]):
        text = path.read_text(encoding="utf-8", errors="replace")
        url = path.name.replace("http_^^", "http://", 1).replace("^", "/")
        yield taken_apart(url if "://" in url else f"http://noise/{path.parent.name}/{path.name}", text)


def taken_apart(url: str, text: str) -> RealPage:
    title = _TITLE.search(text)
    called = _plain(title[1]) if title else ""
    body = _ASIDE.sub(" ", text)
    forms = [_ADDRESS.sub(r"\1", _ACTION.sub(r"\1", form)) for form in _FORM.findall(body) if len(form) < LONGEST_FORM]
    bare = _CONTROLS.sub(" ", _FORM.sub(" ", body) if len(_FORM.sub(" ", body)) > 500 else body)
    markup = re.sub(r"\s+", " ", _ADDRESS.sub(r"\1", bare))[:LONGEST].rpartition(">")[0]
    return RealPage(url, called[:100] or urlsplit(url).path, f"{markup}>", forms, _own_links(url, body))


def _own_links(url: str, body: str) -> list[RealLink]:
    """The links of a page within its host, each path once."""
    host, found = urlsplit(url).hostname, {}
    for address, text in _LINK.findall(body):
        try:
            parts = urlsplit(urljoin(url, unescape(address)))
        except ValueError:
            continue
        anchor = _plain(text)
        if parts.hostname == host and parts.path not in ("", "/") and anchor and len(parts.path) < 150:
            found.setdefault(parts.path, RealLink(parts.path, anchor[:80]))
    return list(found.values())


def _plain(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", markup)).replace("<", " ").split())
