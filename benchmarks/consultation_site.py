"""A government's consultation site like the one of the rule-crawler paper: a list, eleven departments, three levels.

    host 1        the list of all consultations, its search with facets, and /go/ redirects
    hosts 2-12    departments: consultations in two languages, news, programs, publications, a calendar without end
    host 20       an organisation abroad, whose pages and documents the departments link to
    host 99       is down

Host N is 127.0.0.N. Wanted are the PDFs of consultation pages about "international": those the list leads to and those
one step further. The same word is in menus, facets, news and pages "about us" everywhere, with PDFs of their own. All
comes from one seed; consultation_server.py answers with it.
"""

from __future__ import annotations

import random
from html import escape
from typing import NamedTuple

LIST, ABROAD, DOWN = 1, 20, 99
DEPARTMENTS = range(2, 13)
BASE_PATH = "/consultingcanadians/page/search"
COLUMN = "col-xs-12 col-sm-7 col-md-8 col-lg-9"
SIDE_COLUMN = "col-xs-12 col-sm-5 col-md-4 col-lg-3"
TOPIC = "international"
TOPICS = (
    *("fisheries", "health", "transport", "culture", "finance", "environment"),
    *("justice", "labour", "industry", "agriculture", TOPIC),
)
CONSULTATIONS, NEWS, PROGRAMS, PUBLICATIONS, ABOUT = 60, 80, 60, 5, 6
"""How many of each a department has."""

_WITHOUT_DOCUMENTS = 3  # pages about the topic that hold none, which nobody can know before looking
_TEXT = (
    "measures review framework standards access renewal strategy agreement services safety harbour licence water trade"
    " research funding regions youth heritage transit energy data privacy species labels quota northern rural digital"
)
_WORDS = _TEXT.split()


class World(NamedTuple):
    """Pages and redirects by their address, and the documents that are wanted."""

    pages: dict[str, bytes]
    redirects: dict[str, str]
    consultations: list[tuple[str, str]]
    wanted: frozenset[str]


def build(port: int) -> World:
    """The whole site as it is served at a port."""
    return _Builder(port).built()


