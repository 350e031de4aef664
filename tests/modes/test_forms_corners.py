"""Crawls for forms that meet what they cannot use, and what they say of each URL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from dowse.modes.forms.form_fields import database
from dowse.parse.forms.form import Form
from tests.crawling import opened
from tests.servers import Answer, Page, Reply, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore", "harvest": True}
BOX = "<form action=/find><label>Find goods <input type=search name=q></label><button>Search</button></form>"
NAMES = [f"{colour} {thing}" for colour in ("red", "blue", "green") for thing in ("kettle", "lamp", "clock", "drum")]


def page(body: str, title: str = "A shop") -> str:
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


def listed(words: str) -> str:
    found = [each for each, name in enumerate(NAMES) if words and words.lower() in name.split()]
    items = "".join(f"<li><a href=/goods/{each}>{NAMES[each]}</a> is number {each}</li>" for each in found)
    return f"<p>{len(found)} results</p><ol>{items}</ol>"


def find(request: Request) -> Answer:
    return page(BOX + listed(request.query.get("q", "")))


def goods(request: Request) -> Answer:
    return page("<p class=price>12</p><a href=/goods/more>More</a>", f"Goods {request.path}")


def shop(**others: Page) -> dict[str, Any]:
    start = page(f"<p>A red kettle, a blue lamp.</p>{BOX}")
    return {"/": start, "/find": find, "*": goods, **{f"/{name}": each for name, each in others.items()}}


def forms(directory: Path, seed: str, **options: Any) -> dowse.Crawl:
    app.start(make_job("forms", [seed], output=str(directory), **{**QUICK, **options}))
    return opened(directory)


def asked(site: Site, path: str) -> int:
    return sum(request.path == path for request in site.asked())


def test_a_site_without_a_form_is_named(tmp_path: Path) -> None:
    with Site({"/": page("nothing")}) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert crawl.results().trouble.startswith("no search form was found")
    assert list(crawl.frame("forms")) == []


def test_a_captcha_in_the_form_is_refused(tmp_path: Path) -> None:
    box = BOX.replace("<button", "<input name=captcha_text><button")
    with Site({"/": page(box), "/find": find}) as site:
        crawl = forms(tmp_path / "out", site.url)
        assert not asked(site, "/find")
    assert [row["reason"] for row in crawl.frame("forms")] == ["it has a captcha"]


def test_a_captcha_in_the_answer_ends_the_harvest(tmp_path: Path) -> None:
    wall = page("<p>Are you a person?</p><script src=https://captcha.example/api.js></script>")
    with Site(shop(find=wall)) as site:
        crawl = forms(tmp_path / "out", site.url)
        assert asked(site, "/find") < 10
    assert [row["reason"] for row in crawl.frame("forms")] == ["it answers with a captcha"]


@pytest.mark.parametrize("frame", ["<iframe src=/box></iframe>", "<frameset><frame src=/box></frameset>"])
def test_a_form_in_a_frame_is_asked(tmp_path: Path, frame: str) -> None:
    start = f"<html><head><title>A shop</title></head>{frame}</html>"
    with Site({"/": start, "/box": page(f"red {BOX}"), "/find": find}) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert {row["title"] for row in crawl.records} == set(NAMES)


def test_a_select_with_ten_thousand_options_is_bounded(tmp_path: Path) -> None:
    options = "".join(f"<option value={each}>Choice {each}</option>" for each in range(10_000))
    form = f"<form action=/find role=search><select name=q>{options}</select><button>Search</button></form>"
    with Site({"/": page(form), "/find": lambda request: page(form)}) as site:
        crawl = forms(tmp_path / "out", site.url, max_queries=20)
        assert 1 < asked(site, "/find") <= 20
    (row,) = crawl.frame("forms")
    assert row["reason"] == "max_queries"
    database = (tmp_path / "out" / "crawl.db").stat().st_size
    assert database < 20_000_000, "the form is not written down with every query"


def test_a_form_that_is_sent_elsewhere_stays_in_scope(tmp_path: Path) -> None:
    box = BOX.replace("/find", "http://127.0.0.2:9/find")
    with Site({"/": page(box)}) as site:
        crawl = forms(tmp_path / "out", site.url)
    (row,) = crawl.frame("forms")
    assert row["reason"].startswith("it leads out of scope")


def test_robots_hold_for_queries(tmp_path: Path) -> None:
    rules = Reply("User-agent: *\nDisallow: /find", headers={"Content-Type": "text/plain"})
    with Site({"/robots.txt": rules, **shop()}) as site:
        crawl = forms(tmp_path / "out", site.url, robots="obey")
        assert not asked(site, "/find")
    assert [row["records"] for row in crawl.frame("forms")] == [0]


@pytest.mark.parametrize("when", ["later", "first"])
def test_pages_of_results_are_fetched(tmp_path: Path, when: str) -> None:
    with Site(shop()) as site:
        crawl = forms(
            tmp_path / "out", site.url, result_pages=when, extract=["price=css:.price"], concurrency=1, per_host=1
        )
        order = [request.path for request in site.asked()]
        assert sum(path.startswith("/goods/") for path in order) == len(NAMES), "and none that they link to"
    prices = [row for row in crawl.records if row.get("price")]
    assert len(prices) == len(NAMES)
    goods_first = order.index(next(path for path in order if path.startswith("/goods/")))
    last_query = len(order) - 1 - order[::-1].index("/find")
    assert (goods_first < last_query) == (when == "first")


def test_pages_of_results_are_left_alone_unless_asked_for(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url)
        assert not [request for request in site.asked() if request.path.startswith("/goods/")]
        states = {row["state"] for row in crawl.ledger if "/goods/" in row["url"]}
    assert states == {"kept"}


def test_why_tells_of_forms_queries_and_records(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url)
        query = next(row for row in crawl.frame("queries") if row["new"])
        stories = [crawl.why(url) for url in (site.url, query["url"], f"{site.url}goods/0")]
    start, answer, record = map(str, stories)
    assert "form             search, searchable 1.00; 12 records;" in start
    assert f"query            {query['query']}: results, {query['results']} results" in answer
    assert "record of        the query q = " in record


def test_tables_are_names_of_the_crawl(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert len(crawl.forms) == len(crawl.sites) == 1
    assert {row["kind"] for row in crawl.queries} >= {"nonsense", "everything", "word"}


def test_a_dry_run_needs_no_harvest(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url, harvest=False, dry_run=True)
        assert not asked(site, "/find")
    assert len(crawl.queries) == 5


def test_choices_are_asked_without_the_words_of_the_query_before(tmp_path: Path) -> None:
    """A form that comes back with an answer has the values of the query in it."""

    def box(words: str, colour: str) -> str:
        options = "".join(
            f"<option value='{each}'{' selected' * (each == colour)}>{each or 'any'}</option>"
            for each in ("", "red", "blue", "green")
        )
        fields = f"<input type=search name=q value='{words}'><select name=colour>{options}</select>"
        return f"<form action=/find role=search>{fields}</form>"

    def answer(request: Request) -> Answer:
        words, colour = request.query.get("q", ""), request.query.get("colour", "")
        return page(box(words, colour) + listed(colour if not words else ""))

    with Site({"/": page(box("", "")), "/find": answer}) as site:
        crawl = forms(tmp_path / "out", site.url)
    assert {row["title"] for row in crawl.records} == set(NAMES)


def test_a_second_visit_knows_which_forms_are_gone(tmp_path: Path) -> None:
    pages = shop()
    pages["/other"] = page(BOX.replace("/find", "/elsewhere"), "Another form")
    pages["/"] = page(f"{BOX}<a href=/other>Other</a><p>A red kettle, a blue lamp.</p>")
    with Site(pages) as site:
        before = list(forms(tmp_path / "out", site.url).records)
        pages["/other"] = page("no form any more", "No form")
        app.recrawl(str(tmp_path / "out"))
        crawl = opened(tmp_path / "out")
    assert {row["url"].removeprefix(site.url): row["gone"] for row in crawl.forms} == {"": 0, "other": 1}
    assert list(crawl.records) == before
    assert {row["pages"] for row in crawl.forms} == {1}, "a page that is fetched again counts once"
    assert not {row["reason"] for row in crawl.forms} & {"it answers with errors"}


def test_an_answer_that_leads_to_a_page_that_was_not_kept_is_none(tmp_path: Path) -> None:
    """All queries are sent on to one page, which is there already, though not its body."""
    moved = Reply(status=302, headers={"Location": "/"})
    with Site(shop(find=moved)) as site:
        crawl = forms(tmp_path / "out", site.url, bodies=False)
        assert 1 < asked(site, "/find") < 40
    assert [row["reason"] for row in crawl.forms] == ["nothing promises more"]


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("<form role=form><input name=name placeholder='Bookmark name...'></form>", "its field 'name' seems to be: "),
        (
            "<form action=/find role=search><input type=checkbox name=a><button>Search</button></form>",
            "it has no field",
        ),
    ],
    ids=["a name", "no field"],
)
def test_a_form_that_only_looks_like_a_search_is_not_sent(tmp_path: Path, form: str, reason: str) -> None:
    with Site({"/": page(form), "/find": find}) as site:
        crawl = forms(tmp_path / "out", site.url)
        assert len(site.asked()) == 1
    (row,) = crawl.forms
    assert row["reason"].startswith(reason)


def test_a_form_that_a_script_makes_is_asked(tmp_path: Path) -> None:
    made = f"<div id=place></div><script>document.getElementById('place').innerHTML = {BOX!r}</script>"
    with Site({**shop(), "/": page(f"<p>A red kettle, a blue lamp.</p>{made}")}) as site:
        crawl = forms(tmp_path / "out", site.url, fetch="browser", max_queries=6)
        assert asked(site, "/find")
    assert "red kettle" in {row["title"] for row in crawl.records}


def test_forms_that_all_pages_have_are_compared_with_others_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page of a site may have its search form, so the work for it must not grow with the forms that are asked."""
    compared: list[str] = []

    def counted(form: Form) -> tuple[str, str, str]:
        compared.append(form.action)
        return database(form)

    monkeypatch.setattr("dowse.modes.forms.bookkeeping.database", counted)
    links = "".join(f"<a href=/goods/{each}>Goods {each}</a>" for each in range(30))
    other = BOX.replace("name=q", "name=q><input name=maker")
    pages: dict[str, Any] = {
        "/": page(BOX + links),
        "/find": find,
        "*": lambda request: page(f"{BOX}{other}", request.path),
    }
    with Site(pages) as site:
        crawl = forms(tmp_path / "out", site.url, max_queries=1)
        assert asked(site, "/goods/29") == 1
    assert len(compared) <= 4
    assert [row["pages"] for row in crawl.frame("forms")] == [31, 30]
    assert sum(row["reason"].endswith("asks the same database") for row in crawl.frame("forms")) == 1


def test_a_larger_limit_on_queries_lets_a_harvest_go_on(tmp_path: Path) -> None:
    with Site(shop()) as site:
        crawl = forms(tmp_path / "out", site.url, max_queries=3)
        before = asked(site, "/find")
        assert [row["reason"] for row in crawl.frame("forms")] == ["max_queries"]
        app.resume(tmp_path / "out")
        assert asked(site, "/find") == before, "the limit is as it was"
        app.resume(tmp_path / "out", max_queries=6)
        assert asked(site, "/find") == before + 3
        app.resume(tmp_path / "out", max_queries=0)
    (row,) = opened(tmp_path / "out").frame("forms")
    assert row["reason"] != "max_queries"
    assert row["records"] == len(NAMES)
