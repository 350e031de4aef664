"""Near-duplicates: what is skipped, what must not be, and how every skip is seen and undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core import url_variants
from dowse.core.duplicates.near_index import DISTANCE
from dowse.core.duplicates.simhash import signature
from dowse.core.errors import JobError
from dowse.engine.events import Event, Learned
from dowse.parse.blocks import find_passages
from tests import manners
from tests.articles import page, text
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, path_of, reasons, states
from tests.hostile import redirect
from tests.processes import running, wait_for_requests
from tests.servers import Page, Reply, Request, Site

Serve = Callable[..., Site]
Capture = pytest.CaptureFixture[str]
NEAR: dict[str, Any] = {"dedup": "near", "per_host": 1}
ARTICLES = 30


def front(*more: str) -> str:
    return links(*(f"/a/{number}" for number in range(ARTICLES)), *more)


def articles(site: Site, **other: Any) -> None:
    site.pages["/topic/*"] = "topic"
    site.pages.update({f"/a/{number}": page(number) for number in range(ARTICLES)})
    site.pages.update(other)


# What is kept


def test_pages_of_one_template_are_different_pages(site: Site, tmp_path: Path) -> None:
    articles(site)
    short = {f"/s/{number}": page(number, words=40) for number in range(ARTICLES)}
    site.pages.update({"/": front(*short), **short})
    found = crawl(tmp_path, site.url, **NEAR)
    kept = {path for path, state in states(found).items() if state == "fetched"}
    assert kept >= {*short, *(f"/a/{number}" for number in range(ARTICLES))}
    raw = [signature(find_passages(body, "").words) for body in short.values()]
    near = [(one ^ other).bit_count() <= DISTANCE for one in raw for other in raw if one is not other]
    assert any(near), "the template is too light: plain SimHash must take some of these for the same"


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda number: page(number, more="<p>9.99 EUR, 3 left</p>", words=60), id="price"),
        pytest.param(lambda number: page(number + 500), id="other text"),
        pytest.param(lambda number: page(number).replace(text(number), text(number)[:500]), id="half of the text"),
    ],
)
def test_what_is_not_nearly_the_same_is_kept(site: Site, tmp_path: Path, changed: Callable[[int], str]) -> None:
    articles(site)
    site.pages["/a/3"] = page(3, more="<p>8.49 EUR, 5 left</p>", words=60) if "9.99" in changed(3) else page(3)
    site.pages.update({"/": front("/other"), "/other": changed(3)})
    assert states(crawl(tmp_path, site.url, **NEAR))["/other"] == "fetched"


def test_seeds_are_never_skipped(site: Site, tmp_path: Path) -> None:
    site.pages.update(
        {"/one": page(1, "/two"), "/two": page(1, "/three", more="<p>printed at 12:03</p>"), "/three": "x"}
    )
    site.pages["/topic/*"] = "topic"
    found = crawl(tmp_path, site.at("127.0.0.1", "/one"), site.at("127.0.0.1", "/two"), **NEAR)
    assert states(found)["/two"] == states(found)["/three"] == "fetched"


# What is skipped


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("late", [False, True])
def test_copies_with_small_changes_are_skipped(site: Site, tmp_path: Path, late: bool, workers: int) -> None:
    copies = {
        "/print": page(3, "/behind", bare=True),
        "/session": page(4, more="<p>session 5f1c9a77b2, signed in at 14:02:11</p>"),
        "/dated": page(5).replace(FIRST_OF_FIVE, FIRST_OF_FIVE + " 2024-05-06 11:12:13"),
    }
    articles(site, **copies)
    site.pages["/"] = front("/more")
    site.pages["/more"] = links(*copies) if late else links("/next")
    site.pages["/next"] = links(*copies)
    found = crawl(tmp_path, site.url, **NEAR, workers=workers)
    assert {path: reasons(found)[path] for path in copies} == dict.fromkeys(copies, "near_duplicate")
    assert "/behind" not in states(found), "the links of a duplicate are not followed"
    story = found.why(site.at("127.0.0.1", "/session"))
    assert story is not None
    assert (story.state, story.duplicate_of) == ("duplicate", site.at("127.0.0.1", "/a/4"))
    assert "of the text is the same" in story.visits[-1]["detail"]


FIRST_OF_FIVE = text(5).partition(".")[0].removeprefix("<p>")


def test_the_settings_without_near_keep_such_copies(site: Site, tmp_path: Path) -> None:
    articles(site, **{"/print": page(3, "/behind", bare=True), "/behind": "x"})
    site.pages["/"] = front("/print")
    for dedup in ("exact", "off"):
        assert states(crawl(tmp_path / dedup, site.url, dedup=dedup))["/behind"] == "fetched"


def test_a_canonical_is_believed_if_the_pages_are_alike(site: Site, tmp_path: Path) -> None:
    named = f"<link rel=canonical href='{site.at('127.0.0.1', '/a/7')}'>"
    honest = page(7, head=named, more=text(77, words=40))  # too much more to be found without it
    articles(site, **{"/honest": honest, "/liar": page(99, head=named)})
    site.pages["/"] = front("/honest", "/liar")
    found = crawl(tmp_path, site.url, **NEAR)
    assert reasons(found)["/honest"] == "canonical"
    assert states(found)["/liar"] == "fetched"


# Every skip can be seen and undone


@pytest.mark.parametrize("dedup", ["exact", "off"])
def test_resuming_without_near_fetches_what_was_skipped(
    site: Site, tmp_path: Path, capsys: Capture, dedup: str
) -> None:
    articles(site, **{"/print": page(3, "/behind", bare=True), "/behind": "x"})
    site.pages["/"] = front("/print")
    before = crawl(tmp_path, site.url, **NEAR).status().pages
    assert "same content as" in invoke(capsys, "why", tmp_path, site.at("127.0.0.1", "/print")).out
    app.resume(tmp_path, dedup=dedup)
    found = opened(tmp_path)
    assert (states(found)["/print"], states(found)["/behind"]) == ("fetched", "fetched")
    assert found.status().pages == before + 1, "a page that is fetched again is one page"
    assert "dedup" in str(found.job)


def test_mirrors_are_released_by_off_alone(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/b"), "/a": links("/c"), "/b": links("/c"), "/c": "c"})
    crawl(tmp_path, site.url, per_host=1)
    app.resume(tmp_path, dedup="near")
    assert states(opened(tmp_path))["/b"] == "duplicate"
    app.resume(tmp_path, dedup="off")
    assert states(opened(tmp_path))["/b"] == "fetched"


def test_a_recrawl_leaves_near_duplicates_what_they_are(site: Site, tmp_path: Path) -> None:
    articles(site, **{"/print": page(3, bare=True)})
    site.pages["/"] = front("/print")
    crawl(tmp_path, site.url, **NEAR)
    app.recrawl(tmp_path)
    assert reasons(opened(tmp_path))["/print"] == "near_duplicate"


def test_a_recrawl_leaves_canonical_what_it_is(site: Site, tmp_path: Path) -> None:
    named = f"<link rel=canonical href='{site.at('127.0.0.1', '/a/7')}'>"
    articles(site, **{"/honest": page(7, head=named, more=text(77, words=40))})
    site.pages["/"] = front("/honest")
    crawl(tmp_path, site.url, **NEAR)
    app.recrawl(tmp_path)
    assert reasons(opened(tmp_path))["/honest"] == "canonical"


def served(body: str, *, tagged: bool) -> Page:
    return manners.revalidated(body, etag='"1"') if tagged else body


CHANGES: dict[str, Page] = {
    "changed": links("/news"),
    "gone": Reply("gone", status=410),
    "redirected": redirect("/news"),
    "a copy of another page": "news",
}


@pytest.mark.parametrize("tagged", [False, True], ids=["sent again", "304"])
@pytest.mark.parametrize("original", ["/a", "/z"])
@pytest.mark.parametrize("change", CHANGES)
def test_copies_of_a_page_that_changed_are_pages(
    site: Site, tmp_path: Path, change: str, original: str, tagged: bool
) -> None:
    """In a recrawl the URL that was found first is visited first, be it the original or a copy."""
    copies = [path for path in ("/a", "/b", "/z") if path != original]
    body = links("/behind")
    site.pages.update({"/": links("/a", "/b", "/z", "/news"), "/news": "news", "/behind": "behind"})
    site.pages.update({original: body, **{path: f"not a copy yet: {path}" for path in copies}})
    crawl(tmp_path, site.url, per_host=1)
    site.pages.update({path: served(body, tagged=tagged) for path in copies})
    app.recrawl(tmp_path)
    assert {states(opened(tmp_path))[path] for path in copies} == {"duplicate"}
    site.pages[original] = CHANGES[change]
    app.recrawl(tmp_path)
    found = opened(tmp_path)
    after = {path_of(row["url"]): row for row in found.pages}
    first, second = sorted(copies, key=lambda path: after[path]["state"] == "duplicate")
    assert (after[first]["state"], after[second]["state"]) == ("fetched", "duplicate")
    assert after[second]["duplicate_of"] == site.at("127.0.0.1", first)
    assert site.at("127.0.0.1", first) in {row["url"] for row in found.links if row["target"].endswith("/behind")}
    before = len(site.asked())
    app.recrawl(tmp_path)
    assert len(site.asked()) - before <= 6, "nothing changed, so everything is asked for once"
    assert states(opened(tmp_path)) == states(found)


@pytest.mark.parametrize("tagged", [False, True], ids=["sent again", "304"])
@pytest.mark.parametrize("order", ["breadth", "depth"])
@pytest.mark.parametrize("change", [page(300), Reply("gone", status=410)], ids=["changed", "gone"])
def test_near_duplicates_of_a_page_that_changed_are_pages(
    site: Site, tmp_path: Path, change: Page, order: str, tagged: bool
) -> None:
    articles(site, **{"/print": served(page(3, "/behind", bare=True), tagged=tagged), "/behind": "behind"})
    site.pages["/"] = front("/print")
    found = crawl(tmp_path, site.url, **NEAR, order=order)
    pair = ["/a/3", "/print"]
    (copy,) = (path for path in pair if reasons(found)[path] == "near_duplicate")
    (original,) = set(pair) - {copy}
    site.pages[original] = change
    app.recrawl(tmp_path)
    assert states(opened(tmp_path))[copy] == "fetched"
    assert states(opened(tmp_path))[original] == ("failed" if isinstance(change, Reply) else "fetched")


def test_a_page_that_is_gone_has_no_new_copies(site: Site, tmp_path: Path) -> None:
    articles(site)
    site.pages["/"] = front("/list")
    site.pages["/list"] = "nothing yet"
    crawl(tmp_path, site.url, **NEAR)
    site.pages.update({"/a/3": Reply("gone", status=410), "/list": links("/print"), "/print": page(3, bare=True)})
    app.recrawl(tmp_path)
    assert states(opened(tmp_path))["/print"] == "fetched"


def test_a_page_that_a_recrawl_could_not_get_at_once_keeps_its_copies(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/b"), "/a": links("/c"), "/b": links("/c"), "/c": "c"})
    crawl(tmp_path, site.url, per_host=1)
    site.pages["/a"] = manners.refused_at_first(1, links("/c"), status=503, retry_after="1")
    app.recrawl(tmp_path)
    assert (reasons(opened(tmp_path))["/a"], states(opened(tmp_path))["/b"]) == ("unchanged", "duplicate")


def test_what_was_known_is_known_when_the_crawl_goes_on(site: Site, tmp_path: Path) -> None:
    articles(site, **{"/print": page(3, bare=True)})
    site.pages["/"] = front("/last")
    site.pages["/last"] = links("/print")
    crawl(tmp_path, site.url, **NEAR, max_pages=ARTICLES + 2)
    assert "/print" not in site.paths()
    app.resume(tmp_path, max_pages=0)
    assert reasons(opened(tmp_path))["/print"] == "near_duplicate"


# Parameters and hosts that make no difference


def shop(request: Request) -> str:
    return page(int(request.query.get("id", 0)), more=f"<p>view {request.query.get('view', '')}</p>")


def shop_links() -> list[str]:
    refs = ("menu", "home", "news", "mail", "feed", "shop")
    return [f"/show?id={number}&ref={ref}" for number in range(8) for ref in refs]


@pytest.fixture
def shop_site(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Which URLs are fetched to check a rule hangs on the port; here none is."""
    monkeypatch.setattr(url_variants, "CHECKED", 10**30)
    site.pages.update({"/": links(*shop_links()), "/topic/*": "topic"})
    site.pages["/show"] = shop
    return site


