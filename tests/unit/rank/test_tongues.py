"""Links to pages in other languages are worth less, on sites in several."""

from __future__ import annotations

import numpy as np

from dowse.modes.focus.strategy import _tree_numbers
from dowse.rank.evidence import Rows, lead_type
from dowse.rank.tongues import Tongues
from dowse.score.language import language
from dowse.score.spoken import named_language

FOREIGN, OWN = 1, -1


def to(*urls: str, parents: float = 0.0) -> Rows:
    """Links to pages, given as host/folder/name."""
    rows = np.zeros(len(urls), lead_type(4))
    rows["tree"] = [_tree_numbers(f"http://{url}".rpartition("/")[0]) for url in urls]
    rows["language"] = [named_language(f"http://{url}", language("en")) for url in urls]
    rows["parent_foreign"] = parents
    return rows


def less(tongues: Tongues, rows: Rows) -> list[float]:
    return [round(float(each), 2) for each in tongues.less(rows)]


def test_nothing_is_worth_less_where_all_is_in_one_language() -> None:
    tongues = Tongues()
    for number in range(20):
        tongues.note(to(f"a/x/{number}.html"), OWN)
    assert less(tongues, to("a/x/1.html", "a/de/1.html", "b/1.html", parents=1.0)) == [0, 0, 0]


def test_pages_below_a_folder_in_another_language_are_worth_less() -> None:
    tongues = Tongues()
    for number in range(4):
        tongues.note(to(f"a/garten/{number}.html", parents=FOREIGN), FOREIGN)
        tongues.note(to(f"a/garden/{number}.html", parents=OWN), OWN)
    same, other = to("a/garten/9.html", parents=FOREIGN), to("a/garden/9.html", parents=OWN)
    assert less(tongues, same)[0] < -0.3
    assert less(tongues, other)[0] > -0.02
    assert -0.1 < less(tongues, to("a/new/9.html"))[0] < 0


def test_the_name_of_a_language_holds_in_other_folders_and_the_topics_own_is_free() -> None:
    tongues = Tongues()
    for number in range(3):
        tongues.note(to(f"a/guide-de/{number}.html"), FOREIGN)
        tongues.note(to(f"a/x/{number}.html"), OWN)
    german, french, english = less(tongues, to("a/help-de/1.html", "a/help-fr/1.html", "a/help-en/1.html"))
    assert german < -0.35 < french < -0.1 < english


def test_a_folder_with_both_tells_nothing() -> None:
    tongues = Tongues()
    for number in range(3):
        tongues.note(to(f"a/faq/{number}.html"), FOREIGN)
        tongues.note(to(f"a/faq/{number}-x.html"), OWN)
    assert less(tongues, to("a/faq/9.html")) == less(tongues, to("a/elsewhere/9.html"))


def test_what_is_known_is_saved() -> None:
    tongues, again = Tongues(), Tongues()
    for number in range(3):
        tongues.note(to(f"a/guide-de/{number}.html"), FOREIGN)
    tongues.note(to("a/x.html"), 0)  # it is not told
    again.load(tongues.dump())
    rows = to("a/guide-de/9.html", "a/de/1.html", "a/en/1.html", parents=0.5)
    assert less(again, rows) == less(tongues, rows)
