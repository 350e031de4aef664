"""Crawls for forms that meet walls, errors and lists without end: named, bounded, and the crawl goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from tests.crawling import opened
from tests.servers import Answer, Reply, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore", "harvest": True}
BOX = "<form action=/find><label>Find goods <input type=search name=q></label><button>Search</button></form>"
MAKES = "".join(f"<option>{each}</option>" for each in ("red", "blue", "green", "black", "white", "grey"))
WIDE = BOX.replace("<button", f"<select name=colour><option value=''>Any</option>{MAKES}</select><button")
PRICED = WIDE.replace("<button", "Price <input name=price_min> to <input name=price_max><button")


def page(body: str, title: str = "A shop") -> str:
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


def crawled(directory: Path, box: str, find: Any, **options: Any) -> tuple[dowse.Crawl, int]:
    start = page(f"<p>A red kettle.</p>{box}<a href=/other>Other</a>")
    with Site({"/": start, "/find": find, "/other": page("The other page", "Other")}) as site:
        app.start(make_job("forms", [site.url], output=str(directory), **{**QUICK, **options}))
        asked = [request.path for request in site.asked()]
    assert "/other" in asked, "the crawl goes on"
    return opened(directory), asked.count("/find")


def again(request: Request) -> Answer:
    return page(PRICED + f"<p>You asked for {request.query.get('q', '')}</p>")


def endless(request: Request) -> Answer:
    """Always the same results, and always one more page of them."""
    number = int(request.query.get("page", "1"))
    items = "".join(f"<li><a href=/goods/{each}>thing {each}</a> in stock</li>" for each in range(10))
    return page(f"{PRICED}<ol>{items}</ol><a href=/find?q={request.query.get('q', '')}&page={number + 1}>Next</a>")


def growing(request: Request) -> Answer:
    """Each answer says to have another number of results, and shows the same ones."""
    number = abs(hash(request.target)) % 9_000 + 1_000
    items = "".join(f"<li><a href=/goods/{each}>thing {each}</a> in stock</li>" for each in range(10))
    return page(f"{PRICED}<p>{number} results</p><ol>{items}</ol>")


LOGIN = page(
    "<form action=/login method=post>User <input name=u>Password <input type=password name=p></form>", "Log in"
)
ERROR = Reply(page("Out of order"), status=500)


@pytest.mark.parametrize("box", [BOX, WIDE, PRICED], ids=["a box", "a choice", "a range"])
@pytest.mark.parametrize(
    ("find", "reason"),
    [
        (LOGIN, "it answers with a log-in"),
        (ERROR, "it answers with errors"),
        (again, "nothing promises more"),
        (endless, ""),
        (growing, ""),
    ],
    ids=["a log-in wall", "500 to everything", "the form again", "an endless list", "a total that changes"],
)
def test_bad_answers_are_named_and_bounded(tmp_path: Path, box: str, find: Any, reason: str) -> None:
    crawl, asked = crawled(tmp_path / "out", box, find, max_queries=0)
    assert asked < 150
    (form,) = crawl.forms
    assert form["reason"], "why it ended is told"
    assert reason in form["reason"] or form["reason"].startswith("the last ")
    assert not form["reason"].startswith("it came whole"), "nothing says that all came"
    assert form["records"] <= 10


def test_ten_thousand_options_are_bounded(tmp_path: Path) -> None:
    options = "".join(f"<option value={each}>Choice {each}</option>" for each in range(10_000))
    box = f"<form action=/find role=search><select name=make>{options}</select>{PRICED[PRICED.index('Price') :]}"
    crawl, asked = crawled(tmp_path / "out", box, again, max_queries=0)
    assert asked < 150
    (form,) = crawl.forms
    assert form["reason"]


NUMBER = "1" * 5_000


@pytest.mark.parametrize(
    "field",
    [
        f"<select name=per_page><option value={NUMBER}>x</option><option>10</option></select>",
        f"<input type=number name=stars min={NUMBER} max=5>",
        f"<input type=number name=stars min=1 max=5 step={NUMBER}>",
    ],
    ids=["the size of a page", "a least value", "a step"],
)
def test_numbers_of_thousands_of_digits_do_not_end_the_crawl(tmp_path: Path, field: str) -> None:
    find = page(f"<p>Found 1 of {NUMBER[:30]}</p><ol><li><a href=/goods/1>thing</a> in stock</li></ol>")
    _, asked = crawled(tmp_path / "out", BOX.replace("<button", f"{field}<button"), find, max_queries=3)
    assert asked == 3


def test_a_form_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is that a stranger's form has, the crawl goes on without it."""

    def fail(*_given: Any, **_named: Any) -> None:
        raise ValueError("no such field")

    monkeypatch.setattr("dowse.modes.forms.bookkeeping.Harvest", fail)
    _, asked = crawled(tmp_path / "out", BOX, again)
    assert asked == 0
