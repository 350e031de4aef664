"""A web of several hundred hosts for crawls that look for forms, arranged of real pages.

Real are the text of every page, the paths and anchor texts of links within a site, and the forms. Arranged are which
page has which links, and which pages have their forms. On a real site the same search box is on every page, so that
there would be nothing to explore; here a site has its forms on one to three pages.

fields     100 hosts for each of four fields; 40 of the 100 have search forms. Depths of forms are drawn by `DEPTHS`.
           Links that are called a search on a real site lead to a page with forms here, too, and a site without forms
           has none of them. A third of the pages with forms, and all where the real site has no such link, are linked
           to like any other page.
           Three of four pages are about the field, the others about anything.
strangers  hosts of annotated pages with all their forms, which do not count
noise      hosts with articles and pages of universities
hubs       two hosts for each field that list half of its hosts, among others

Sites link to each other from any of their pages. Half of the links stay in the field of the site, the others go
anywhere. How many sites link to a site follows a power law. Hosts are numbered by lot, so their names say nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from benchmarks.form_material import RealLink, RealPage, fields, form_hosts, noise
from dowse.fetch.replay import Replayed

TOPICS = {"auto": "cars", "book": "books", "job": "jobs", "movie": "movies"}
"""What is looked for in each field. The words were set down before anything was measured."""

FIELD_HOSTS, WITH_FORMS, NOISE_HOSTS = 100, 40, 300
DEPTHS = {0: 10, 1: 25, 2: 30, 3: 20, 4: 10, 5: 5}
"""How many of a hundred pages with forms are so many links below the home page: most within depth 3."""

PAGES = (30, 60)
"""Fewest and most pages of a host."""

ON_HOME, ON_PAGE = 15, 6
OWN_FIELD = 0.5
_HUBS, _LISTED = 2, 0.5
_KNOWN_BACKLINKS = 0.5
CALLED_SEARCH = re.compile(r"(?i)\b(?:search|find|finder|locator|browse)\b")
_PLAIN = 1 / 3
"""The share of pages with forms that no word of a link gives away."""


class Node:
    """A page of the web: what it says, and where it leads."""

    def __init__(self, path: str, page: RealPage, depth: int, *, forms: Sequence[str] = ()) -> None:
        self.path, self.page, self.depth, self.forms = path, page, depth, forms
        self.links: list[tuple[str, str]] = []


class Host(NamedTuple):
    """A site of a field, with its pages; the first is its home page."""

    name: str
    field: str
    nodes: list[Node]

    @property
    def home(self) -> str:
        return f"http://{self.name}/"


@cache
def _material() -> tuple[dict[str, dict[str, list[RealPage]]], dict[str, list[RealPage]], list[RealPage]]:
    return fields(), form_hosts(), list(noise())


class FormWeb:
    """The hosts by name. `forms` has, for each field, the number of search forms of every page that counts."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        real, strangers, anything = _material()
        self._noise = cycle(self._chance.sample(anything, len(anything)))
        makers: list[tuple[str, Callable[[str], Host]]] = []
        self.forms: dict[str, dict[str, int]] = {}
        for field, sites in real.items():
            self.forms[field] = {}
            for at in range(FIELD_HOSTS):
                has_forms = at < WITH_FORMS
                makers.append((field, self._of_field(field, sites, has_forms=has_forms)))
            makers += [(field, self._hub(field)) for _ in range(_HUBS)]
        makers += [(f"strangers {at % 7}", self._stranger(pages)) for at, pages in enumerate(strangers.values())]
        makers += [(f"noise {at % 3}", self._stranger([])) for at in range(NOISE_HOSTS)]
        self._chance.shuffle(makers)
        self.hosts = [make(f"h{number}.example") for number, (_, make) in enumerate(makers, 1)]
        self.hosts = [host._replace(field=field) for host, (field, _) in zip(self.hosts, makers, strict=True)]
        self._join()
        self._pages = {f"{host.home}{node.path}": node for host in self.hosts for node in host.nodes}

    def _of_field(self, field: str, sites: dict[str, list[RealPage]], *, has_forms: bool) -> Callable[[str], Host]:
        def make(name: str) -> Host:
            chance = self._chance
            own = sites[chance.choice(sorted(sites))]
            links = {link.path: link for page in own for link in page.links}
            called = [link for link in links.values() if CALLED_SEARCH.search(link.anchor)]
            plain = [link for link in links.values() if link not in called]
            about = [page for pages in sites.values() for page in pages]
            bodies = (chance.choice(about) if chance.random() < 0.75 else next(self._noise) for _ in cycle([0]))
            nodes = self._tree(plain, bodies, chance.choice(about))
            if has_forms:
                with_box = [page for page in about if page.searches]
                for _ in range(chance.choices((1, 2, 3), (70, 20, 10))[0]):
                    self._add_forms(nodes, called, chance.choice(with_box))
                for node in nodes:
                    if node.forms:
                        self.forms[field][f"http://{name}/{node.path}"] = len(node.page.searches)
            return Host(name, field, nodes)

        return make

    def _tree(self, links: Sequence[RealLink], bodies: Iterator[RealPage], home: RealPage) -> list[Node]:
        """Pages of a site by the paths of its real links, or of its pages where there are too few."""
        chance, nodes, paths = self._chance, [Node("", home, 0)], {""}
        named = cycle(chance.sample(list(links), len(links))) if links else None
        for at in range(chance.randint(*PAGES)):
            page = next(bodies)
            link = next(named) if named is not None and at < len(links) else _link_to(page)
            path = _clean(link.path)
            if path in paths:
                continue
            paths.add(path)
            parents = [node for node in nodes if node.depth < 3 and len(node.links) < ON_PAGE]
            parent = nodes[0] if len(nodes[0].links) < ON_HOME or not parents else chance.choice(parents)
            parent.links.append((f"/{path}", link.anchor))
            nodes.append(Node(path, page, parent.depth + 1))
        return nodes

    def _add_forms(self, nodes: list[Node], called: Sequence[RealLink], page: RealPage) -> None:
        """Give a site a page with forms at a depth, by one of the links that are called a search."""
        chance = self._chance
        depth = chance.choices(list(DEPTHS), list(DEPTHS.values()))[0]
        if depth == 0:
            nodes[0].page, nodes[0].forms = page, page.forms
            return
        above = min(depth - 1, max(node.depth for node in nodes if node.depth <= 3))
        parent = chance.choice([node for node in nodes if node.depth == above])
        while parent.depth < depth - 1:
            step = _link_to(next(self._noise))
            nodes.append(Node(f"{len(nodes)}/{_clean(step.path)}", page, parent.depth + 1))
            parent.links.append((f"/{nodes[-1].path}", step.anchor))
            parent = nodes[-1]
        link = chance.choice(called) if called and chance.random() > _PLAIN else _link_to(page)
        path = _clean(link.path)
        if any(node.path == path for node in nodes):
            path = f"{path}/{len(nodes)}"
        nodes.append(Node(path, page, depth, forms=page.forms))
        parent.links.insert(chance.randint(0, len(parent.links)), (f"/{path}", link.anchor))

    def _stranger(self, pages: Sequence[RealPage]) -> Callable[[str], Host]:
        def make(name: str) -> Host:
            real = list(pages)
            bodies = iter(real + [next(self._noise) for _ in range(PAGES[1])])
            nodes = self._tree([], bodies, real[0] if real else next(self._noise))
            for node in nodes:
                node.forms = node.page.forms if node.page in real else ()
            return Host(name, "", nodes)

        return make

    def _hub(self, field: str) -> Callable[[str], Host]:
        """A site that lists others; `_join` writes the lists."""
        return lambda name: Host(name, f"hub {field}", self._tree([], self._noise, next(self._noise))[:8])

    def _join(self) -> None:
        """Let sites link to each other."""
        chance = self._chance
        self._to: list[tuple[str, str]] = []
        popularity = {host.name: chance.paretovariate(1.2) for host in self.hosts}
        weights = [popularity[host.name] for host in self.hosts]
        by_field: dict[str, list[Host]] = {}
        for host in self.hosts:
            by_field.setdefault(host.field, []).append(host)
        for host in self.hosts:
            kin = by_field[host.field]
            for _ in range(min(40, int(6 * chance.paretovariate(1.5)))):
                near = chance.random() < OWN_FIELD
                of_kin = [popularity[each.name] for each in kin]
                (target,) = chance.choices(kin, of_kin) if near else chance.choices(self.hosts, weights)
                self._link(host, chance.choice(host.nodes), target)
        for host in self.hosts:
            if len(host.nodes) == 8 and host.field in TOPICS:
                for target in chance.sample(by_field[host.field], int(_LISTED * FIELD_HOSTS)):
                    self._link(host, chance.choice(host.nodes[1:]), target)

    def _link(self, host: Host, node: Node, target: Host) -> None:
        if target is not host:
            node.links.insert(self._chance.randint(0, len(node.links)), (target.home, target.nodes[0].page.title))
            self._to.append((f"{host.home}{node.path}", target.home))

    def seeds(self, field: str, number: int) -> list[str]:
        """Home pages of the field, by lot, that lead to other sites of it."""
        able = [host.home for host in self.hosts if host.field == field and len(host.nodes) > 8]
        return self._chance.sample(able, number)

    def backlinks(self, path: Path) -> Path:
        """Half of all links between sites, as a search engine may know them."""
        known = [f"{page},{target}" for page, target in self._to if self._chance.random() < _KNOWN_BACKLINKS]
        path.write_text("page,target\n" + "\n".join(known), encoding="utf-8")
        return path

    def node(self, url: str) -> Node | None:
        return self._pages.get(url)

    def find(self, url: str) -> Replayed | None:
        node = self.node(url)
        if node is None:
            return None
        links = "".join(f'<li><a href="{escape(address)}">{escape(anchor)}</a></li>' for address, anchor in node.links)
        body = f"<title>{escape(node.page.title)}</title><body>{''.join(node.forms)}{node.page.markup}<ul>{links}</ul>"
        return Replayed(200, {"content-type": "text/html; charset=utf-8"}, body.encode())


def _clean(path: str) -> str:
    """A path that is written in one way only."""
    return re.sub(r"[^A-Za-z0-9/_.-]", "-", path).replace("//", "/").replace("/.", "/-").strip("/")


def _link_to(page: RealPage) -> RealLink:
    """How a page is linked to if no real link to it is known: by its own address and title."""
    return RealLink("/" + page.url.partition("://")[2].partition("/")[2].partition("?")[0], page.title)
