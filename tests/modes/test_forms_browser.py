"""Crawls for forms that only scripts can send: they are filled in and sent in Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from tests.crawling import opened
from tests.servers import Answer, Reply, Request, Site

OPTIONS: dict[str, Any] = {
    "delay": 0.0, "retries": 0, "robots": "ignore", "harvest": True, "fetch": "browser", "depth": 0, "max_queries": 11,
}  # fmt: skip
NAMES = [f"{colour} {thing}" for colour in ("red", "blue", "green") for thing in ("kettle", "lamp", "clock", "drum")]

SHOW = """
const show = async words => {
  const answer = await fetch('/api?words=' + encodeURIComponent(words));
  const names = await answer.json();
  document.getElementById('found').innerHTML = names.length
    ? '<ol>' + names.map(name => `<li><a href="/goods/${name.replace(' ', '-')}">${name}</a> is in stock</li>`).join('')
    : '<p>Nothing was found</p>';
};
"""
BOX = "<input type=search id=box placeholder='Search our goods'>"


def page(body: str, script: str) -> str:
    words = "<p>A red kettle, a blue lamp, a green clock.</p>"
    return (
        f"<html><head><title>A shop</title></head><body><h1>A shop</h1>{words}{body}<div id=found></div>"
        f"<script>{SHOW}{script}</script></body></html>"
    )


PRESSED = "document.getElementById('go').onclick = () => show(document.getElementById('box').value);"
SENT = """document.querySelector('form').onsubmit = event => {
  event.preventDefault(); show(document.getElementById('box').value); };"""
GONE = """document.querySelector('form').onsubmit = event => {
  event.preventDefault(); location.href = '/found/' + encodeURIComponent(document.getElementById('box').value); };"""
BUILT = f"""document.getElementById('place').innerHTML =
  `<div role=search>{BOX}<button type=button id=go>Search</button></div>`; {PRESSED}"""


def matching(words: str) -> list[str]:
    return [name for name in NAMES if words.lower() in name.split()]


def api(request: Request) -> Answer:
    found = json.dumps(matching(request.query.get("words", "")))
    return Reply(found, headers={"Content-Type": "application/json"})


def found(request: Request) -> Answer:
    items = "".join(
        f"<li><a href=/goods/{name.replace(' ', '-')}>{name}</a> is in stock</li>"
        for name in matching(request.path.rpartition("/")[2])
    )
    return f"<html><title>Found</title><ol>{items}</ol></html>"


def crawled(directory: Path, start: str, **options: Any) -> tuple[dowse.Crawl, list[str]]:
    with Site({"/": start, "/api": api, "*": found}) as site:
        app.start(make_job("forms", [site.url], output=str(directory), **{**OPTIONS, **options}))
        return opened(directory), [request.target for request in site.asked()]


@pytest.mark.parametrize(
    ("body", "script"),
    [
        (f"<div role=search>{BOX}<button id=go>Search</button></div>", PRESSED),
        ("<div id=place></div>", BUILT),
        (f"<form role=search>{BOX}<button>Search</button></form>", SENT),
        (f"<form role=search>{BOX.replace('id', 'name=q id')}<button>Search</button></form>", SENT),
        (f"<form role=search>{BOX}</form>", GONE),
    ],
    ids=["no form", "made by a script", "no name", "a script sends it", "a script goes elsewhere"],
)
def test_a_form_that_scripts_send_is_filled_in(tmp_path: Path, body: str, script: str) -> None:
    crawl, _ = crawled(tmp_path / "out", page(body, script))
    titles = {row["title"] for row in crawl.records}
    assert {"red kettle", "red lamp"} <= titles <= set(NAMES)


def test_without_a_browser_it_says_what_is_needed(tmp_path: Path) -> None:
    body = f"<div role=search>{BOX.replace('id', 'name=q id')}<button id=go>Search</button></div>"
    crawl, asked = crawled(tmp_path / "out", page(body, PRESSED), fetch="http")
    assert [row["reason"] for row in crawl.forms] == ["only a script can send it; use --fetch browser"]
    assert len(asked) == 1


CHANGES = "document.getElementById('box').insertAdjacentHTML('afterend', '<input type=password name=p>');"


@pytest.mark.parametrize(
    "script",
    [
        f"document.getElementById('box').onfocus = () => {{ {CHANGES} }};",
        f"document.getElementById('box').oninput = () => {{ {CHANGES} }};",
    ],
    ids=["when it is touched", "when it is filled in"],
)
def test_what_turns_into_another_form_is_not_sent(tmp_path: Path, script: str) -> None:
    """The rule about forms that are never sent holds for the page as it stands when the button would be pressed."""
    body = f"<div role=search>{BOX}<button id=go>Search</button></div>"
    crawl, asked = crawled(tmp_path / "out", page(body, PRESSED + script), max_queries=3)
    assert not [target for target in asked if target.startswith("/api?words=") and target != "/api?words="]
    assert not list(crawl.records)


def test_a_log_in_made_by_a_script_is_refused(tmp_path: Path) -> None:
    fields = "User <input id=box><br>Password <input type=password id=p><button id=go>Search</button>"
    crawl, asked = crawled(tmp_path / "out", page(f"<div>{fields}</div>", PRESSED))
    assert [row["reason"] for row in crawl.forms] == ["it has a password field"]
    assert not [target for target in asked if target.startswith("/api")]


NEWSLETTER = (
    "<form id=n><input type=email name=email value=me@example.org><button><svg width=9 height=9></svg></button></form>"
)
SUBSCRIBES = """const news = document.getElementById('n');
if (news) news.onsubmit = event => {
  event.preventDefault(); fetch('/subscribe', {method: 'POST', body: 'email=' + news.email.value}); };"""
ASKS = """document.getElementById('s').onsubmit = event => {
  event.preventDefault(); show(document.querySelector('#s input').value); };"""
FORGETS = "onclick=\"fetch('/forget', {method: 'POST'})\""
SHOWS = "onclick=\"show(document.querySelector('input[type=search]').value)\""
BARE_BOX = "<input type=search placeholder='Search our goods'>"
CLEAR = f"<button {FORGETS}>Clear searches</button>"
ICON = f"<form role=search id=s>{BARE_BOX}<button><svg width=9 height=9></svg></button></form>"
BESIDE = ICON.replace("<input", f"<button type=button {FORGETS}>Search history</button><input").replace(
    "<svg", "Search<svg"
)


def asked_of(directory: Path, start: Reply | str | Callable[[Request], Answer]) -> list[tuple[str, str]]:
    """Method and path of what a harvest asks of a page in the browser."""
    with Site({"/": start, "/api": api, "/subscribe": "ok", "/forget": "ok", "*": found}) as site:
        app.start(make_job("forms", [site.url], output=str(directory), **{**OPTIONS, "max_queries": 3}))
        return [(request.method, request.path) for request in site.asked()]


def test_what_comes_before_a_form_later_is_not_sent_in_its_place(tmp_path: Path) -> None:
    """From the second visit on, the page has another form before the one that was judged."""
    visits = iter(["", *[NEWSLETTER] * 20])
    asked = asked_of(tmp_path / "out", lambda _request: page(next(visits) + ICON, ASKS + SUBSCRIBES))
    assert ("POST", "/subscribe") not in asked
    assert ("GET", "/api") in asked


def test_a_form_that_a_script_puts_in_front_is_not_sent_either(tmp_path: Path) -> None:
    """It comes while the box is filled in, between the two looks at the page."""
    puts = f"""document.querySelector('#s input').oninput = () => {{ if (document.getElementById('n')) return;
      document.getElementById('s').insertAdjacentHTML('beforebegin', `{NEWSLETTER}`); {SUBSCRIBES} }};"""
    asked = asked_of(tmp_path / "out", page(ICON, ASKS + puts))
    assert ("POST", "/subscribe") not in asked
    assert ("GET", "/api") in asked


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{CLEAR}</p><div role=search>{BARE_BOX}<button {SHOWS}>Search</button></div>",
        f"<div role=search>{CLEAR}{BARE_BOX}<button {SHOWS}>Search</button></div>",
        f"<div role=search>{BARE_BOX}<button {FORGETS}>Forget searches</button><button {SHOWS}>Find</button></div>",
        f"<div role=search>{BARE_BOX}<button {FORGETS} class=clear>x</button><button {SHOWS}>Search</button></div>",
        BESIDE,
    ],
    ids=["above", "before the box", "after the box", "a cross", "in a form"],
)
def test_only_a_button_that_searches_is_pressed(tmp_path: Path, body: str) -> None:
    asked = asked_of(tmp_path / "out", page(body, ASKS if "id=s" in body else ""))
    assert ("POST", "/forget") not in asked
    assert ("GET", "/api") in asked


@pytest.mark.parametrize("label", ["Clear searches", "Forget what I searched", "Next"])
def test_where_no_button_searches_enter_is_pressed_in_the_box(tmp_path: Path, label: str) -> None:
    script = "document.querySelector('input').onkeydown = event => event.key === 'Enter' && show(event.target.value);"
    asked = asked_of(
        tmp_path / "out", page(f"<div role=search>{BARE_BOX}<button {FORGETS}>{label}</button></div>", script)
    )
    assert ("POST", "/forget") not in asked
    assert ("GET", "/api") in asked
