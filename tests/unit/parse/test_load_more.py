"""What a browser may press to have the rest of a list: what says that it loads more, and nothing of a form."""

from __future__ import annotations

import pytest
from lxml import html

from dowse.core.steps import parse_step
from dowse.parse.pagination.load_more import paging_steps
from tests.unit.parse.test_pagination import found


def pressed(body: str) -> list[str]:
    """The texts of what would be pressed on a page."""
    selector = parse_step(paging_steps()[-1]).selector.removeprefix("xpath=")
    return [
        " ".join(element.text_content().split()) for element in html.fromstring(f"<div>{body}</div>").xpath(selector)
    ]


@pytest.mark.parametrize(
    "label",
    ["Load more", "Show 20 more", "View more products", "MORE", "More…", "Mehr laden", "Afficher plus", "もっと見る",
     "Загрузить ещё", "Mehr"],
)  # fmt: skip
def test_what_loads_more_is_pressed(label: str) -> None:
    body = f"<button>{label}</button><a href='#'>{label}</a>"
    assert pressed(body) == [label, label]
    assert found(body).load_more == (label,)


@pytest.mark.parametrize("label", ["Order one more", "Buy more", "Add one more", "Donate more", "Invite more friends"])
def test_what_says_more_of_something_else_is_not(label: str) -> None:
    body = f"<button>{label}</button><a href='#'>{label}</a><div role=button>{label}</div>"
    assert pressed(body) == []
    assert found(body).load_more == ()


@pytest.mark.parametrize(
    "body",
    [
        "<form><button>Load more</button></form>",
        "<form><p><a href='#'>Show more</a></form>",
        "<form id=f></form><button form=f>Load more</button>",
        "<button formaction=/order>Load more</button>",
    ],
)
def test_nothing_of_a_form_is_pressed(body: str) -> None:
    assert pressed(body) == []


def test_a_name_may_say_that_it_loads() -> None:
    assert pressed("<button class='btn Load-More'>More stories</button>") == ["More stories"]
    assert pressed("<button>More stories</button>") == []
