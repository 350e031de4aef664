"""Crawls for forms over many sites: which are explored, when they are left, and how further ones are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from dowse.core.errors import JobError
from tests.crawling import opened
from tests.servers import Answer, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore", "allow_private": True, "topic": "used cars"}
BOX = "<form action=/find><label>Find cars <input type=search name=q></label><button>Search</button></form>"


def page(body: str, title: str) -> str:
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


def addresses(most: int) -> tuple[str, ...]:
    return tuple(f"127.0.0.{number}" for number in range(1, most + 1))


def forms(directory: Path, seed: str, **options: Any) -> dowse.Crawl:
    app.start(make_job("forms", [seed], output=str(directory), **{**QUICK, **options}))
    return opened(directory)


def with_forms(crawl: dowse.Crawl) -> set[int]:
    """The last numbers of the addresses of hosts that had forms."""
    return {number_of(row["host"]) for row in crawl.frame("sites") if row["forms"]}


def number_of(host: str) -> int:
    return int(host.partition(":")[0].rpartition(".")[2])


def listing(request: Request, numbers: range) -> str:
    """Links to other sites."""
    port = request.headers["host"].partition(":")[2]
    return "".join(f"<li><a href=http://127.0.0.{number}:{port}/>used cars of {number}</a>" for number in numbers)


def islands(request: Request) -> Answer:
    """Sites 1 to 9 sell cars and link to nobody; 10 lists them, and is found by the search of 11 alone."""
    number = number_of(request.host)
    if number == 11:
        asked = unquote(request.query.get("q", ""))
        port = request.headers["host"].partition(":")[2]
        return page(f"<p>{asked}</p><a href=http://127.0.0.10:{port}/list>A list</a>", "Who links there")
    if number == 10:
        return page(f"<ul>{listing(request, range(1, 10))}</ul>", "Dealers of used cars")
    return page(BOX, f"Used cars of {number}")


def test_a_search_says_who_links_to_a_site(tmp_path: Path) -> None:
    with Site({"*": islands}, addresses=addresses(11)) as site:
        search = site.at("127.0.0.11", "/?q=link:{url}")
        crawl = forms(tmp_path / "out", site.at("127.0.0.1", "/"), backlinks=search)
        asked = [request.query["q"] for request in site.asked() if request.host == "127.0.0.11"]
        story = crawl.why(site.at("127.0.0.10", "/list"))
    assert with_forms(crawl) == set(range(1, 10))
    assert asked[0] == f"link:{site.at('127.0.0.1', '/')}"
    assert len(asked) == len(set(asked)), "each site is searched for once"
    assert story is not None
    assert story.asked.why == "a reverse search names it"
    queues = {number_of(row["host"]): row["queue"] for row in crawl.frame("sites")}
    assert queues[5] == "high"


def test_a_file_says_who_links_to_a_site(tmp_path: Path) -> None:
    with Site({"*": islands}, addresses=addresses(11)) as site:
        links = tmp_path / "links.csv"
        centre, target = site.at("127.0.0.10", "/list"), site.at("127.0.0.1", "/about")
        links.write_text(f"page,target\n{centre},{target}\n", encoding="utf-8")
        crawl = forms(tmp_path / "out", site.at("127.0.0.1", "/"), backlinks=str(links))
    assert with_forms(crawl) == set(range(1, 10))


def test_nobody_is_asked_while_enough_sites_wait(tmp_path: Path) -> None:
    with Site({"*": islands}, addresses=addresses(11)) as site:
        search = site.at("127.0.0.11", "/?q=link:{url}")
        forms(tmp_path / "out", site.at("127.0.0.1", "/"), backlinks=search, candidates=0)
        assert not [request for request in site.asked() if request.host == "127.0.0.11"]


def test_a_crawl_begins_with_the_sites_of_an_earlier_one(tmp_path: Path) -> None:
    with Site({"*": islands}, addresses=addresses(11)) as site:
        forms(tmp_path / "before", site.at("127.0.0.2", "/"))
        crawl = forms(tmp_path / "out", site.at("127.0.0.1", "/"), known=[str(tmp_path / "before")])
    assert with_forms(crawl) == {1, 2}


def test_forms_of_an_earlier_crawl_are_looked_for_first(tmp_path: Path) -> None:
    """Their yields go on, and a form that its page has no more is gone."""
    pages: dict[str, Any] = {f"/text/{each}": page("text", f"text {each}") for each in range(50)}
    links = "".join(f"<a href={path}>text</a> " for path in pages)
    boxes = [BOX]
    pages |= {
        "/": page(links + "<a href=/cars>cars</a>", "used cars"),
        "/cars": page("<a href=/cars/a>a</a>", "used cars"),
        "/cars/a": lambda _request: page("".join(boxes), "used cars"),
        "/find": page("<p>Nothing</p>", "used cars"),
    }
    with Site(pages) as site:
        forms(tmp_path / "first", site.url, harvest=True, max_queries=3)
        again = forms(tmp_path / "second", site.url, known=[str(tmp_path / "first")], max_pages=2)
        boxes.clear()
        later = forms(tmp_path / "third", site.url, known=[str(tmp_path / "second")], max_pages=2)
    assert [row["url"].removeprefix(site.url) for row in again.pages] == ["", "cars/a"], "without what leads there"
    (form,) = again.frame("forms")
    assert (form["gone"], form["earlier_queries"], form["earlier_records"]) == (0, 3, 0)
    (form,) = later.frame("forms")
    assert (form["gone"], form["earlier_queries"], form["pages"]) == (1, 3, 0)
    assert form["reason"] == "it was there in an earlier crawl"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"known": ["nowhere"]}, "known: there is no crawl in nowhere"),
        ({"backlinks": "nowhere.csv"}, "backlinks: nowhere.csv cannot be read as CSV: .*"),
    ],
    ids=["no crawl", "no file"],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, option: dict[str, Any], message: str) -> None:
    with pytest.raises(JobError, match=f"^{message}$"):
        forms(tmp_path / "out", "http://127.0.0.1:9/", **option)


def test_a_crawl_of_another_kind_has_no_sites(tmp_path: Path) -> None:
    with Site({"/": page("", "A site")}) as site:
        app.start(make_job("site", [site.url], output=str(tmp_path / "before"), delay=0.0))
        with pytest.raises(JobError, match=r"^known: the crawl in .* was not for forms$"):
            forms(tmp_path / "out", site.url, known=[str(tmp_path / "before")])


def wide(request: Request) -> Answer:
    """A site with a form on each of a hundred pages, on top of as many pages without."""
    links = "".join(f"<a href=/{kind}/{each}>{kind} {each}</a> " for kind in ("form", "text") for each in range(100))
    box = BOX.replace("/find", f"/find{request.path}") if request.path.startswith("/form/") else ""
    return page(box or links, f"used cars {request.path}")


@pytest.mark.parametrize(
    ("options", "kinds", "reason"),
    [
        ({"depth_forms": 5}, {"form": 5}, "site left: 5 forms at depth 1"),
        ({"depth_pages": 20, "depth_forms": 0}, {"form": 20, "text": 20}, "site left: 20 pages at depth 1"),
    ],
    ids=["forms", "pages"],
)
def test_enough_of_a_depth_is_enough(
    tmp_path: Path, options: dict[str, Any], kinds: dict[str, int], reason: str
) -> None:
    """Limits are kept to, though many pages are on their way at a time."""
    with Site({"*": wide}) as site:
        crawl = forms(tmp_path / "out", site.url, concurrency=16, per_host=16, **options)
        asked = [
            request.path.split("/")[1] for request in site.asked() if request.path.startswith(("/form/", "/text/"))
        ]
    assert sum(kind in kinds for kind in asked) == max(kinds.values())
    assert reason in {row["reason"] for row in crawl.ledger}


def test_a_site_that_the_user_named_is_explored_whatever_its_home_page_says(tmp_path: Path) -> None:
    with Site({"/": page("<a href=/shop>enter</a>", "Welcome"), "/shop": page(BOX, "used cars")}) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert with_forms(crawl) == {1}


def test_sites_that_are_full_make_room_for_others(tmp_path: Path) -> None:
    """Sites have more pages than one host may give, and there are more of them than are explored at a time."""

    def answer(request: Request) -> Answer:
        texts = "".join(f"<a href=/text/{each}>text {each}</a> " for each in range(20))
        is_last = number_of(request.host) == 20
        return page((BOX if is_last else "") + listing(request, range(1, 21)) + texts, f"used cars {request.path}")

    with Site({"*": answer}, addresses=addresses(20)) as site:
        crawl = forms(tmp_path / "out", site.at("127.0.0.1", "/"), host_pages=3)
        homes = [request.path for request in site.asked() if not request.path.startswith("/text/")]
    assert with_forms(crawl) == {20}
    assert homes == ["/"] * 20, "each home page is asked for by its own address, once"
    assert {row["reason"] for row in crawl.frame("sites")} == {"host_pages 3"}


def test_a_site_without_forms_is_left(tmp_path: Path) -> None:
    text = "".join(f"<a href=/text/{each}>text {each}</a> " for each in range(100))
    with Site({"*": lambda request: page(text, f"used cars {request.path}")}) as site:
        crawl = forms(tmp_path / "out", site.url, barren_pages=10, depth=9, concurrency=16, per_host=16)
        assert len(site.asked()) == 10
    assert [row["reason"] for row in crawl.frame("sites")] == ["10 pages without a new form"]
    assert crawl.results().trouble.startswith("no search form was found")


def test_no_directory_starves(tmp_path: Path) -> None:
    """A form in a small directory is found before a large one is read to its end."""

    def answer(request: Request) -> Answer:
        if request.path == "/small/1":
            return page(BOX, "used cars, small")
        links = "".join(f"<a href=/large/{each}>text {each}</a> " for each in range(200))
        return page(f"{links}<a href=/small/1>text</a>" if request.path == "/" else "text", f"cars {request.path}")

    with Site({"*": answer}) as site:
        forms(tmp_path / "out", site.url, topic="", concurrency=1, per_host=1)
        asked = [request.path for request in site.asked()]
    assert asked.index("/small/1") < 20