class _Builder:
    """Makes page after page; what it decides by chance is the same every time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._chance = random.Random(2017)
        self._pages: dict[str, bytes] = {}
        self._redirects: dict[str, str] = {}
        self._listed: list[tuple[str, str]] = []
        self._wanted: set[str] = set()
        self._on_topic: list[str] = []
        self._documents = 0

    def built(self) -> World:
        abroad = [self._page_abroad(number) for number in range(6)]
        for host in DEPARTMENTS:
            for number in range(CONSULTATIONS):
                self._consultation(host, number, TOPICS[number % len(TOPICS)], abroad)
        # A word that only looks like the topic: the paper's pattern takes it, and its two PDFs are not wanted.
        labels = self._url(9, "/consultations/industry/internationalization-of-labels/index-eng.htm")
        self._listed.append((labels, "Labels of software"))
        self._put(labels, "Labels of software", self._document_links(labels, 2))
        for host in DEPARTMENTS:
            self._department(host)
        self._list()
        return World(self._pages, self._redirects, self._listed, frozenset(self._wanted))

    # Consultations: a page from the list, two more below it, and the first one in French

    def _consultation(self, host: int, number: int, topic: str, abroad: list[str]) -> None:
        slug = f"{'-'.join(self._chance.sample(_WORDS, 2))}-{number}"
        is_wanted = topic == TOPIC
        folder = self._url(host, f"/{TOPIC}/{slug}/" if is_wanted else f"/consultations/{topic}/{slug}/")
        name = f"{slug.replace('-', ' ').capitalize()} ({topic})"
        first, details = f"{folder}index-eng.htm", [f"{folder}details-{step}-eng.htm" for step in (1, 2)]
        documents = self._document_links(first, self._chance.randint(2, 6), is_wanted=is_wanted)
        further = [f'<li><a href="{target.removeprefix(folder)}">Details</a>' for target in details]
        if self._chance.random() < 0.15:
            further.append('<li><a href="consultation-closed-eng.htm">What we heard</a>')  # is not there
        if is_wanted:
            self._on_topic.append(first)
            if number == TOPICS.index(TOPIC):
                further.append(f'<li><a href="{abroad[host % len(abroad)]}">Partners abroad</a>')
                further.append(f'<li><a href="{self._url(DOWN, f"/{TOPIC}/treaty.htm")}">The treaty</a>')
        main = f"{documents}<ul>{''.join(further)}</ul>{self._prose(topic, 60)}{self._mention()}"
        self._put(first, name, main)
        self._put(f"{folder}index-fra.htm", f"Consultation {number}", documents + self._prose("français", 60))
        for target in details:
            empty = (
                is_wanted and host < DEPARTMENTS[_WITHOUT_DOCUMENTS] and number < len(TOPICS) and target == details[1]
            )
            count = 0 if empty else self._chance.randint(1, 6)
            documents = self._document_links(target, count, is_wanted=is_wanted)
            self._put(target, f"{name}: details", documents + self._prose(topic, 90) + self._mention())
        self._listed.append((self._listed_as(first, topic, number), name))

    def _listed_as(self, target: str, topic: str, number: int) -> str:
        """Two in ten are listed under an address that only redirects."""
        if number % 10 not in (3, 4):
            return target
        short = self._url(LIST, f"/go/{topic}/{len(self._redirects)}")
        self._redirects[short] = target
        return short

    def _page_abroad(self, number: int) -> str:
        url = self._url(ABROAD, f"/dac/{TOPIC}/paper-{number}.htm")
        documents = self._document_links(url, 5, is_wanted=True)
        self._put(url, f"Paper {number} on development", self._prose(TOPIC, 90) + documents)
        return url

    # The rest of a department

    def _department(self, host: int) -> None:
        self._put(self._url(host, "/"), f"Department {host}", self._prose("department", 80))
        for number in range(ABOUT):
            url = self._url(host, f"/{TOPIC}/about-{number}.htm" if number else f"/{TOPIC}/")
            around = "".join(f'<li><a href="/{TOPIC}/about-{other}.htm">About {other}' for other in range(1, ABOUT))
            body = self._prose(TOPIC, 80) + f"<ul>{around}</ul>" + self._document_links(url, 3)
            self._put(url, f"Our international work, part {number}", body)
        for kind, count in (("news", NEWS), ("programs", PROGRAMS), ("publications", PUBLICATIONS)):
            for number in range(count):
                url = self._url(host, f"/{kind}/{number}.htm")
                body = self._prose(kind, 120) + self._mention() + f'<p><a href="{(number + 1) % count}.htm">next</a>'
                documents = 20 if kind == "publications" else int(self._chance.random() < 0.3)
                self._put(url, f"{kind.capitalize()} {number}", body + self._document_links(url, documents))

    def _mention(self) -> str:
        """One page in five speaks of a consultation about the topic."""
        if self._chance.random() > 0.2 or not self._on_topic:
            return ""
        return f'<p>See also <a href="{self._chance.choice(self._on_topic)}">an international consultation</a>.'

    # The list, and what is on every page

    def _list(self) -> None:
        items = [f'<li><a href="{url}">{escape(name)}</a> <span>closed</span>' for url, name in self._listed]
        self._put(self._url(LIST, BASE_PATH), "Consulting with Canadians", listing(items))
        self._put(self._url(LIST, "/"), "Government", self._prose("government", 40))
        self._put(self._url(LIST, "/help/pdf-reader.htm"), "Help", self._prose("help", 40))

    def _document_links(self, page: str, count: int, *, is_wanted: bool = False) -> str:
        found = []
        for _ in range(count):
            self._documents += 1
            host_url = page[: page.index("/", 8)]
            if self._chance.random() < 0.2:
                host_url = self._url(ABROAD, "")
            url = f"{host_url}/documents/{self._documents:05}.pdf"
            if is_wanted:
                self._wanted.add(url)
            found.append(f'<li><a href="{url}" class=doc>{self._chance.choice(_WORDS).capitalize()} (PDF)</a>')
        return f"<ul>{''.join(found)}</ul>" if found else ""

    def _put(self, url: str, title: str, main: str) -> None:
        host = int(url.split("/")[2].partition(":")[0].rpartition(".")[2])
        self._pages[url] = page(title, main, self._url(LIST, ""), french="-eng.htm" in url, host=host)

    def _prose(self, about: str, words: int) -> str:
        said = [about, *self._chance.choices(_WORDS, k=words), about]
        return f"<p>{' '.join(said)}<p>{about} {' '.join(said[:20])}."

    def _url(self, host: int, path: str) -> str:
        return f"http://127.0.0.{host}:{self._port}{path}"


def listing(items: list[str]) -> str:
    """Links in the column of the list, beside facets that name the topic as well."""
    facets = "".join(f'<li><a href="{BASE_PATH}?subject={topic}">{topic}</a>' for topic in TOPICS)
    years = "".join(f'<li><a href="{BASE_PATH}?year={year}&sort=title">{year}</a>' for year in range(2010, 2018))
    return (
        f'<div class="row"><div class="{COLUMN}"><ol>{"".join(items)}</ol></div>'
        f'<div class="{SIDE_COLUMN}"><ul>{facets}{years}</ul></div></div>'
    )


def page(title: str, main: str, list_url: str, *, french: bool = False, host: int = LIST) -> bytes:
    """A page with its menus, as untidy as such pages are."""
    menu = f'<li><a href="/">Home<li><a href="/{TOPIC}/">International<li><a href="/calendar/2017/01.htm">Events'
    menu += "".join(f'<li><a href="/{kind}/0.htm">{kind}' for kind in ("news", "programs", "publications"))
    if host in (LIST, ABROAD):
        menu = f'<li><a href="/">Home<li><a href="{list_url}{BASE_PATH}?subject={TOPIC}&sort=date">International'
    toggle = '<a lang=fr href="index-fra.htm">Français</a>' if french and "details" not in title else ""
    departments = "".join(
        f'<li><a href="{list_url.replace("127.0.0.1:", f"127.0.0.{number}:")}/{TOPIC}/">Department {number} abroad</a>'
        for number in DEPARTMENTS
    )
    plan = '<a href="/documents/accessibility-plan.pdf">Accessibility plan</a>' if host == 7 else ""
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{escape(title)}</title></head><body>"
        f'<header><nav><ul class="menu">{menu}</ul>{toggle}</nav></header><main class=container>'
        f"<h1>{escape(title)}</h1>{main}</main>"
        f'<aside class="{SIDE_COLUMN}"><h2>Related</h2><ul>{departments}</ul></aside>'
        f'<footer><a href="{list_url}{BASE_PATH}">Consultations</a> '
        f'<a href="{list_url}/help/pdf-reader.htm">PDF reader</a>{plan}</footer></body></html>'
    ).encode()
