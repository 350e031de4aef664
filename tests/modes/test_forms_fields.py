"""Crawls for forms with several fields: choices, ranges, dates, and what must be filled in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from tests.crawling import opened
from tests.servers import Answer, Reply, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore", "harvest": True, "max_queries": 0}
MAKES = ("fiat", "ford", "opel", "saab", "seat", "skoda")
COLOURS = ("red", "blue", "green", "white")
FIRST_DAY = date(2015, 1, 1)
LIMIT = 20


class Car(NamedTuple):
    """A record of the database."""

    number: int
    make: str
    colour: str
    price: int
    day: date

    @property
    def words(self) -> set[str]:
        return {self.make, self.colour, f"car{self.number}"}


CARS = [
    Car(n, MAKES[n % 6], COLOURS[n // 6 % 4], 100 + (n * n * 7) % 9_000, FIRST_DAY + timedelta(days=n * 11 % 2_000))
    for n in range(400)
]


def select(name: str, choices: tuple[str, ...], first: str = "<option value=''>Any</option>") -> str:
    return f"<select name={name}>{first}{''.join(f'<option>{each}</option>' for each in choices)}</select>"


def page(body: str) -> str:
    return f"<html lang=en><head><title>Used cars</title></head><body><h1>Used cars</h1>{body}</body></html>"


def listed(found: list[Car], *, total: bool = True) -> str:
    """The first results; the others are never shown."""
    count = f"<p>{len(found)} results</p>" if total else ""
    items = "".join(
        f"<li><h3><a href=/car/{car.number}>car{car.number}</a></h3><p>{car.make} {car.colour}</p></li>"
        for car in found[:LIMIT]
    )
    return f"{count}<ol>{items}</ol>" if found else "<p>Nothing was found</p>"


Test = Callable[[Car, str], bool]
TESTS: dict[str, Test] = {
    "make": lambda car, value: car.make == value,
    "colour": lambda car, value: car.colour == value,
    "price_min": lambda car, value: car.price >= float(value),
    "price_max": lambda car, value: car.price <= float(value),
    "date_from": lambda car, value: car.day >= date.fromisoformat(value),
    "date_to": lambda car, value: car.day <= date.fromisoformat(value),
    "von": lambda car, value: car.day >= datetime.strptime(value, "%d.%m.%Y").date(),
    "bis": lambda car, value: car.day <= datetime.strptime(value, "%d.%m.%Y").date(),
    "q": lambda car, value: set(value.lower().split()) <= car.words,
}


def lot(fields: str, *, total: bool = True, needs: str = "") -> dict[str, Any]:
    """A site with a form of these fields. A value that it cannot read is an error, as is a field that is missing."""
    form = f"<form action=/find role=search>{fields}<button>Search</button></form>"

    def find(request: Request) -> Answer:
        try:
            found = [
                car
                for car in CARS
                if all(TESTS[name](car, value) for name, value in request.query.items() if value and name in TESTS)
            ]
        except ValueError:
            return Reply(page("This is no date"), status=500)
        if needs and not request.query.get(needs):
            return Reply(page("Something is missing"), status=400)
        return page(form + listed(found, total=total))

    return {"/": page(form), "/find": find}


def harvest(directory: Path, pages: dict[str, Any], **options: Any) -> dowse.Crawl:
    with Site(pages) as site:
        app.start(make_job("forms", [site.url], output=str(directory), **{**QUICK, **options}))
    return opened(directory)


def numbers(crawl: dowse.Crawl) -> set[int]:
    return {int(row["title"].removeprefix("car")) for row in crawl.records}


ALL = {car.number for car in CARS}
PRICES = "Price from <input name=price_min> to <input name=price_max>"


@pytest.mark.parametrize("total", [True, False], ids=["with a total", "without"])
@pytest.mark.parametrize(
    "fields",
    [
        PRICES,
        PRICES.replace("<input", "<input type=number min=0 max=20000"),
        "<label>From <input type=date name=date_from></label><label>To <input type=date name=date_to></label>",
        "<label>Date from <input name=von placeholder=TT.MM.JJJJ></label><label>to <input name=bis></label>",
        select("make", MAKES) + PRICES,
        select("make", MAKES) + select("colour", COLOURS) + PRICES,
    ],
    ids=["prices", "numbers", "dates", "written dates", "a choice and prices", "two choices and prices"],
)
def test_what_is_cut_off_is_divided_until_all_is_there(tmp_path: Path, fields: str, total: bool) -> None:
    crawl = harvest(tmp_path / "out", lot(fields, total=total))
    assert numbers(crawl) == ALL
    (form,) = crawl.forms
    assert form["reason"].startswith("it came whole, by ")
    assert form["requests"] < 150
    assert not {row["answer"] for row in crawl.queries} & {"error"}
    told = {number.name.strip(): number for number in crawl.results().numbers}
    assert told["left"].value == "0", "what came whole needs no estimate"


def test_prices_of_selects_are_divided_at_their_options(tmp_path: Path) -> None:
    points = tuple(str(each) for each in (0, 500, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000))
    fields = select("make", MAKES) + select("price_min", points) + select("price_max", points)
    crawl = harvest(tmp_path / "out", lot(fields))
    assert numbers(crawl) == ALL


def test_words_divide_a_choice_that_was_cut_off(tmp_path: Path) -> None:
    crawl = harvest(tmp_path / "out", lot(f"<input type=search name=q>{select('make', MAKES)}"), max_queries=60)
    assert "refined" in {row["kind"] for row in crawl.queries}
    refined = {row["query"] for row in crawl.queries if row["kind"] == "refined" and row["new"]}
    assert any("q = " in text and "make = " in text for text in refined)
    assert len(numbers(crawl)) > 0.95 * len(ALL)


@pytest.mark.parametrize("kind", ["radio", "checkbox"])
def test_buttons_and_boxes_are_choices(tmp_path: Path, kind: str) -> None:
    boxes = "".join(f"<label><input type={kind} name=make value={make}>{make}</label>" for make in MAKES)
    crawl = harvest(tmp_path / "out", lot(f"{boxes}{PRICES}"))
    assert numbers(crawl) == ALL
    assert {"make = fiat", "make = saab"} <= {row["query"] for row in crawl.queries}


def test_a_field_that_changes_nothing_is_left_alone(tmp_path: Path) -> None:
    countries = tuple(f"country{each}" for each in range(50))
    crawl = harvest(tmp_path / "out", lot(select("country", countries) + select("make", MAKES) + PRICES))
    assert numbers(crawl) == ALL
    assert sum("country = " in row["query"] for row in crawl.queries) <= 3


def test_what_must_be_filled_in_is(tmp_path: Path) -> None:
    needed = "<label>Radius <input type=number name=radius min=5 required></label>"
    crawl = harvest(tmp_path / "out", lot(f"{needed}{PRICES}", needs="radius"))
    assert numbers(crawl) == ALL
    assert all("radius=5" in row["url"] for row in crawl.queries)


def test_records_without_a_choice_are_looked_for_by_words(tmp_path: Path) -> None:
    """All choices came whole, but some records have none of them."""
    some = tuple(make for make in MAKES if make != "saab")
    fields = f"<input type=search name=q>{select('make', some)}{PRICES}"
    pages = lot(fields, total=False)
    find: Callable[[Request], Answer] = pages["/find"]
    nothing = page(f"<form action=/find role=search>{fields}<button>Search</button></form><p>Nothing</p>")

    def asked(request: Request) -> Answer:
        return find(request) if request.query.get("q") or request.query.get("make") else nothing

    pages["/find"] = asked
    crawl = harvest(tmp_path / "out", pages | {"/": page(f"saab fiat {pages['/']}")}, max_queries=200)
    assert any(CARS[number].make == "saab" for number in numbers(crawl))


def test_a_divided_harvest_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with Site(lot(select("make", MAKES) + PRICES)) as site:
        app.start(make_job("forms", [site.url], output=str(tmp_path / "out"), **QUICK, max_pages=30))
        assert len(numbers(opened(tmp_path / "out"))) < len(ALL)
        app.resume(str(tmp_path / "out"), max_pages=0)
        asked = [request.target for request in site.asked() if request.path == "/find"]
    crawl = opened(tmp_path / "out")
    assert numbers(crawl) == ALL
    assert [row["reason"][:14] for row in crawl.forms] == ["it came whole,"]
    assert len(asked) == len(set(asked)), "nothing is asked twice"


def test_what_the_page_of_the_form_shows_is_no_result_of_its_choices(tmp_path: Path) -> None:
    """No nonsense can be asked of a select, so its own page shows what answers without results have."""
    menu = "".join(f"<li><a href=/part/{each}>Part {each} of our shop</a> and more of it</li>" for each in range(5))
    pages = lot(select("make", (*MAKES, "lada", "yugo")) + select("colour", (*COLOURS, "pink")))
    find = pages["/find"]
    pages = {"/": pages["/"].replace("</body>", f"<ul>{menu}</ul></body>")} | {
        "/find": lambda request: find(request).replace("</body>", f"<ul>{menu}</ul></body>")
    }
    crawl = harvest(tmp_path / "out", pages)
    assert {row["title"][:3] for row in crawl.records} == {"car"}


def test_a_choice_that_a_form_begins_with_hides_nothing_if_others_bring_the_same(tmp_path: Path) -> None:
    """A form that lists all of one choice has not listed all, unless the choice changes nothing."""
    ways = "".join(f"<option value={each}>{each}</option>" for each in ("exact", "contains", "begins", "ends", "is"))
    listing = lot(f"<input type=search name=q><select name=how>{ways}</select>")
    fewer = {number: car for number, car in enumerate(CARS) if number < LIMIT}
    find: Callable[[Request], Answer] = listing["/find"]

    def answer(request: Request) -> Answer:
        return page(listing["/"] + listed(list(fewer.values()))) if not request.query.get("q") else find(request)

    crawl = harvest(tmp_path / "out", {**listing, "/find": answer})
    assert [row["reason"] for row in crawl.forms] == ["it lists all that it has"]
    assert len(list(crawl.queries)) <= 4, "the nonsense, everything, and two more choices"
