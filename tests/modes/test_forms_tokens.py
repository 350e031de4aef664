"""Crawls for forms whose hidden values are good for a while only."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import dowse
from dowse import app
from dowse.config import make_job
from tests.crawling import opened
from tests.servers import Answer, Reply, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore", "harvest": True, "depth": 0}
NAMES = [
    f"{colour} {thing}"
    for colour in ("red", "blue", "green", "white", "black")
    for thing in ("kettle", "lamp", "clock", "drum", "vase", "chair")
]


def page(body: str) -> str:
    return f"<html><head><title>A shop</title></head><body><h1>A shop</h1>{body}</body></html>"


def matching(words: str) -> list[str]:
    return [name for name in NAMES if words and words.lower() in name.split()]


def listed(found: list[str]) -> str:
    items = "".join(f"<li><a href=/goods/{name.replace(' ', '-')}>{name}</a> is in stock</li>" for name in found)
    return f"<p>{len(found)} results</p><ol>{items}</ol>" if found else "<p>Nothing was found</p>"


def harvest(directory: Path, pages: dict[str, Any], **options: Any) -> dowse.Crawl:
    with Site(pages) as site:
        app.start(make_job("forms", [site.url], output=str(directory), **{**QUICK, **options}))
    return opened(directory)


class OneTimeTokens:
    """A site that takes each token once, and whose answers do not have the form."""

    def __init__(self) -> None:
        self.good: set[str] = set()
        self.given = self.refused = 0

    def start(self, request: Request) -> Answer:
        self.given += 1
        token = f"token{self.given:030}"
        self.good.add(token)
        hidden = f"<input type=hidden name=authenticity_token value={token}>"
        return page(
            f"<p>A red kettle.</p><form method=post action=/find role=search>{hidden}<input type=search name=q></form>"
        )

    def find(self, request: Request) -> Answer:
        sent = parse_qs(request.body.decode())
        token = sent.get("authenticity_token", [""])[0]
        if token not in self.good:
            self.refused += 1
            return Reply(page("<p>This form has expired.</p>"), status=403)
        self.good.remove(token)
        return page(listed(matching(sent.get("q", [""])[0])))


def test_a_token_that_is_good_once_is_fetched_before_each_query(tmp_path: Path) -> None:
    shop = OneTimeTokens()
    crawl = harvest(tmp_path / "out", {"/": shop.start, "/find": shop.find})
    assert {row["title"] for row in crawl.records} == set(NAMES)
    assert shop.refused == 1, "one query shows that tokens are good once"
    (form,) = crawl.forms
    assert form["reason"] != "it answers with errors"
    asked = [row["query"] for row in crawl.queries if row["kind"] != "renewal"]
    assert form["queries"] == len(asked), "a look at the form is no query"


SIZE = 4


class ViewState:
    """A site as ASP.NET makes them: the pager sends the form back, with the state of the page."""

    def __init__(self) -> None:
        self.states: dict[str, tuple[str, int]] = {}
        self.wrong = 0

    def write(self, words: str, number: int) -> str:
        state = f"dDwtMTM3NjQ5{len(self.states):06}"
        self.states[state] = words, number
        found = matching(words)
        shown = found[(number - 1) * SIZE : number * SIZE]
        pages = range(1, 1 + -(-len(found) // SIZE))
        pager = " ".join(
            f"<a href=\"javascript:__doPostBack('grid','Page${each}')\">{each}</a>" if each != number else f"{each}"
            for each in pages
        )
        hidden = "".join(
            f'<input type=hidden name={name} value="{escape(value)}">'
            for name, value in (("__VIEWSTATE", state), ("__EVENTVALIDATION", f"ok{state}"))
        )
        events = "<input type=hidden name=__EVENTTARGET><input type=hidden name=__EVENTARGUMENT>"
        box = f'<label>Search <input name=ctl00$words value="{escape(words)}"></label>'
        button = "<input type=submit name=ctl00$go value=Search>"
        total = f"<p>{len(found)} results</p>" if found else ""
        return page(
            f"<form method=post action=/search.aspx id=aspnetForm>{hidden if number == 1 else hidden + events}"
            f"<h2>Search a red lamp</h2>{box}{button}{total}<ol>{self._items(shown)}</ol>{pager}</form>"
        )

    def _items(self, names: list[str]) -> str:
        return "".join(f"<li><a href=/goods/{name.replace(' ', '-')}>{name}</a> is in stock</li>" for name in names)

    def answer(self, request: Request) -> Answer:
        if request.method == "GET":
            return self.write("", 1)
        sent = {name: values[0] for name, values in parse_qs(request.body.decode(), keep_blank_values=True).items()}
        state = sent.get("__VIEWSTATE", "")
        if state not in self.states or sent.get("__EVENTVALIDATION") != f"ok{state}":
            self.wrong += 1
            return Reply(page("Invalid postback or callback argument"), status=500)
        if sent.get("__EVENTTARGET"):
            assert "ctl00$go" not in sent, "no button is pressed"
            words, _ = self.states[state]
            return self.write(words, int(sent["__EVENTARGUMENT"].removeprefix("Page$")))
        return self.write(sent["ctl00$words"], 1)


def test_view_state_is_carried_from_page_to_page(tmp_path: Path) -> None:
    shop = ViewState()
    crawl = harvest(tmp_path / "out", {"/search.aspx": shop.answer, "/": shop.answer})
    assert shop.wrong == 0
    assert {row["title"] for row in crawl.records} == set(NAMES)
    assert max(row["requests"] for row in crawl.queries) >= 2, "further pages of results were sent for"


def test_a_pager_of_buttons_is_pressed(tmp_path: Path) -> None:
    def form(words: str, number: int, pages: int) -> str:
        more = f"<button name=page value={number + 1}>Next</button>" if number < pages else ""
        go = "<button>Search</button>"
        return f"<form method=post action=/find role=search>{go}<input type=search name=q value='{words}'>{more}</form>"

    def find(request: Request) -> Answer:
        sent = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        words, number = sent.get("q", ""), int(sent.get("page", "1"))
        found = matching(words)
        return page(listed(found[(number - 1) * SIZE : number * SIZE]) + form(words, number, -(-len(found) // SIZE)))

    crawl = harvest(tmp_path / "out", {"/": page(f"A red kettle{form('', 1, 1)}"), "/find": find})
    assert {row["title"] for row in crawl.records} == set(NAMES)