def refs_asked(site: Site) -> int:
    return sum("ref=" in request.target for request in site.asked())


def test_a_parameter_that_makes_no_difference_is_learned_and_printed(
    shop_site: Site, tmp_path: Path, capsys: Capture
) -> None:
    told: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Learned):
            told.append(event.sentence)

    job = make_job("site", shop_site.url, output=str(tmp_path), **{**FAST, **NEAR})
    app.start(job, listen)
    found = opened(tmp_path)
    sentence = f"the parameter ref never changes what {shop_site.url}show says"
    assert sentence in told
    assert sentence in invoke(capsys, "status", tmp_path).out
    assert refs_asked(shop_site) < 20
    skipped = [row for row in found.ledger if row["reason"].startswith("parameter ref at")]
    assert len(skipped) > 20
    story = found.why(skipped[0]["url"])
    assert story is not None
    assert story.duplicate_of is not None
    assert story.duplicate_of.partition("&")[0] == skipped[0]["url"].partition("&")[0]


@pytest.mark.parametrize("how", [{"dedup": "exact"}, {"dedup": "off"}, {"keep_parameters": ("ref",)}])
def test_what_was_learned_is_undone_by_resuming(shop_site: Site, tmp_path: Path, how: dict[str, Any]) -> None:
    crawl(tmp_path, shop_site.url, **NEAR)
    assert refs_asked(shop_site) < 20
    app.resume(tmp_path, **how)
    found = opened(tmp_path)
    asked = {request.target for request in shop_site.asked()}
    assert asked >= set(shop_links())
    assert not found.learned
    assert not [row for row in found.ledger if row["reason"].startswith("parameter")]


