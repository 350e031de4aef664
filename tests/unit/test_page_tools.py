"""Tools for single pages: from Python, and on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dowse import page_tools
from dowse.core.errors import CrawlError, JobError
from tests.commands import invoke
from tests.servers import Reply, Site

Capture = pytest.CaptureFixture[str]

MANUAL = Path(__file__).parents[2] / "docs" / "ways" / "page-tools.md"


@pytest.fixture
def page(site: Site) -> str:
    """The URL of a page with one link of each kind."""
    hrefs = ("/plum", "/pear?id=1&utm_source=x", "http://elsewhere.example/", "http://elsewhere.example/?q=2")
    anchors = "".join(f'<a href="{href}">to {href}</a> ' for href in hrefs)
    site.pages["/apple"] = f"<title>Apples</title><h1>Apples <i>new</i></h1><b class=price>2.50</b>{anchors}"
    site.pages["/old"] = Reply(status=301, headers={"Location": "/apple"})
    site.pages["/robots.txt"] = "User-agent: *\nDisallow: /private/\nCrawl-delay: 0\n\nUser-agent: mybot\nDisallow: /\n"
    return f"{site.url}apple"


def test_links_are_told_apart_by_where_they_lead(site: Site, page: str) -> None:
    inside, outside = [f"{site.url}plum", f"{site.url}pear?id=1&utm_source=x"], "http://elsewhere.example/"
    fetched = page_tools.fetch(page)
    assert [link.url for link in page_tools.links(fetched, "internal")] == inside
    assert [link.url for link in page_tools.links(fetched, "external")] == [outside, f"{outside}?q=2"]
    assert [link.url for link in page_tools.links(fetched, with_parameters=True)] == [inside[1], f"{outside}?q=2"]
    assert page_tools.links(fetched)[0] == page_tools.PageLink(inside[0], "to /plum", nofollow=False, is_internal=True)
    assert len(site.paths()) == 1  # however many questions


def test_hosts_of_a_domain_can_count_as_internal() -> None:
    page = page_tools.read("<a href=https://shop.example.org/>shop</a>", "https://example.org/")
    assert not page_tools.links(page, "internal")
    assert page_tools.links(page, "internal", scope="domain")


def test_robots_txt_is_read_for_the_robot_that_asks(site: Site, page: str) -> None:
    ours = page_tools.robots(page)
    assert (ours.rules, ours.crawl_delay) == (["Disallow: /private/"], 0.0)
    assert ours.allows(page)
    assert not ours.allows(f"{site.url}private/x")
    other = page_tools.robots(page, user_agent="mybot/1.0")
    assert other.rules == ["Disallow: /"]
    assert not other.allows(page)


def test_a_host_without_robots_txt_allows_all_and_one_in_trouble_is_told(site: Site) -> None:
    assert page_tools.robots(site.url).rules == []
    site.pages["/robots.txt"] = Reply("", status=503)
    with pytest.raises(CrawlError, match="status 503"):
        page_tools.robots(site.url)


def test_pages_with_most_words_in_common_have_near_simhashes() -> None:
    words = [f"word{number}" for number in range(300)]
    text, nearly = " ".join(words), " ".join([*words[:-3], "other", "last", "words"])
    other = " ".join(f"thing{number}" for number in range(300))
    assert page_tools.simhash(page_tools.read(f"<p>{text}")) == page_tools.simhash(text)
    near = page_tools.distance(page_tools.simhash(text), page_tools.simhash(nearly))
    assert near < 10 < page_tools.distance(page_tools.simhash(text), page_tools.simhash(other))
    assert page_tools.distance(0, 2**64 - 1) == 64


def test_bytes_are_read_in_the_charset_that_is_given() -> None:
    page = page_tools.read("<p>Груша".encode("koi8-r"), charset="koi8-r")
    assert page.text.strip() == "Груша"
    assert page_tools.charset(page) == page_tools.Charset("KOI8-R", "")


def test_a_wrong_wish_is_told(page: str) -> None:
    with pytest.raises(JobError, match="not a URL"):
        page_tools.normal_form("nonsense")
    with pytest.raises(CrawlError, match="no http or https URL"):
        page_tools.normal_form("mailto:me@example.org", "https://example.org/")
    with pytest.raises(JobError, match="title"):
        page_tools.scrape(page, {"title": "//["})


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["--show", "internal"], ["{site}plum", "{site}pear?id=1&utm_source=x"]),
        (["--show", "parameters"], ["{site}pear?id=1&utm_source=x", "http://elsewhere.example/?q=2"]),
        (["--show", "charset"], ["UTF-8, declared as utf-8"]),
        (["--show", "charset", "--charset", "koi8-r"], ["KOI8-R, declared as utf-8"]),
        (["--show", "robots"], ["{site}robots.txt, for dowse", "Disallow: /private/", "Crawl-delay: 0"]),
        (["--compare", "{site}old"], ["0 of 64 bits differ"]),
    ],
)
def test_the_command_shows_what_is_asked(
    site: Site, page: str, capsys: Capture, words: list[str], lines: list[str]
) -> None:
    told = invoke(capsys, "fetch", page, *(word.format(site=site.url) for word in words))
    assert (told.code, told.out.splitlines()) == (0, [line.format(site=site.url) for line in lines])


def test_the_command_scrapes_a_page_with_patterns(page: str, capsys: Capture, tmp_path: Path) -> None:
    fields = ("--extract", "title=//h1", "--exclude-from", "title=//h1/i", "--extract", "price:number=css:.price")
    invoke(capsys, "fetch", page, *fields, "-f", tmp_path / "page.json")
    found = json.loads((tmp_path / "page.json").read_text())
    assert found == {"url": page, "kind": "fields", "title": "Apples", "price": 2.5}
    assert page_tools.scrape(page, {"title": "//h1"}, {"title": "//h1/i"}) == {"title": "Apples"}


def test_the_command_takes_records_with_an_extractor_of_ones_own(page: str, capsys: Capture, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(
        "from dowse.extending import Record\n\nclass Heads:\n    kinds = ('heads',)\n\n    def extract(self, page):\n"
        "        return [Record('heads', '', {'head': page.title})]\n\nclass Dicts(Heads):\n"
        "    def extract(self, page):\n        return [{}]\n",
        encoding="utf-8",
    )
    told = invoke(capsys, "fetch", page, "--extractor", f"{script}:Heads")
    assert json.loads(told.out) == {"url": page, "kind": "heads", "head": "Apples"}
    told = invoke(capsys, "fetch", page, "--extractor", f"{script}:Dicts")
    assert (told.code, "extractor Dicts: extract(page) returned a list with {}" in told.err) == (1, True)
    told = invoke(capsys, "fetch", page, "--extractor", f"{tmp_path}/none.py:Heads")
    assert (told.code, told.err) == (2, f"dowse: error: --extractor: there is no file {tmp_path}/none.py\n")


def test_the_command_tells_the_words_that_a_page_has_most(site: Site, capsys: Capture) -> None:
    site.pages["/fruit"] = "<title>pears</title><p>Pears and plums, plums and pears, and one quince; pears!"
    told = invoke(capsys, "fetch", f"{site.url}fruit", "--keywords", "2")
    assert json.loads(told.out) == {"url": f"{site.url}fruit", "kind": "keywords", "keywords": ["pears", "plums"]}


def test_the_normal_form_of_a_url_is_shown_without_a_request(site: Site, capsys: Capture) -> None:
    url = "https://example.org/A?b=1&utm_source=x&c"
    told = invoke(capsys, "fetch", url, "--show", "url", "--ignore-case")
    assert told.out.splitlines() == ["https://example.org/a?b=1&c", "b = 1", "utm_source = x", "c = "]


def test_a_page_that_is_not_there_is_told(site: Site, capsys: Capture) -> None:
    told = invoke(capsys, "fetch", f"{site.url}missing", "--show", "links")
    assert told.code != 0
    assert "status 404" in told.err


def test_the_manual_has_every_tool_and_no_other() -> None:
    rows = re.findall(r"^\| `(\w+)\(([^)]*)\)` \|", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    functions = [name for name in page_tools.__all__ if not isinstance(getattr(page_tools, name), type)]
    assert sorted(name for name, _ in rows) == sorted(functions)
    assert all(getattr(page_tools, name).__doc__ for name in page_tools.__all__)
