"""The rule builder: pages to point at, rows made of clicks, and the table that grows of them.

A page is fetched and kept for a while. What is asked about it names its elements by number. The server does the
matching, with the code of rule crawls, so the counts are those of a crawl.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from msgspec import to_builtins
from turbohtml import Element

from dowse.core.errors import JobError
from dowse.core.secret import references
from dowse.extract.picked_fields import field_values, offer_selectors
from dowse.extract.selecting.selectors import parse_selector
from dowse.modes.rules.rule_table import BASE, COLUMNS, Rule
from dowse.parse.links import Anchor
from dowse.rule_learning.clicked_links import offers_for, proposed_rule, taken_by
from dowse.web.api_values import PROBLEMS, Problem
from dowse.web.builder_values import (
    Column,
    ColumnAsked,
    ColumnRow,
    FieldAsked,
    FieldMade,
    PageAsked,
    PageBrought,
    Row,
    RowAsked,
    RowMade,
    Shown,
    TableAsked,
    TableSeen,
    Trouble,
)  # fmt: skip
from dowse.workflows.built_tables import look_at
from dowse.workflows.shown_pages import ShownPage, ShownPages

ROUTER = APIRouter(prefix="/api/builder", tags=["rule builder"])
PAGE_PROBLEMS: dict[int | str, dict[str, Any]] = {
    **PROBLEMS,
    404: {"model": Problem, "description": "The page is not kept any more."},
    409: {"model": Problem, "description": "The page cannot be had, or a file cannot be read or written."},
}
_MOST_URLS = 200


def shown_pages(request: Request) -> ShownPages:
    """The pages that are being looked at."""
    pages: ShownPages = request.app.state.shown_pages
    return pages


Pages = Annotated[ShownPages, Depends(shown_pages)]
PageId = Annotated[str, Path(max_length=40, description="The id of a page that is shown.")]


def found_page(page_id: PageId, pages: Pages) -> ShownPage:
    return pages.get(page_id)


Looked = Annotated[ShownPage, Depends(found_page)]


def fetching(request: Request, **options: Any) -> dict[str, Any]:
    """Options of fetching, without those that say nothing, and with what `dowse serve` was told about addresses."""
    given = {name: value for name, value in options.items() if value}
    return given | ({"allow_private": True} if request.app.state.allow_private else {})


def check_steps(steps: Sequence[str]) -> None:
    """Refuse steps that would type a secret of this machine into a page."""
    if secret := next((step for step in steps if any(references("step", step))), None):
        raise JobError(f"step: {secret}: no secrets are filled in here; start a crawl that needs them with dowse run")


@ROUTER.post("/pages", responses=PAGE_PROBLEMS)
def fetch_page(request: Request, asked: PageAsked, pages: Pages) -> Shown:
    """Fetch a page to point at, by HTTP or in a browser that takes some steps first."""
    # On one page every step is meant for it, whatever its type will be called.
    check_steps(asked.steps)
    steps = [step.partition(" => ")[2] or step for step in asked.steps]
    fetch = "browser" if steps else asked.fetch
    return _shown(pages.fetch(asked.url, asked.base, **fetching(request, fetch=fetch, step=steps)))


@ROUTER.post("/pages/brought", responses=PAGE_PROBLEMS)
def bring_page(asked: PageBrought, pages: Pages) -> Shown:
    """Point at a page that a browser shows already."""
    return _shown(pages.bring(asked.url, asked.html))


def _shown(shown: ShownPage) -> Shown:
    page = shown.page
    frame = f"/builder/frames/{shown.id}" if shown.copy else ""
    return Shown(id=shown.id, url=page.url, title=page.title, links=len(page.links), frame=frame)


@ROUTER.post("/pages/{page_id}/row", responses=PAGE_PROBLEMS)
def make_row(shown: Looked, asked: RowAsked) -> RowMade:
    """A row for the links that were clicked: what it takes, and what could be chosen in its place."""
    rule = _rule(asked.row, shown.page.url)
    wanted = shown.anchors(asked.wanted)
    if not wanted:
        taken = taken_by(shown.page, [rule])[0]
        return _row(shown, rule, taken, {"scopes": [], "patterns": []})
    if asked.proposes:
        rule = proposed_rule(shown.page, rule, wanted, shown.anchors(asked.unwanted))
    offers = offers_for(shown.page, rule, wanted)
    clicked = {anchor.url for anchor in wanted}
    taken = sorted(offers.taken, key=lambda anchor: anchor.url not in clicked)
    return _row(shown, rule, taken, to_builtins({"scopes": offers.scopes, "patterns": offers.patterns}))


def _row(shown: ShownPage, rule: Rule, taken: list[Anchor], choices: dict[str, Any]) -> RowMade:
    urls = list(dict.fromkeys(anchor.url for anchor in taken))
    numbers = shown.numbers.of(anchor.element for anchor in taken)
    return RowMade(row=rule.cells(), links=len(urls), taken=numbers, urls=urls[:_MOST_URLS], **choices)


def _rule(cells: Row, url: str) -> Rule:
    """A row by itself. It may be for any page type, so nothing has to lead there."""
    kind = cells.get("ruleType", "").lower()
    alone = {"ruleType": "keep", **cells, "fromType": BASE, "baseURL": cells.get("baseURL") or url}
    if kind == "follow" and not alone.get("toType"):
        alone["toType"] = "next"
    if kind == "drop":
        alone["ruleType"] = "keep"  # it is shown what would be dropped
    table = look_at([{name: alone.get(name, "") for name in COLUMNS}])
    if table.errors:
        first = table.errors[0]
        raise JobError(f"{first.column}: {first.text}")
    return table.rules[0]


@ROUTER.post("/table", responses=PROBLEMS)
def see_table(asked: TableAsked) -> TableSeen:
    """What is wrong with a table, as `dowse rules check` says it."""
    table = look_at(asked.rows)
    problems = [Trouble.model_validate(problem) for problem in table.problems]
    return TableSeen(problems=problems, usable=len(table.rules))


@ROUTER.post("/pages/{page_id}/field", responses=PAGE_PROBLEMS)
def make_field(shown: Looked, asked: FieldAsked) -> FieldMade:
    """Selectors for the elements that were picked, or for those around them."""
    elements = (shown.numbers.element(number) for number in asked.picked)
    meant = list(dict.fromkeys(_around(each, asked.around) for each in elements if each is not None))
    if not meant:
        raise JobError("picked: there is no such element on the page; load it again")
    offers: dict[str, Any] = to_builtins(offer_selectors(shown.page, meant))
    return FieldMade(picked=shown.numbers.of(meant), **offers)


def _around(element: Element, levels: int) -> Element:
    """The element so many levels up, within the body of the page."""
    for _ in range(levels):
        parent = element.parent
        if not isinstance(parent, Element) or parent.tag in ("body", "html"):
            break
        element = parent
    return element


@ROUTER.post("/pages/{page_id}/column", responses=PAGE_PROBLEMS)
def fill_column(request: Request, shown: Looked, asked: ColumnAsked, pages: Pages) -> Column:
    """What fields hold on the page, and on others like it."""
    values, problems = field_values(shown.page, asked.fields)
    rows = [ColumnRow(url=shown.page.url, values=values)]
    if not problems:
        others = pages.column(shown, asked.fields, asked.urls, **fetching(request))
        others += pages.brought_column(asked.fields, [(each.url, each.html) for each in asked.brought])
        rows += [ColumnRow.model_validate(row) for row in others]
    return Column(rows=rows, problems=problems, taken=_found(shown, asked.fields[-1]) if not problems else [])


def _found(shown: ShownPage, field: str) -> list[int]:
    """The elements that the selector of a field finds."""
    selector = parse_selector(field.partition("=")[2].strip())
    elements = (match for match in selector.matches(shown.page) if isinstance(match, Element))
    return shown.numbers.of(elements)