def test_parameters_to_keep_are_not_learned(shop_site: Site, tmp_path: Path) -> None:
    crawl(tmp_path, shop_site.url, **NEAR, keep_parameters=("ref",))
    assert refs_asked(shop_site) == len(shop_links())


def test_keeping_what_the_keys_leave_out_is_refused(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "one page"
    crawl(tmp_path, site.url, **NEAR)
    with pytest.raises(JobError, match="keep_parameters"):
        app.resume(tmp_path, keep_parameters=("utm_source",))


def test_a_parameter_that_makes_a_difference_once_is_not_learned(shop_site: Site, tmp_path: Path) -> None:
    shop_site.pages["/show?id=0&ref=news"] = page(300)
    crawl(tmp_path, shop_site.url, **NEAR, order="depth")
    assert refs_asked(shop_site) >= 30


def test_a_rule_that_proves_wrong_is_taken_back(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first sixty variants are the same, later ones are not; some of those are fetched to see."""
    monkeypatch.setattr(url_variants, "CHECKED", 4)
    site.pages.update({"/": links(*(f"/show?id=1&ref={number}" for number in range(60)), "/late"), "/topic/*": "topic"})
    site.pages["/late"] = links(*(f"/show?id=1&ref={number}" for number in range(1000, 1060)))
    site.pages["/show"] = lambda request: page(max(0, int(request.query["ref"]) - 900))
    found = crawl(tmp_path, site.url, **NEAR)
    assert not found.learned
    wanted = {f"/show?id=1&ref={number}" for number in range(1000, 1060)}
    assert {request.target for request in site.asked()} >= wanted
    assert {path for path, state in states(found).items() if state == "fetched"} >= wanted


def test_what_was_learned_holds_after_a_stop(shop_site: Site, tmp_path: Path) -> None:
    shop_site.pages["/"] = links(*shop_links(), "/z")
    shop_site.pages["/z"] = links("/zz")
    shop_site.pages["/zz"] = links("/show?id=3&ref=late", "/show?id=4&ref=late", "/show?id=5&ref=late")
    crawl(tmp_path, shop_site.url, **NEAR, max_pages=16)
    before = refs_asked(shop_site)
    app.resume(tmp_path, max_pages=0)
    assert refs_asked(shop_site) - before <= 8, "only the first of each page"
    late = {state for path, state in states(opened(tmp_path)).items() if "ref=late" in path}
    assert late == {"duplicate"}


def test_two_hosts_with_the_same_pages_become_one(serve: Serve, tmp_path: Path) -> None:
    site = serve(addresses=("127.0.0.1", "127.0.0.2"))
    paths = [f"/a/{number}" for number in range(60)]
    both = [site.at(host, path) for path in paths for host in ("127.0.0.1", "127.0.0.2")]
    site.pages.update({f"/a/{number}": page(number) for number in range(60)})
    site.pages.update({"/": links(*both), "/topic/*": "topic"})
    found = crawl(tmp_path, site.at("127.0.0.1", "/"), **NEAR, scope="any", allow_private=True, sitemaps=False)
    other = [request for request in site.asked() if request.host == "127.0.0.2" and request.path.startswith("/a")]
    assert 8 <= len(other) < 30
    assert any("has the same pages as" in sentence for sentence in found.learned)
    fetched = {path_of(row["url"]) for row in found.ledger if row["state"] == "fetched"}
    assert fetched >= set(paths), "of two that are the same one is fetched"


def test_variants_of_a_page_that_fails_are_fetched_after_all(shop_site: Site, tmp_path: Path) -> None:
    shop_site.pages["/"] = links(*shop_links(), "/more")
    shop_site.pages["/more"] = links(*(f"/show?id=20&ref={ref}" for ref in ("one", "two", "three")))
    shop_site.pages["/show?id=20&ref=one"] = Reply("gone", status=410)
    found = crawl(tmp_path, shop_site.url, **NEAR)
    assert found.learned
    assert states(found)["/show?id=20&ref=one"] == "failed"
    assert "fetched" in {state for path, state in states(found).items() if "id=20" in path}


def test_redirects_say_nothing_about_parameters(shop_site: Site, tmp_path: Path) -> None:
    for number in range(8):
        shop_site.pages[f"/show?id={number}&ref=mail"] = redirect(f"/show?id={number}&ref=menu")
    assert crawl(tmp_path, shop_site.url, **NEAR).learned


def test_months_of_a_calendar_lead_to_different_days(site: Site, tmp_path: Path) -> None:
    months = {f"/{year}/{month}": calendar(year, month) for year in (2023, 2024) for month in range(1, 13)}
    site.pages.update({"/": links(*months), "/day/*": "a day", **months})
    found = crawl(tmp_path, site.url, **NEAR)
    assert {states(found)[path] for path in months} == {"fetched"}


def calendar(year: int, month: int) -> str:
    days = "".join(f"<td><a href='/day/{year}-{month}-{day}'>{day}</a>" for day in range(1, 29))
    return (
        f"<!doctype html><title>Calendar</title><h1>{year}/{month}</h1><p>{text(1, words=100)}<table><tr>{days}</table>"
    )


def test_a_killed_crawl_knows_what_it_knew(serve: Serve, tmp_path: Path) -> None:
    site = serve(latency=0.02)
    copies = {f"/copy/{number}": page(number, bare=True) for number in range(ARTICLES)}
    articles(site, **copies)
    site.pages["/"] = links(*(f"/a/{number}" for number in range(ARTICLES)), "/copies")
    site.pages["/copies"] = links(*copies)
    with running("site", site.url, "-o", tmp_path, "--dedup", "near", "--delay", "0", "--per-host", "2") as process:
        wait_for_requests(site, ARTICLES + 10)
        process.kill_all()
    site.latency = 0.0
    app.resume(tmp_path)
    found = opened(tmp_path)
    assert {reasons(found)[path] for path in copies} == {"near_duplicate"}
