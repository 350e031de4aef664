"""URLs that the built-in list of parameters takes for one another: which are, which are not, and how a crawl tells."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.traps import SESSIONS
from dowse.engine.events import Event, Learned
from tests.articles import page
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, states
from tests.processes import running, wait_for_requests
from tests.servers import Page, Reply, Request, Site

Serve = Callable[..., Site]
Capture = pytest.CaptureFixture[str]


def token(number: int) -> str:
    return hashlib.md5(str(number).encode()).hexdigest()


def stories(parameter: str, values: list[str], path: str = "/article.php") -> dict[str, Page]:
    """A front page that links to stories, which only a parameter tells apart."""

    def story(request: Request) -> str:
        value = request.query.get(parameter, "")
        return page(values.index(value)) if value in values else page(900)

    return {"/": links(*(f"{path}?{parameter}={value}" for value in values)), path: story, "/topic/*": "topic"}


def asked(site: Site) -> Counter[str]:
    return Counter(request.target for request in site.asked())


# Parameters that are no session ids


@pytest.mark.parametrize("parameter", ["sid", "session_id", "sessionid"])
def test_numbers_and_names_are_no_session_ids(site: Site, tmp_path: Path, parameter: str) -> None:
    values = [*map(str, range(1, 13)), "a-story-about-2026", "20261116093000123456", "frontpage"]
    site.pages.update(stories(parameter, values))
    found = crawl(tmp_path, site.url)
    wanted = {f"/article.php?{parameter}={value}" for value in values}
    assert {path for path, state in states(found).items() if state == "fetched"} >= wanted
    assert max(asked(site).values()) == 1
    assert found.status().stop_reason == "complete"


# Parameters that are taken for session ids or tags of campaigns, and are none


@pytest.mark.parametrize(
    ("parameter", "values"),
    [
        ("sid", [token(number) for number in range(12)]),
        ("cmpid", [str(number) for number in range(12)]),
        ("utm_source", ["spring", "summer", "autumn", "winter"]),
        ("jsessionid", [str(number) for number in range(12)]),
        ("cmpid", ["1", "2"]),
    ],
)
@pytest.mark.parametrize("options", [{}, {"bodies": False}, {"dedup": "near"}, {"workers": 2}], ids=str)
def test_pages_that_differ_are_all_fetched(
    site: Site, tmp_path: Path, parameter: str, values: list[str], options: dict[str, Any]
) -> None:
    site.pages.update(stories(parameter, values))
    found = crawl(tmp_path, site.url, **options)
    wanted = {f"/article.php?{parameter}={value}" for value in values}
    assert {path for path, state in states(found).items() if state == "fetched"} >= wanted
    assert set(asked(site)) >= wanted


@pytest.mark.parametrize("first", ["?cmpid=7", ""])
def test_the_address_without_the_parameter_is_a_page_too(site: Site, tmp_path: Path, first: str) -> None:
    second = "" if first else "?cmpid=7"
    site.pages.update({"/": links(f"/list{first}", f"/list{second}"), "/list": page(1), "/list?cmpid=7": page(2)})
    site.pages["/topic/*"] = "topic"
    found = crawl(tmp_path, site.url)
    assert {"/list", "/list?cmpid=7"} <= {path for path, state in states(found).items() if state == "fetched"}


def test_two_seeds_that_differ_in_a_parameter_are_two_pages(site: Site, tmp_path: Path) -> None:
    site.pages.update(stories("cmpid", list("abcd")))
    found = crawl(tmp_path, *(site.at("127.0.0.1", f"/article.php?cmpid={value}") for value in "abcd"))
    fetched = {path for path, state in states(found).items() if state == "fetched"}
    assert fetched >= {f"/article.php?cmpid={value}" for value in "abcd"}


def test_a_redirect_to_another_spelling_is_not_lost(site: Site, tmp_path: Path) -> None:
    site.pages.update(stories("cmpid", list("abcdef")))
    site.pages["/"] = links("/article.php?cmpid=a", *(f"/go/{value}" for value in "bcdef"))
    for value in "bcdef":
        site.pages[f"/go/{value}"] = Reply(status=302, headers={"Location": f"/article.php?cmpid={value}"})
    found = crawl(tmp_path, site.url)
    assert set(asked(site)) >= {f"/article.php?cmpid={value}" for value in "abcdef"}
    assert states(found)["/article.php?cmpid=f"] == "fetched"


def test_links_of_a_page_that_was_let_in_are_followed_and_in_the_graph(site: Site, tmp_path: Path) -> None:
    values = [token(number) for number in range(6)]
    site.pages.update(stories("sid", values))
    site.pages["/article.php"] = lambda request: page(
        values.index(request.query["sid"]), f"/more/{request.query['sid']}"
    )
    site.pages["/more/*"] = lambda request: page(int(request.path[-6:], 16))
    found = crawl(tmp_path, site.url)
    assert {f"/more/{value}" for value in values} <= set(asked(site))
    from_home = {row["target"] for row in found.links if row["url"] == site.url}
    assert from_home == {site.at("127.0.0.1", f"/article.php?sid={value}") for value in values}


# True session ids and tags


class Shop:
    """Goods whose links all carry a session id, new for every visitor who brings none, and for some who do."""

    def __init__(
        self,
        goods: int = 30,
        parameter: str = "sid",
        *,
        always_new: bool = False,
        more: str = "",
        make: Callable[[int], str] = token,
    ) -> None:
        self.goods = goods
        self.make = make
        self.parameter = parameter
        self.always_new = always_new
        self.more = more
        self.visits = 0

    def pages(self) -> dict[str, Page]:
        return {
            "/": self._page,
            "/topic/*": "topic",
            **{f"/goods/{number}": self._page for number in range(self.goods)},
        }

    def _page(self, request: Request) -> str:
        self.visits += 1
        session = request.query.get(self.parameter)
        if session is None or self.always_new:
            session = self.make(10_000 + self.visits)
        hrefs = [f"/goods/{number}?{self.parameter}={session}" for number in range(self.goods)]
        number = int(request.path.rpartition("/")[2] or 700)
        return page(number, *hrefs, more=self.more.format(session=session, visits=self.visits))


@pytest.mark.parametrize("always_new", [False, True])
@pytest.mark.parametrize("more", ["", "<p>session {session}, visitor {visits}</p>"])
@pytest.mark.parametrize("options", [{}, {"bodies": False}, {"dedup": "off"}], ids=str)
def test_session_ids_make_no_new_pages(
    site: Site, tmp_path: Path, always_new: bool, more: str, options: dict[str, Any]
) -> None:
    shop = Shop(always_new=always_new, more=more)
    site.pages.update(shop.pages())
    found = crawl(tmp_path, site.url, **options)
    fetched = [path for path, state in states(found).items() if state == "fetched" and "/goods/" in path]
    assert len(fetched) == len({path.partition("?")[0] for path in fetched}) == 30
    goods = sum(number for path, number in asked(site).items() if "/goods/" in path)
    assert goods <= 30 + 2 * 11, "probes are few, and become fewer the more was merged"
    assert not found.counted


def mostly(make: Callable[[int], str], odd: Callable[[int], str]) -> Callable[[int], str]:
    """Ids of which each fifth does not look it."""
    return lambda number: make(number) if number % 5 else odd(number)


def hexadecimal(number: int) -> str:
    return f"{token(number)[:4]}7c{token(number)[4:8]}"


def random(number: int, size: int) -> bytes:
    return Random(number).randbytes(size)


ALPHABETS: dict[str, Callable[[int], str]] = {
    "base64url": lambda number: urlsafe_b64encode(random(number, 24)).decode(),
    "short base64url": lambda number: urlsafe_b64encode(random(number, 9)).decode(),
    "base64": lambda number: f"{token(number)[:11]}%2B{token(number)[11:20]}%2F{token(number)[20:]}%3D%3D",
    "ten hexadecimal digits": lambda number: random(number, 5).hex(),
    "eight hexadecimal digits": lambda number: random(number, 4).hex(),
    "with a node": lambda number: f"{hexadecimal(number)}.node3",
    "some are numbers": mostly(hexadecimal, lambda number: str(10**10 + number)),
    "some are words": mostly(token, lambda number: token(number).translate(str.maketrans("0123456789", "ghijklmnop"))),
}


@pytest.mark.parametrize("make", ALPHABETS.values(), ids=ALPHABETS.keys())
@pytest.mark.parametrize("parameter", ["sid", "session_id"])
def test_a_site_with_session_ids_ends_whatever_they_look_like(
    site: Site, tmp_path: Path, make: Callable[[int], str], parameter: str
) -> None:
    shop = Shop(12, parameter, always_new=True, make=make)
    site.pages.update(shop.pages())
    found = crawl(tmp_path, site.url, max_pages=1_000)
    assert found.status().stop_reason == "complete"
    assert not found.counted
    fetched = [path for path, state in states(found).items() if state == "fetched" and "/goods/" in path]
    assert {path.partition("?")[0] for path in fetched} == {f"/goods/{number}" for number in range(12)}
    # A few more than SESSIONS of each: those that came before the first that looked like a session id.
    assert len(fetched) <= 12 * 3 * SESSIONS


def test_what_was_refused_as_a_session_id_stays_so_after_a_restart(site: Site, tmp_path: Path) -> None:
    shop = Shop(12, always_new=True, make=ALPHABETS["some are numbers"])
    site.pages.update(shop.pages())
    crawl(tmp_path, site.url, max_pages=60)
    app.resume(tmp_path, max_pages=1_000)
    found = opened(tmp_path)
    assert found.status().stop_reason == "complete"
    fetched = [path for path, state in states(found).items() if state == "fetched" and "/goods/" in path]
    assert len(fetched) <= 12 * (1 + SESSIONS)


def test_numbers_count_where_the_parameter_was_found_to_matter(site: Site, tmp_path: Path) -> None:
    """Eight digits of a checksum are sometimes all decimal, and are no sessions if the others are none."""
    values = [hexadecimal(number) for number in range(8)] + [str(10**8 + number) for number in range(30)]
    site.pages.update(stories("sid", values))
    site.pages["/"] = links("/one", *(f"/article.php?sid={value}" for value in values[:8]))
    site.pages["/one"] = links(*(f"/article.php?sid={value}" for value in values))
    found = crawl(tmp_path, site.url)
    fetched = {path for path, state in states(found).items() if state == "fetched"}
    assert fetched >= {f"/article.php?sid={value}" for value in values}


def test_what_a_probe_found_is_told(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages.update({"/": links("/a", "/a?utm_source=news"), "/a*": page(1), "/topic/*": "topic"})
    found = crawl(tmp_path, site.url)
    story = found.why(site.at("127.0.0.1", "/a?utm_source=news"))
    assert story is not None
    assert (story.state, story.reason) == ("duplicate", "parameter utm_source")
    assert story.duplicate_of == site.at("127.0.0.1", "/a")
    said = invoke(capsys, "why", tmp_path, site.at("127.0.0.1", "/a?utm_source=news")).out
    assert "keep-parameters utm_source" in said
    assert "parameter utm_source" in invoke(capsys, "status", tmp_path).out


def test_a_session_that_is_over_is_no_page(site: Site, tmp_path: Path) -> None:
    """A server that takes a session id once and then says that it is over: all such answers say the same."""
    used: set[str] = set()

    def goods(request: Request) -> str:
        session = request.query["sid"]
        if session in used:
            return page(800, *(f"/goods/{number}?sid={token(request.visit)}" for number in range(9)))
        used.add(session)
        return page(int(request.path[7:]), *(f"/goods/{number}?sid={session}" for number in range(9)))

    site.pages.update({f"/goods/{number}": goods for number in range(9)})
    site.pages.update({"/": links(*(f"/goods/{number}?sid={token(number)}" for number in range(9)))})
    site.pages["/topic/*"] = "topic"
    found = crawl(tmp_path, site.url, max_time=20)
    assert found.status().stop_reason == "complete"
    assert not found.counted


def test_a_page_that_always_changes_proves_nothing(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/mood", *(f"/mood?cmpid={number}" for number in range(20)))})
    visits = iter(range(10_000))
    site.pages["/mood"] = lambda request: page(next(visits))
    site.pages["/topic/*"] = "topic"
    found = crawl(tmp_path, site.url, max_time=20)
    assert found.status().stop_reason == "complete"


@pytest.mark.parametrize("options", [{}, {"bodies": False}], ids=str)
@pytest.mark.parametrize("words", [6, 9, 12, 30])
def test_pages_with_something_new_at_every_visit_are_not_let_in(
    site: Site, tmp_path: Path, options: dict[str, Any], words: int
) -> None:
    """Also where two visits are only sometimes the same by chance."""

    def story(request: Request) -> str:
        new = " ".join(secrets.token_hex(3) for _ in range(words if request.visit % 3 else words // 2))
        return f"<title>{request.path}</title><p>{'the same story text ' * 40}</p><p>More to read: {new}</p>"

    site.pages["/"] = links(*(f"/story/{number}?utm_source=s{tag}" for tag in range(30) for number in range(5)))
    site.pages.update({f"/story/{number}": story for number in range(5)})
    found = crawl(tmp_path, site.url, **options)
    assert not found.counted
    assert sum(path.startswith("/story") for path in asked(site).elements()) < 50


def test_a_story_that_was_rewritten_since_is_compared_with_what_it_is_now(site: Site, tmp_path: Path) -> None:
    """What is stored is of another text, but each visit says the same again: that is no page that always changes."""
    values = [str(number) for number in range(6)]
    site.pages.update(stories("cmpid", values))
    story = site.pages["/article.php"]
    assert callable(story)
    first: set[str] = set()

    def rewritten(request: Request) -> Any:
        if request.target not in first:
            first.add(request.target)
            return page(500 + int(request.query["cmpid"]))
        return story(request)

    site.pages["/article.php"] = rewritten
    found = crawl(tmp_path, site.url)
    fetched = {path for path, state in states(found).items() if state == "fetched"}
    assert fetched >= {f"/article.php?cmpid={value}" for value in values}


def test_requests_for_a_comparison_keep_the_pace_of_the_host(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/article.php": lambda request: page(int(request.query["cmpid"]), bare=True)})
    site.pages["/"] = links(*(f"/article.php?cmpid={n}" for n in range(4)), *(f"/t/{n}" for n in range(8)))
    site.pages.update({f"/t/{number}": page(number + 50, bare=True) for number in range(8)})
    crawl(tmp_path, site.url, delay=0.2, per_host=4, bodies=False)
    dates = [hit.time for hit in site.log if hit.request.path != "/robots.txt"]
    assert asked(site)["/article.php?cmpid=0"] > 1, "a page was asked for again"
    assert min(after - before for before, after in pairwise(dates)) > 0.1


# What was decided lasts


def test_what_was_undone_is_told_and_lasts(serve: Serve, tmp_path: Path, capsys: Capture) -> None:
    site = serve(stories("cmpid", [str(number) for number in range(12)]))
    site.pages["/"] = links("/menu", *(f"/article.php?cmpid={number}" for number in range(8)))
    site.pages["/menu"] = links(*(f"/article.php?cmpid={number}" for number in range(8, 12)))
    told: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Learned):
            told.append(event.sentence)

    job = make_job("site", site.url, output=str(tmp_path), **{**FAST, "max_pages": 6})
    app.start(job, listen)
    app.resume(tmp_path, listen, max_pages=0)
    found = opened(tmp_path)
    sentence = f"the parameter cmpid changes what {site.at('127.0.0.1').split('/')[2]} says, so it counts there"
    assert any(line.startswith(sentence) for line in told)
    assert found.counted == [sentence]
    assert sentence in " ".join(invoke(capsys, "status", tmp_path).out.split())
    assert {f"/article.php?cmpid={number}" for number in range(12)} <= set(asked(site))
    story = found.why(site.at("127.0.0.1", "/article.php?cmpid=11"))
    assert story is not None
    assert story.url.endswith("cmpid=11")
    before = len(site.asked())
    app.recrawl(tmp_path)
    fetched = {path for path, state in states(opened(tmp_path)).items() if state == "fetched"}
    assert fetched >= {f"/article.php?cmpid={number}" for number in range(12)}
    assert len(site.asked()) > before


def test_a_recrawl_keeps_what_was_found_the_same(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/a?utm_source=news"), "/a*": page(1), "/topic/*": "topic"})
    crawl(tmp_path, site.url)
    app.recrawl(tmp_path)
    assert states(opened(tmp_path))["/a?utm_source=news"] == "duplicate"
    site.pages["/a?utm_source=news"] = page(2)
    app.recrawl(tmp_path)
    assert states(opened(tmp_path))["/a?utm_source=news"] == "fetched"


@pytest.mark.parametrize("moment", [3, 6, 10, 14])
def test_killed_and_resumed(serve: Serve, tmp_path: Path, moment: int) -> None:
    values = [token(number) for number in range(20)]
    site = serve(stories("sid", values), latency=0.03)
    with running("site", site.url, "-o", tmp_path / "out", "--delay", "0", "--per-host", "2", "--quiet") as command:
        wait_for_requests(site, moment)
        command.kill_all()
    app.resume(tmp_path / "out")
    found = opened(tmp_path / "out")
    assert {f"/article.php?sid={value}" for value in values} <= {
        path for path, state in states(found).items() if state == "fetched"
    }


def test_what_the_user_drops_is_not_put_to_the_test(site: Site, tmp_path: Path) -> None:
    site.pages.update(stories("ref", list("abcd")))
    crawl(tmp_path, site.url, drop_parameters=("ref",))
    assert sum(path.startswith("/article") for path in asked(site)) == 1


# What can be read of it


def test_a_page_links_to_a_url_once(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages["/"] = "<title>home</title>" + "".join(
        f"<a href='/p1{query}'>{text}</a> "
        for query, text in [("", "first"), ("?utm_source=a", "second"), ("?utm_source=b", "third"), ("#x", "fourth")]
    )
    site.pages["/p1"] = page(1)
    site.pages["/topic/*"] = "topic"
    found = crawl(tmp_path, site.url)
    target = site.at("127.0.0.1", "/p1")
    assert [row["anchor"] for row in found.links if row["target"] == target] == ["first"]
    (home,) = [row for row in found.pages if row["url"] == site.url]
    assert home["out_links"] == len([row for row in found.links if row["url"] == site.url]) == 1
    story = found.why(target)
    assert story is not None
    assert story.parents == [(site.url, "first")]
    assert invoke(capsys, "why", tmp_path, target).out.count("linked from") == 1


def test_pages_that_link_to_a_url_are_told_once_also_of_older_crawls(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/p1"), "/p1": "one"})
    crawl(tmp_path, site.url)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as database, database:
        (number,) = database.execute("SELECT id FROM task WHERE url LIKE '%/p1'").fetchone()
        repeated = f'[[{number},"first"],[{number},"second"]]'
        database.execute("UPDATE visit SET links = ? WHERE links <> '[]'", (repeated,))
    story = opened(tmp_path).why(site.at("127.0.0.1", "/p1"))
    assert story is not None
    assert story.parents == [(site.url, "first")]


def test_a_spelling_that_was_never_seen_is_told_from_others(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages.update({"/": links("/a", "/a?utm_source=1", "/a?utm_source=2"), "/a": page(1), "/topic/*": "topic"})
    crawl(tmp_path, site.url)

    def said(query: str) -> str:
        return " ".join(invoke(capsys, "why", tmp_path, site.at("127.0.0.1", f"/a{query}")).out.split())

    unseen = site.at("127.0.0.1", "/a?utm_source=never")
    assert f"there is no record of {unseen}; it would be taken for this one: parameter utm_source" in said(
        "?utm_source=never"
    )
    for seen in ("", "?utm_source=1", "?utm_source=2"):
        assert "no record" not in said(seen)
    escaped = site.at("127.0.0.1", "/%61")
    assert f"{escaped} counts as this URL" in " ".join(invoke(capsys, "why", tmp_path, escaped).out.split())
