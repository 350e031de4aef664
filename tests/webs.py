"""Random finite webs with a known answer: which addresses a crawler that stays on given hosts must ask for.

The web is plain data and `reachable` walks that data; nothing here uses the crawler's own notion of a link.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from hypothesis import strategies as st

from tests.servers import Page, Reply

Kind = Literal["page", "copy", "redirect", "dead"]
HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
MIXTURE: tuple[Kind, ...] = ("page", "page", "page", "page", "page", "copy", "redirect", "dead")
FOLDERS = ("", "a/", "a/b/", "c/")


@dataclass(frozen=True, slots=True)
class Place:
    """One address. `links` are numbers of places: a redirect has one, a dead place none, a copy its original's."""

    host: str
    path: str
    kind: Kind
    links: tuple[int, ...] = ()
    original: int = -1


@dataclass(frozen=True, slots=True)
class Web:
    """Places by number; the walk begins at number 0, which is a page of the first host."""

    places: tuple[Place, ...]
    seed: int

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(sorted({place.host for place in self.places}))

    def reachable(self, *hosts: str) -> set[int]:
        """Numbers of all places that a walk finds when it stays on the given hosts; on all, when none is given."""
        found = {0}
        waiting = [0]
        while waiting:
            for number in self.places[waiting.pop()].links:
                if number not in found and (not hosts or self.places[number].host in hosts):
                    found.add(number)
                    waiting.append(number)
        return found

    def expected(self, *hosts: str, kinds: tuple[Kind, ...] = ("page", "copy", "redirect", "dead")) -> set[str]:
        """Host and path of the reachable places of those kinds."""
        places = [self.places[number] for number in self.reachable(*hosts)]
        return {place.host + place.path for place in places if place.kind in kinds}

    def pages(self, port: int) -> dict[str, Page]:
        """The pages for a `Site` that serves all hosts on this port. Dead places are left out: they are 404."""
        return {
            f"//{place.host}{place.path}": self._page(place, number, port)
            for number, place in enumerate(self.places)
            if place.kind != "dead"
        }

    def _page(self, place: Place, number: int, port: int) -> Page:
        if place.kind == "redirect":
            target = self.places[place.links[0]]
            location = target.path if target.host == place.host else f"http://{target.host}:{port}{target.path}"
            return Reply(status=(301, 302, 303, 307, 308)[number % 5], headers={"Location": location})
        shown = place.original if place.kind == "copy" else number
        chance = Random(f"{self.seed} {shown}")
        copied = place.kind == "copy" or any(other.original == number for other in self.places)
        anchors = ""
        for link in place.links:
            anchors += f"<p><a href={self._spell(place, self.places[link], port, copied, chance)}>to {link}</a></p>\n"
        return f"<!doctype html><title>Page {shown}</title><h1>Page {shown} of web {self.seed}</h1>\n{anchors}"

    def _spell(self, source: Place, target: Place, port: int, copied: bool, chance: Random) -> str:
        """One of the many ways to write a link. A page with copies may only use those that read the same anywhere."""
        absolute = f"http://{target.host}:{port}{target.path}"
        ways = [absolute, f"{absolute}#part", f"HTTP://{target.host}:{port}{target.path}", f'"  {absolute} "']
        if not copied:
            ways.append(f"//{target.host}:{port}{target.path}")
            if target.host == source.host:
                up = "../" * (source.path.count("/") - 1)
                ways += [target.path, f"{up or './'}{target.path[1:]}", f"/./x/..{target.path}", f"{target.path}#"]
        return chance.choice(ways)


def random_web(chance: Random, size: int, hosts: tuple[str, ...] = HOSTS[:1]) -> Web:
    """A web of that many places. Take `Random(n)` for the same web every time."""
    kinds: list[Kind] = ["page", *(chance.choice(MIXTURE) for _ in range(size - 1))]
    pages = [number for number, kind in enumerate(kinds) if kind == "page"]
    redirects = [number for number, kind in enumerate(kinds) if kind == "redirect"]
    links: dict[int, tuple[int, ...]] = {}
    originals: dict[int, int] = {}
    for number, kind in enumerate(kinds):
        if kind == "page":
            fewest = 5 if number == 0 else 0  # a start without links would be a web of one page
            links[number] = tuple(chance.randrange(size) for _ in range(fewest + chance.randrange(9)))
    for number, kind in enumerate(kinds):
        if kind == "copy":
            originals[number] = chance.choice(pages)
            links[number] = links[originals[number]]
        elif kind == "redirect":
            links[number] = (_redirect_target(chance, number, size, redirects),)
    places = tuple(
        Place(
            host=hosts[0] if number == 0 else chance.choice(hosts[:1] * len(hosts) + hosts),
            path="/" if number == 0 else f"/{chance.choice(FOLDERS)}{kind}{number}.html",
            kind=kind,
            links=links.get(number, ()),
            original=originals.get(number, -1),
        )
        for number, kind in enumerate(kinds)
    )
    return Web(places, chance.randrange(1 << 30))


def _redirect_target(chance: Random, number: int, size: int, redirects: list[int]) -> int:
    """What does not redirect, or one of the first three redirects if this is a later one: short chains, no loops."""
    targets = [other for other in range(size) if other not in redirects]
    return chance.choice(targets + [other for other in redirects[:3] if other < number])


def webs(largest: int = 30, hosts: tuple[str, ...] = HOSTS[:1]) -> st.SearchStrategy[Web]:
    """Random webs for hypothesis, which can shrink them: every choice is one it made."""
    return st.builds(
        random_web, st.randoms(use_true_random=False), st.integers(min_value=1, max_value=largest), st.just(hosts)
    )
