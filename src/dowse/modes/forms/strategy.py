"""The crawl for forms, in the worker: the forms of pages, and the results of queries."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.core.model import Task
from dowse.core.record import RESULT, Record
from dowse.core.steps import FormFilling
from dowse.core.urls import host_of, origin_of
from dowse.engine.verdict import Proposal, Verdict
from dowse.modes.forms.browser_filling import filling, named
from dowse.modes.forms.form_fields import find_again, search_box
from dowse.modes.forms.form_judgement import judged
from dowse.modes.forms.messages import (
    CENTRE_PAGE,
    RESULT_PAGE,
    REVERSE_SEARCH,
    Evidence,
    FoundForm,
    Neighbour,
    QueryHint,
    pack,
    query_hint,
)
from dowse.modes.forms.options import ResultPages
from dowse.modes.forms.query_answers import Answer, read_answer, read_nonsense
from dowse.modes.forms.result_list import Item, shown_words
from dowse.modes.forms.topic_of_crawl import density_of, said_by
from dowse.parse.forms.form import Form
from dowse.parse.forms.form_finding import find_forms
from dowse.parse.outline import Place
from dowse.parse.page import Page, Reads
from dowse.score.keywords import Keywords

MOST_WORDS = 100
MOST_NEIGHBOURS = 300
LONGEST_TEXT = 20_000
LONGEST_WORDS = 300
MOST_CENTRES = 20
"""Centre pages that are taken from one reverse search."""

_WHEN: dict[ResultPages, float] = {"no": 0.0, "later": -1000.0, "first": 0.0}
"""The priority of the pages that results link to."""


class FormsStrategy:
    """Follows the links of a site and looks for forms; reads the answers to queries."""

    reads: Reads = "tree"

    def __init__(
        self, topic: Keywords | None, words: str, *, asks: bool, in_browser: bool, result_pages: ResultPages
    ) -> None:
        """`words` are those of the topic as it was given, `in_browser` says whether pages can be shown in one."""
        self._topic = topic
        self._words = words
        self._in_browser = in_browser
        self._asks = asks
        self._result_pages = result_pages

    def priority(self, depth: int) -> float:
        return -float(depth)

    def judge(self, page: Page, task: Task) -> Verdict:
        if task.hint:
            return self._answer(page, query_hint(task.hint))
        if task.label in (RESULT_PAGE, REVERSE_SEARCH, CENTRE_PAGE):
            return Verdict(0.0, [], evidence=pack(self._looked_at(page, task)))
        places = page.outline.places
        forms = self._told(page, [found for form in self._forms(page) if (found := judged(form)) is not None])
        told = Evidence(
            forms=forms,
            words=shown_words(page)[:MOST_WORDS] if self._asks else [],
            around={place.link.url: place.context for place in reversed(places)},
            others=neighbours(places, task.request.host) if self._topic is not None else [],
            on_topic=self._share(page),
        )
        choices = [(place.link, self.priority(task.depth + 1), "") for place in places]
        return Verdict(max((found.searchable for found in forms), default=0.0), choices, evidence=pack(told))

    def filling(self, task: Task) -> FormFilling | None:
        """The form that a query sends in the browser."""
        hint = query_hint(task.hint)
        return filling(hint.form, hint.query) if hint.in_browser else None

    def _forms(self, page: Page) -> list[Form]:
        """The forms of a page. In a browser, fields without a name can be filled in, too."""
        return [named(form) if self._in_browser else form for form in find_forms(page)]

    def _told(self, page: Page, forms: list[FoundForm]) -> list[FoundForm]:
        """The forms with what tells their topic, and what is no result of those that no word can be asked for."""
        own = page.url.partition("?")[0]
        forms = [
            replace(found, shown=read_nonsense(page).known)
            if self._asks and search_box(found.form) is None and found.form.action.partition("?")[0] != own
            else found
            for found in forms
        ]
        if not self._words or not forms:
            return forms
        density = round(density_of(page, self._words), 5)
        return [replace(found, said=said_by(found.form, page), density=density) for found in forms]

    def _looked_at(self, page: Page, task: Task) -> Evidence:
        """What a page brings that is not explored any further."""
        host, places = task.request.host, page.outline.places
        if task.label == REVERSE_SEARCH:
            links = dict.fromkeys(place.link.url for place in places if _leads_away(place, host))
            return Evidence(centres=list(links)[:MOST_CENTRES])
        others = neighbours(places, host) if task.label == CENTRE_PAGE else []
        return Evidence(others=others, on_topic=self._share(page))

    def _share(self, page: Page) -> float:
        """How much of the topic a page has; all of it, where there is no topic."""
        if self._topic is None:
            return 1.0
        text = f"{page.title} {page.outline.text[:LONGEST_TEXT]}"
        return self._topic.share_of(self._topic.terms_in([text.replace("\n", " ")]).get(0, ()))

    def _answer(self, page: Page, hint: QueryHint) -> Verdict:
        fresh = find_again(hint.form, self._forms(page))
        if page.response.status >= 400:
            answer = Answer("error")
        elif hint.query.kind == "nonsense":
            answer = read_nonsense(page)
        elif hint.query.kind == "renewal":
            answer = Answer("no match")
        else:
            known, values = frozenset(hint.known), hint.query.values
            answer = read_answer(page, known, hint.place, hint.page, form=fresh, values=values)
        records = [Record(RESULT, item.key, {**item.fields, "query": hint.query.text}) for item in answer.items]
        sent_on = opened_by_script(page) if hint.in_browser and not answer.items else ""
        told = pack(Evidence(answer=answer, fresh=fresh, sent_on=sent_on))
        requests = [self._result_page(item) for item in answer.items if item.link]
        return Verdict(float(bool(answer.items)), [], requests=requests, evidence=told, records=records)

    def _result_page(self, item: Item) -> Proposal:
        visit = self._result_pages != "no"
        return Proposal(
            url=item.link,
            anchor=item.title,
            priority=_WHEN[self._result_pages],
            label=RESULT_PAGE if visit else "",
            is_link=True,
            keep=not visit,
            visit=visit,
        )


def opened_by_script(page: Page) -> str:
    """The first address that a script of the page wanted to go to; "" if there is none."""
    links = page.tree.select("nav[data-opened-by=script] a[href]")
    return next((url for link in links if (url := page.base.join(link.attr("href") or ""))), "")


def _leads_away(place: Place, host: str) -> bool:
    return place.link.url.startswith("http") and host_of(place.link.url) != host


def neighbours(places: Sequence[Place], host: str) -> list[Neighbour]:
    """The other sites that a page links to, each once, with the words of its links."""
    found: dict[str, list[str]] = {}
    for place in places:
        if _leads_away(place, host):
            found.setdefault(origin_of(place.link.url), []).append(f"{place.link.text} {place.context}")
    return [Neighbour(home, " ".join(texts)[:LONGEST_WORDS]) for home, texts in found.items()][:MOST_NEIGHBOURS]
