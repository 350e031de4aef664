"""Made webs of many hosts: a list of names, dead links beside live ones, and hosts that a portal names."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from dowse.fetch.replay import Replayed
from dowse.rank import link_statistics, path_tree
from dowse.workflows.simulate import simulate_run

START = "http://dept.example/"
FIRST, LAST = ("Ada", "Bo", "Cy", "Dee", "Eli", "Flo", "Gus", "Hal"), ("Arno", "Burke", "Chow", "Dunn", "Eco", "Fry")
NAMES = [f"{first} {last}" for last in LAST for first in FIRST]


def asked_for(pages: dict[str, str], topic: str, budget: int) -> list[str]:
    """What is asked for, in that order."""
    asked: list[str] = []

    def find(url: str) -> Replayed | None:
        asked.append(url)
        html = pages.get(url)
        return Replayed(200, {"content-type": "text/html"}, html.encode()) if html is not None else None

    simulate_run(find, [START], topic=topic, by="learned", max_pages=budget)
    return asked


def listed(urls: list[str], names: list[str]) -> str:
    return "<ul>" + "".join(f"<li><a href={url}>{name}</a>" for url, name in zip(urls, names, strict=True)) + "</ul>"


def department() -> dict[str, str]:
    """Students and alumni, each a list of names that say nothing; every second link of the first is dead."""
    students = [f"http://host{n % 5}.example/~{n}/" for n in range(len(NAMES))]
    alumni = [f"http://old{n % 5}.example/~{n}/" for n in range(len(NAMES))]
    news = [f"{START}news/{n}.html" for n in range(len(NAMES))]
    lists = {"students": students, "alumni": alumni, "news": news}
    pages = {START: listed([f"{START}{name}.html" for name in lists], list(lists))}
    for title, urls in lists.items():
        pages[f"{START}{title}.html"] = f"<title>Graduate {title}</title>{listed(urls, NAMES)}"
    for number, name in enumerate(NAMES):
        if number % 2:
            pages[students[number]] = f"<title>{name}</title><p>I am a graduate student, number {number}, and like tea."
        pages[alumni[number]] = f"<title>{name}</title><p>Works at the bank, floor {number}."
        pages[news[number]] = f"<title>Item {number}</title><p>The weather of day {number}."
    return pages


def students_found(budget: int) -> int:
    pages = department()
    return sum(url in pages and "host" in url for url in asked_for(pages, "students", budget))


def test_a_list_of_names_whose_title_names_the_topic_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = students_found(20)
    assert found >= 14
    monkeypatch.setattr(link_statistics, "_PROMISED", 0.0)
    assert students_found(20) <= found


def test_dead_links_of_a_list_do_not_end_it() -> None:
    assert students_found(40) >= 0.9 * len(NAMES) / 2


def portal() -> dict[str, str]:
    """Four manuals on a host each, three of which name dead hosts; the last one is about the topic, and nothing says so
    on the way to it."""
    hosts = [f"http://{name}.example/" for name in ("amber", "birch", "cedar", "delta")]
    pages = {START: listed(hosts, ["Amber", "Birch", "Cedar", "Delta"])}
    for host in hosts:
        is_it = "delta" in host
        chapters = [f"{host}{n}.html" for n in range(40)]
        pages[host] = f"<title>Manual</title>{listed(chapters, [f'part {n}' for n in range(40)])}"
        for number, url in enumerate(chapters):
            about = "Sorting a heap" if is_it else "A heap of notes"
            dead = f"<p><a href=http://gone{number}.{urlsplit(host).netloc}/>heap</a>"
            pages[url] = f"<title>{about}, {number}</title><p>{about}, part {number}.{'' if is_it else dead}"
    return pages


def test_every_host_that_a_portal_names_is_tried_whatever_dead_hosts_others_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = asked_for(portal(), "sorting heap", 60)
    assert sum("delta" in url for url in asked) > 20
    monkeypatch.setattr(path_tree.PathTree, "hope", lambda _self, _rows, worth, _best, _pages: worth)
    later = asked_for(portal(), "sorting heap", 60)
    assert asked.index("http://delta.example/") < 0.6 * later.index("http://delta.example/")
