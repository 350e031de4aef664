"""Where to look next, without a crawl."""

from __future__ import annotations

from dowse.rule_learning.next_pages import headings, likely, shared_links
from dowse.rule_learning.seen_pages import SeenAnchor, SeenPage


def seen(url: str, *links: str) -> SeenPage:
    return SeenPage(url, [SeenAnchor(link, frozenset()) for link in links])


def test_rare_words_of_the_holders_say_more_than_frequent_ones() -> None:
    noise = [f"http://a.org/page/item/{word}" for word in ("red", "blue", "green", "white")]
    found = likely([*noise, "http://a.org/page/treaties/x"], ["http://b.org/page/item/treaties"], 1)
    assert found == ["http://a.org/page/treaties/x"]


def test_links_that_share_nothing_are_no_leads() -> None:
    assert likely(["http://a.org/one"], ["http://a.org/other"], 10) == []


def test_what_examples_share_and_not_the_whole_site() -> None:
    examples = [seen("/1", "/home", "/list", "/2"), seen("/2", "/home", "/list", "/1")]
    others = [seen(f"/other/{number}", "/home") for number in range(10)]
    assert shared_links(examples, [*examples, *others]) == ["/list"]
    assert shared_links([], others) == []


def test_of_few_pages_nothing_is_frequent() -> None:
    examples = [seen("/1", "/home", "/list", "/2"), seen("/2", "/home", "/list", "/1")]
    assert shared_links(examples, [*examples, seen("/", "/home")]) == ["/list", "/home"], "the rarest first"


def test_the_heading_above_the_examples_may_lead_to_their_part_of_a_list() -> None:
    site = "http://a.org"
    paths = ("/start", "/one", "/s/1.html", "/s/2.html", "/two", "/s/3.html", "/s/4.html", "/s/5.html")
    contents = seen(f"{site}/", *(site + path for path in paths))
    part = seen(f"{site}/two", f"{site}/s/4.html")
    assert headings([f"{site}/s/5.html", f"{site}/s/4.html"], [contents, part]) == [f"{site}/two"]
    assert headings([f"{site}/s/5.html", f"{site}/s/1.html"], [contents]) == [f"{site}/one"]
    assert headings([], [contents]) == []


def test_pages_like_the_examples_come_after_their_list() -> None:
    site = "http://a.org"
    shared = (f"{site}/item-3.html", f"{site}/item-4.html", f"{site}/list")
    examples = [seen(f"{site}/item-{number}.html", *shared) for number in (1, 2)]
    assert shared_links(examples, [*examples, seen(f"{site}/", f"{site}/list")])[0] == f"{site}/list"
