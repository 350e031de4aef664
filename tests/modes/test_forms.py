"""Crawls for forms: which are found, what is asked of them, and what is never sent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from tests.crawling import opened
from tests.servers import Answer as Answered
from tests.servers import Page, Reply, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore"}
COLOURS, THINGS, PLACES = (
    ("red", "blue", "green", "white", "black", "brown", "grey"),
    ("kettle", "table", "lamp", "carpet", "mirror", "clock", "basket", "chair", "shelf", "vase", "drum"),
    ("Leith", "Oban", "Ayr", "Perth", "Wick"),
)
GOODS = [f"{colour} {thing} from {place}" for colour in COLOURS for thing in THINGS for place in PLACES]
"""385 things that a shop has."""

BOX = "<form action=/find><label>Find goods <input type=search name=q></label><button>Search</button></form>"


def matching(words: str) -> list[int]:
    """The numbers of the things that have all words; none for no words."""
    wanted = set(words.lower().split())
    return [number for number, name in enumerate(GOODS) if wanted and wanted <= set(name.lower().split())]


def results(found: list[int], page: int, more: str, size: int = 10) -> str:
    shown = found[(page - 1) * size : page * size]
    if not shown:
        return "<p>Nothing was found.</p><ul><li>Look at the spelling</li><li>Use another word</li><li>Ask us</li></ul>"
    items = "".join(f"<li><h3><a href=/goods/{each}>{GOODS[each]}</a></h3><p>Number {each}</p></li>" for each in shown)
    following = f"<a href='{more}'>Next</a>" if page * size < len(found) else ""
    return f"<p>{len(found)} results</p><ol class=found>{items}</ol>{following}"


def page(body: str, title: str = "A shop") -> str:
    menu = "<nav><a href=/>Home</a> <a href=/about>About us</a></nav>"
    return f"<html><head><title>{title}</title></head><body>{menu}<h1>{title}</h1>{body}</body></html>"


def find(request: Request) -> Answered:
    words, number = request.query.get("q", ""), int(request.query.get("page", "1"))
    return page(BOX + results(matching(words), number, f"/find?q={quote(words)}&page={number + 1}"))


def shop(**others: Page) -> dict[str, Any]:
    about = page("<p>We sell a kettle, a lamp and much else, in red and blue.</p>", "About us")
    return {"/": page(BOX), "/about": about, "/find": find, **{f"/{name}": each for name, each in others.items()}}


def forms(directory: Path, seed: str, **options: Any) -> dowse.Crawl:
    app.start(make_job("forms", [seed], output=str(directory), **{**QUICK, "harvest": True, **options}))
    return opened(directory)


def names(crawl: dowse.Crawl) -> set[str]:
    return {row["title"] for row in crawl.records}


def test_a_search_box_gives_all_that_is_behind_it(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert names(crawl) == set(GOODS)
    assert len(list(crawl.records)) == len(GOODS), "a record that several queries bring is there once"
    (form,) = crawl.frame("forms")
    assert form["records"] == len(GOODS)
    assert form["requests"] < 3 * len(GOODS) / 10


def test_an_estimate_says_how_much_is_left(tmp_path: Path) -> None:
    """Nothing is left where the last words bring nothing new, and records of earlier crawls are not left."""
    with Site(shop()) as site:
        crawls = [
            forms(tmp_path / "all", site.url),
            forms(tmp_path / "some", site.url, max_queries=16),
            forms(tmp_path / "more", site.url, max_queries=16, known=[str(tmp_path / "all")]),
        ]
    told = [{number.name.strip(): number.value for number in crawl.results().numbers} for crawl in crawls]
    assert [each["records"] for each in told] == [len(GOODS), 105, 105]
    left = [int(str(each["left, by a rough estimate"]).removeprefix("about ")) for each in told]
    assert left[0] == left[2] == 0
    assert 200 < left[1] < 350, "280 are"


def test_a_record_is_one_whatever_words_its_links_mark(tmp_path: Path) -> None:
    def marking(request: Request) -> str:
        return str(find(request)).replace("/goods/", f"/goods?mark={quote(request.query.get('q', ''))}&number=")

    with Site(shop(find=marking)) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert sorted(row["title"] for row in crawl.records) == sorted(GOODS)


def test_without_harvest_nothing_is_sent(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url, harvest=False)
        assert not [request for request in site.asked() if request.path == "/find"]
    assert [row["type"] for row in crawl.frame("forms")] == ["search"]


def test_a_dry_run_shows_what_would_be_sent(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url, dry_run=True)
        assert not [request for request in site.asked() if request.path == "/find"]
    assert [row["kind"] for row in crawl.frame("queries")][:3] == ["nonsense", "everything", "word"]


def test_a_form_with_a_token_is_sent_with_the_latest(tmp_path: Path) -> None:
    tokens = [0]

    def box() -> str:
        tokens[0] += 1
        hidden = f"<input type=hidden name=token value=t{tokens[0]}>"
        return BOX.replace("<form", "<form method=post").replace("<label", f"{hidden}<label")

    def answer(request: Request) -> Answered:
        sent = parse_qs(request.body.decode())
        if request.method != "POST" or sent.get("token") != [f"t{tokens[0]}"]:
            return Reply(page("<p>This form has expired.</p>"), status=403)
        return page(box() + results(matching(sent.get("q", [""])[0]), 1, "", size=200))

    start = lambda request: page(f"<p>Have a kettle.</p>{box()}")  # noqa: E731
    with Site({"/": start, "/find": answer}) as site:
        crawl = forms(tmp_path / "out", site.url, depth=0)
    assert names(crawl) == set(GOODS)


def test_a_form_with_choices_alone_is_asked_for_each(tmp_path: Path) -> None:
    options = "".join(f"<option value={place}>{place}</option>" for place in PLACES)
    select = f"<select name=q><option value=''>Choose</option>{options}</select>"
    form = f"<form action=/find>{select}<button>Show</button></form>"

    def answer(request: Request) -> Answered:
        words, number = request.query.get("q", ""), int(request.query.get("page", "1"))
        return page(form + results(matching(words), number, f"/find?q={words}&page={number + 1}"))

    with Site({"/": page(form), "/find": answer}) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert names(crawl) == set(GOODS)


def test_a_list_of_everything_needs_no_words(tmp_path: Path) -> None:
    def answer(request: Request) -> Answered:
        words, number = request.query.get("q", ""), int(request.query.get("page", "1"))
        found = matching(words) if words else list(range(len(GOODS)))
        return page(BOX + results(found, number, f"/find?q={words}&page={number + 1}"))

    with Site({"/": page(BOX), "/find": answer}) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert names(crawl) == set(GOODS)
    assert [row["reason"] for row in crawl.frame("forms")] == ["it lists all that it has"]
    assert len(list(crawl.frame("queries"))) == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Reply("broken", status=500), "it answers with errors"),
        (
            page("<form action=/in method=post><input name=u><input type=password name=p></form>"),
            "it answers with a log-in",
        ),
        (page(BOX), "the last 30 answers brought nothing new"),
    ],
    ids=["errors", "log-in", "the form again"],
)
def test_a_form_that_gives_nothing_is_left_alone(tmp_path: Path, answer: Page, reason: str) -> None:
    with Site(shop(find=answer)) as site:
        crawl = forms(tmp_path / "out", site.url)
        assert len([request for request in site.asked() if request.path == "/find"]) < 40
    assert [row["reason"] for row in crawl.frame("forms") if row["queries"]] == [reason]
    assert {row["url"] for row in crawl.pages} >= {f"{site.url}about"}, "the crawl goes on"


def test_an_endless_list_ends(tmp_path: Path) -> None:
    def answer(request: Request) -> Answered:
        number = int(request.query.get("page", "1"))
        again = "".join(f"<li><a href=/goods/{each}>{GOODS[each]}</a><p>Number {each}</p></li>" for each in range(10))
        return page(f"{BOX}<ol>{again}</ol><a href=/find?q={request.query.get('q', '')}&page={number + 1}>Next</a>")

    with Site(shop(find=answer)) as site:
        forms(tmp_path / "out", site.url)
        assert len([request for request in site.asked() if request.path == "/find"]) < 60


@pytest.mark.parametrize(
    "fields",
    [
        "User <input name=user>Password <input type=password name=p><button>Log in</button>",
        "E-mail <input type=email name=mail><textarea name=message></textarea><button>Send</button>",
        "Table name <input name=table><button>Create</button>",
        "File <input type=file name=file><button>Import</button>",
        "Card number <input name=card autocomplete=cc-number><button>Pay</button>",
        "Column <input name=name><button>Drop column</button>",
        "Your e-mail <input name=email><button>Subscribe</button>",
    ],
    ids=["log-in", "contact", "create", "upload", "payment", "drop", "newsletter"],
)
def test_what_is_no_search_is_never_sent(tmp_path: Path, fields: str) -> None:
    with Site({"/": page(f"<form action=/send method=post>{fields}</form>"), "/send": page("sent")}) as site:
        forms(tmp_path / "out", site.url)
        assert not [request for request in site.asked() if request.path == "/send"]


def test_a_harvest_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url, max_pages=15)
        some = names(crawl)
        assert 0 < len(some) < len(GOODS)
        app.resume(str(tmp_path / "out"), max_pages=0)
        asked = [request.target for request in site.asked() if request.path == "/find"]
    assert names(opened(tmp_path / "out")) == set(GOODS)
    assert len(asked) == len(set(asked)), "nothing is asked twice"


def test_why_tells_which_query_brought_a_page(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url)
    story = crawl.why(next(row["url"] for row in crawl.frame("queries") if row["new"]))
    assert story is not None
    assert re.search(r"the query q = \w+ of the form on http", story.asked.why)


def web(hosts: int) -> dict[str, Page]:
    """A directory of sites; every third sells cars and has a search inside, the others are about fish."""

    def answer(request: Request) -> Answered:
        number = int(request.host.rpartition(".")[2])
        port = request.headers["host"].partition(":")[2]
        if number == 1:
            sites = [(each, "fish" if each % 3 else "used cars") for each in range(2, hosts + 2)]
            links = "".join(f"<li><a href=http://127.0.0.{each}:{port}/>{what} of {each}</a>" for each, what in sites)
            return page(f"<ul>{links}</ul>", "Used cars: all dealers")
        subject = "used cars" if number % 3 == 0 else "fish"
        if request.path == "/cars/search" and number % 3 == 0:
            return page(BOX, f"Search {subject} {number}")
        links = "".join(f"<li><a href=/news/{each}>News {each}</a>" for each in range(40))
        more = "<a href=/cars/search>Search our cars</a>" if number % 3 == 0 else ""
        return page(f"<p>All about {subject}.</p><ul>{links}</ul>{more}", f"{subject} {number}{request.path}")

    return {"*": answer}


def test_sites_of_a_topic_are_located_and_explored(tmp_path: Path) -> None:
    addresses = tuple(f"127.0.0.{number}" for number in range(1, 14))
    with Site(web(12), addresses=addresses) as site:
        start = site.at("127.0.0.1", "/")
        options = {"topic": "used cars", "harvest": False, "allow_private": True, "barren_pages": 10, "max_pages": 200}
        crawl = forms(tmp_path / "out", start, **options)
        asked = [request.host for request in site.asked()]
    found = {row["url"].partition("//")[2].partition(":")[0] for row in crawl.frame("forms")}
    assert found == {f"127.0.0.{number}" for number in (3, 6, 9, 12)}
    fish = [f"127.0.0.{number}" for number in range(2, 14) if number % 3]
    assert max(asked.count(host) for host in fish) <= 2, "of a site off topic only the home page is read"
