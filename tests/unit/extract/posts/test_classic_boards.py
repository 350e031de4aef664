"""Posts of boards that lay out their pages by tables: who wrote each, when, and what."""

# ruff: noqa: RUF001 (letters of other scripts are meant)

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import turbohtml

from dowse.extract.posts.thread_pages import read_thread_page
from dowse.extract.posts.thread_records import ThreadPage
from tests.forum_pages import POSTS_A_PAGE, make_forum
from tests.forum_tables import Tables
from tests.unit.extract.posts.classic_boards import Wanted, phpbb2, smf2, vbulletin3

FETCHED_AT = 1_742_063_411.0  # 2025-03-15 18:30:11 UTC

PHPBB2 = (
    Wanted(
        *("Margaret", "2024-03-09T13:47:00+00:00", "Sat Mar 09, 2024 1:47 pm", "12 Mar 2003"),
        "My sander leaves rings in the oak. Which grit comes after 80?",
    ),
    Wanted("tomw", "2024-03-09T23:05:00+00:00", "Sat Mar 09, 2024 11:05 pm", "05 Jan 2011", "Go to 100, then 120."),
    Wanted(
        *("Margaret", "2024-03-10T00:12:00+00:00", "Sun Mar 10, 2024 12:12 am", "12 Mar 2003"),
        "Thank you. I will hire another machine on Monday and begin again from the window.",
    ),
)
SMF2 = (
    Wanted(
        *("Ola", "2025-03-12T13:47:12", "March 12, 2025, 01:47:12 PM", "April 02, 2009, 08:15:00 PM"),
        "The edge is turned down by about a wave. Shorter strokes, or a smaller lap?",
    ),
    Wanted(
        *("Hélène", "2025-03-13T00:03:59", "March 13, 2025, 12:03:59 AM", "May 30, 2015, 11:00:01 AM"),
        "Shorter strokes first.",
    ),
    Wanted(
        *("Ola", "2025-03-15T09:20:00", "<strong>Today</strong> at 09:20:00 AM", "April 02, 2009, 08:15:00 PM"),
        "That did it, the edge is clean now.",
    ),
)
VBULLETIN3 = (
    Wanted(
        *("Jürgen", "2024-03-09T13:47:00", "09.03.2024, 13:47", "11.05.2004"),
        "Bei mir springt die Kette auf den kleinen Ritzeln. Woran liegt das?",
    ),
    Wanted("bergab", "2024-03-09T17:02:00", "09.03.2024, 17:02", "02.01.2012", "Kassette und Kette tauschen."),
    Wanted(
        *("Jürgen", "2024-04-01T08:30:00", "01.04.2024, 08:30", "11.05.2004"),
        "Danke, mit der neuen Kassette läuft es wieder.",
    ),
)
BOARDS = [(phpbb2, PHPBB2), (smf2, SMF2), (vbulletin3, VBULLETIN3)]


def read(html: str) -> ThreadPage:
    tree = turbohtml.parse(html.encode(), encoding="utf-8", positions=False)
    return read_thread_page(tree, "http://f.example/viewtopic.php?t=1", FETCHED_AT)


def read_parts(html: str) -> list[tuple[str, str, str]]:
    return [(post.author.name, post.time, post.text) for post in read(html).posts]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(("write", "posts"), BOARDS)
def test_classic_boards_are_read(
    write: Callable[[Sequence[Wanted]], str], posts: Sequence[Wanted], number: int
) -> None:
    assert read_parts(write(posts[:number])) == [(post.author, post.time, post.text) for post in posts[:number]]


def test_a_time_among_other_things_in_a_cell_is_that_of_the_post() -> None:
    forum = make_forum("table", threads=12)
    pages = Tables(forum)
    for number, thread in forum.threads.items():
        wanted = [(author, f"{moment:%Y-%m-%dT%H:%M:%S}", text) for author, moment, text in thread.posts]
        assert read_parts(pages.thread(number, 0)) == wanted[:POSTS_A_PAGE]


@pytest.mark.parametrize(
    "joined",
    [
        *("Joined: 2 Jan 2020", "Anmeldungsdatum: 02.01.2020", "Inscrit le: 02 Jan 2020", "Registrado: 02/01/2020"),
        *("Регистрация: 02.01.2020", "Dołączył: 02 Sty 2020", "Mitglied seit: 02.01.2020", "Kayıt: 02.01.2020"),
        *("注册时间: 2020-01-02", "Member since 2 Jan 2020", "Lid sinds: 02-01-2020", "Medlem siden: 02.01.2020"),
    ],
)
def test_a_text_without_an_element_of_its_own_has_neither_the_time_nor_the_profile_in_it(joined: str) -> None:
    said = [("anna", 9, "The pump is loud."), ("bert", 10, "Then oil it."), ("anna", 11, "It is quiet now, thanks.")]
    rows = "".join(
        f"<tr><td><b>{name}</b><br>{joined}<br>Posts: 7</td><td>Posted: {day:02}.03.2024 13:47<hr>{text}</td></tr>"
        for name, day, text in said
    )
    found = read_parts(f"<html><body><h1>Pumps</h1><table>{rows}</table></body></html>")
    assert found == [(name, f"2024-03-{day:02}T13:47:00", text) for name, day, text in said]


def test_a_date_in_what_a_post_says_is_not_its_time() -> None:
    text = "We met on 1 May 2019 at 10:30 in the harbour, and nobody there had seen the boat since the storm.<p>Anyone?"
    said = [("anna", 9), ("bert", 10), ("carla", 11)]
    rows = "".join(
        f"<tr><td><b>{name}</b><br>Joined: 2 Jan 2020</td><td>Posted: {day:02}.03.2024 13:47<hr>{text}</td></tr>"
        for name, day in said
    )
    times = [time for _, time, _ in read_parts(f"<html><body><table>{rows}</table></body></html>")]
    assert times == [f"2024-03-{day:02}T13:47:00" for _, day in said]


def test_the_text_may_be_in_the_row_below_that_of_the_profile_and_the_time() -> None:
    said = [
        ("anna", 9, "The pump is loud, and nobody in the house can sleep while it runs at night. What is wrong?"),
        ("bert", 10, "Then oil it, and look whether the bearing is worn on the side of the motor."),
    ]
    rows = "".join(
        f"<tr><td rowspan=2><b>{name}</b><br>Member since 2 Jan 2020</td><td>Written {day} March 2024, 1:47 pm "
        f"<a href='q.php?p={day}'>quote</a></td></tr><tr><td>{text}</td></tr>"
        for name, day, text in said
    )
    found = read_parts(f"<html><body><h1>Pumps</h1><table>{rows}</table></body></html>")
    assert found == [(name, f"2024-03-{day:02}T13:47:00", text) for name, day, text in said]
