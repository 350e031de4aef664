"""Focus crawls on sites in several languages, and in another one than the topic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dowse import app
from dowse.config import make_job
from dowse.crawl import Crawl
from tests.crawling import opened, path_of
from tests.servers import Page, Site

ONE_BY_ONE: dict[str, Any] = {"concurrency": 1, "per_host": 1, "delay": 0.0, "robots": "ignore", "patience": 0}
PARTS = 30
NAMED = 7
GERMAN = "Das ist die Seite {0}, auf der es um den Garten {0} geht und um die, die in ihm mit der Schere arbeiten. "
ENGLISH = (
    "This is the page {0}, and it is about the garden {0} and about those who work in it with all of their tools. "
)


def guide(language: str, text: str, *, named: str) -> dict[str, Page]:
    """The pages of one language, each with links to all others. One has the name that is looked for."""
    links = "".join(f"<li><a href=/{language}/{number}.html>{number}</a>" for number in range(PARTS))
    pages: dict[str, Page] = {f"/{language}/": f"<title>Index</title><p>{text.format('all')}<ul>{links}</ul>"}
    for number in range(PARTS):
        about = f"<p>{named} {named}, {named}." if number == NAMED else ""
        title = named if number == NAMED else f"Teil {number}"
        body = f"{about}<p>{text.format(number) * 4}<ul>{links}</ul>"
        pages[f"/{language}/{number}.html"] = f"<title>{title}</title>{body}"
    return pages


def served(*parts: tuple[str, str, str]) -> Site:
    """A site in some languages: the name of each, a sentence in it, and the name that is looked for."""
    pages: dict[str, Page] = {}
    for language, text, named in parts:
        pages |= guide(language, text, named=named)
    links = "".join(f"<li><a href=/{language}/>{language}</a>" for language, *_ in parts)
    links += f"<p>{parts[0][1].format('all') * 4}"
    return Site({"/": f"<title>Guide</title><ul>{links}</ul>", **pages})


def focus(directory: Path, site: Site, topic: str) -> Crawl:
    job = make_job("focus", [site.url], output=str(directory), **{**ONE_BY_ONE, "topic": topic})
    app.start(job)
    return opened(directory)


def test_on_a_site_in_two_languages_the_pages_in_that_of_the_topic_come_first(tmp_path: Path) -> None:
    with served(("de", GERMAN, "Teil"), ("en", ENGLISH, "pruning of roses")) as site:
        crawl = focus(tmp_path / "out", site, "pruning of roses")
    order = [path_of(row["url"]) for row in crawl.crawled]
    german = [place for place, path in enumerate(order) if path.startswith("/de/")]
    english = [place for place, path in enumerate(order) if path.startswith("/en/")]
    assert len(german) == len(english) == PARTS + 1
    assert sum(place < max(english) for place in german) < PARTS / 3, order
    assert [path_of(row["url"]) for row in crawl.matched] == [f"/en/{NAMED}.html"]


def test_a_page_in_another_language_has_less_and_is_told_so(tmp_path: Path) -> None:
    with served(("de", GERMAN, "Teil"), ("en", ENGLISH, "pruning of roses")) as site:
        crawl = focus(tmp_path / "out", site, "pruning of roses")
        told = str(crawl.why(f"{site.url}de/3.html"))
        assert "another language -2.5" in told
        assert "another language" not in str(crawl.why(f"{site.url}en/3.html")).partition("relevance")[2]


def test_links_to_pages_in_another_language_are_told_to_be_worth_less(tmp_path: Path) -> None:
    with served(("de", GERMAN, "Teil"), ("en", ENGLISH, "pruning of roses")) as site:
        crawl = focus(tmp_path / "out", site, "pruning of roses")
        worths = {
            path: str(crawl.why(f"{site.url}{path}.html")).partition("relevance")[0] for path in ("de/29", "en/29")
        }
    assert "another language -" in worths["de/29"]
    assert "another language" not in worths["en/29"]
    told = {number.name.strip(): number.value for number in crawl.results().numbers}
    assert PARTS <= int(told["pages in another language"]) <= PARTS + 2


def test_names_are_found_on_a_site_that_is_all_in_another_language(tmp_path: Path) -> None:
    with served(("de", GERMAN, "Karl Foerster")) as site:
        crawl = focus(tmp_path / "out", site, "Karl Foerster")
        told = str(crawl.why(f"{site.url}de/3.html"))
        assert "another language" not in told.partition("relevance")[2]
    assert [path_of(row["url"]) for row in crawl.matched] == [f"/de/{NAMED}.html"]


def test_the_topic_moves_on_a_site_in_another_language_and_by_answers(tmp_path: Path) -> None:
    with served(("de", GERMAN, "Karl Foerster")) as site:
        crawl = focus(tmp_path / "out", site, "Karl Foerster")
        crawl.label(f"{site.url}de/3.html", True)
        crawl = app.read(tmp_path / "out")
    assert {path_of(row["url"]) for row in crawl.matched} >= {f"/de/{NAMED}.html", "/de/3.html"}


def test_where_nothing_matches_it_is_told_that_the_pages_are_in_another_language(tmp_path: Path) -> None:
    with served(("de", GERMAN, "Karl Foerster")) as site:
        crawl = focus(tmp_path / "out", site, "interest rates")
        trouble = crawl.results().trouble
    assert "most pages are in another language than en" in trouble
