"""Random webs and random rules: a crawl keeps and visits exactly what walking the same data by hand does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crawling import path_of
from tests.ruling import crawl_by, follow, keep
from tests.servers import Reply, Site

TYPES = ("base", "one", "two", "three")
PLACES = ("main", "nav", "footer")
KINDS = ("x", "y")


class Link(NamedTuple):
    """A link stands in an element and leads to a page by number, or to a file."""

    place: str
    target: str


class Step(NamedTuple):
    """A rule: links in an element (any, if "") to targets of a kind become a page type, or are kept ("")."""

    from_type: str
    to_type: str
    place: str
    kind: str


class Web(NamedTuple):
    """Pages by path; a redirect is a page with one link and no text."""

    pages: dict[str, list[Link]]
    redirects: dict[str, str]
    steps: list[Step]


def random_web(chance: Random) -> Web:
    names = [f"/{chance.choice(KINDS)}{number}" for number in range(chance.randrange(3, 14))]
    redirects = {name: chance.choice(names) for name in names[1:] if chance.random() < 0.15}
    redirects = {name: target for name, target in redirects.items() if target not in redirects}
    pages = {
        name: [
            Link(chance.choice(PLACES), chance.choice([*names, f"/{chance.choice(KINDS)}{chance.randrange(9)}.pdf"]))
            for _ in range(chance.randrange(6))
        ]
        for name in names
    }
    steps = [
        Step(
            chance.choice(TYPES) if number else "base",
            chance.choice([*TYPES[1:], ""]),
            chance.choice(["", *PLACES]),
            chance.choice(["", *KINDS]),
        )
        for number in range(chance.randrange(1, 8))
    ]
    return Web(pages, redirects, list(dict.fromkeys(steps)))


def walk(web: Web, start: str) -> tuple[set[str], set[str]]:
    """The paths that are visited and those that are kept, worked out from the data alone."""
    waiting, done, kept = [(start, "base")], set[tuple[str, str]](), set[str]()
    while waiting:
        path, page_type = waiting.pop()
        if (path, page_type) in done:
            continue
        done.add((path, page_type))
        if path in web.redirects:
            waiting.append((web.redirects[path], page_type))
            continue
        for step in web.steps:
            for link in web.pages.get(path, []):
                right = step.from_type == page_type and step.place in ("", link.place)
                if not right or not link.target.startswith(f"/{step.kind}"):
                    continue
                if not step.to_type:
                    kept.add(link.target)
                elif not link.target.endswith(".pdf"):
                    waiting.append((link.target, step.to_type))
    return {path for path, _ in done}, kept


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.booleans())
def test_a_crawl_is_what_the_rules_say(chance: Random, bodies: bool) -> None:
    web = random_web(chance)
    start = next(iter(web.pages))
    visited, kept = walk(web, start)
    with Site() as site, TemporaryDirectory() as folder:
        for path, links in web.pages.items():
            site.pages[path] = f"<title>{path}</title>" + "".join(
                f'<{link.place}><a href="{link.target}">x</a></{link.place}>' for link in links
            )
        for path, target in web.redirects.items():
            site.pages[path] = Reply(status=302, headers={"Location": target})
        base = site.url[:-1] + start
        rows = [
            (follow if step.to_type else keep)(
                base,
                f"{step.from_type}>{step.to_type}" if step.to_type else step.from_type,
                f"/{step.kind}[^/]*$" if step.kind else "",
                tag=step.place,
            )
            for step in web.steps
        ]
        found = crawl_by(Path(folder), *rows, bodies=bodies, robots="ignore")
        asked = Counter(site.paths())
        assert set(asked) == visited
        assert {path_of(row["url"]) for row in found.kept} == kept
        if bodies:
            assert max(asked.values()) == 1, "no page is downloaded twice, whatever types it gets and when"
