"""The rows of boards: boards and threads, their counts and their last posts."""

# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

from collections.abc import Sequence

import pytest
import turbohtml

from dowse.extract.posts.board_pages import read_board_page
from dowse.extract.posts.thread_records import BoardPage, BoardRow, ThreadRow
from tests.unit.extract.pages import FETCHED_AT

URL = "http://f.example/viewforum.php?f=7"
TRAIL = '<ul class="breadcrumbs"><li><a href="/index.php">Index</a></li><li><a href="/viewforum.php?f=1">House</a></li></ul>'
THREADS = [
    ("Which kettle for hard water?", 11, "ann", 14, 1_204, "Bo", "2024-03-05"),
    ("Rules of this board", 2, "admin", 0, 40, "admin", "2020-01-02"),
    ("Tea or coffee", 15, "Cy", 3, 88, "ann", "2024-03-06"),
]


def read(html: str) -> BoardPage:
    return read_board_page(turbohtml.parse(html.encode(), encoding="utf-8", positions=False), URL, FETCHED_AT)


def table(threads: Sequence[tuple[str, int, str, int, int, str, str]] = THREADS, heads: str = "Replies|Views") -> str:
    replies, views = heads.split("|")
    rows = "".join(
        f'<tr><td><img src="{"sticky" if number == 2 else "topic"}.gif" alt="{"Sticky" if number == 2 else "Topic"}"></td>'
        f'<td><a href="/viewtopic.php?t={number}">{title}</a><br><small>by <a href="/member.php?u={who}">{who}</a></small></td>'
        f"<td>{answers}</td><td>{seen:,}</td>"
        f'<td>{day} 10:00<br>by <a href="/member.php?u={last}">{last}</a> <a href="/viewtopic.php?t={number}&amp;last=1">»</a></td></tr>'
        for number, (title, number, who, answers, seen, last, day) in enumerate(threads)
    )
    return (
        f"<html lang=en><title>Kitchen</title>{TRAIL}<h1>Kitchen</h1><table><tr><th></th><th>Topic</th><th>{replies}</th>"
        f"<th>{views}</th><th>Last post</th></tr>{rows}</table>"
    )


def cards() -> str:
    rows = "".join(
        f'<li class="topic-row{" locked" if number == 15 else ""}"><h3><a class="title" href="/viewtopic.php?t={number}">{title}</a></h3>'
        f'<span class="starter"><a href="/member.php?u={who}">{who}</a></span><div class="numbers"><span>{answers} replies</span> '
        f'<span>{seen} views</span></div><div class="latest-reply"><a class="username" href="/member.php?u={last}">{last}</a> '
        f'<time datetime="{day}T10:00:00Z">some time</time></div></li>'
        for title, number, who, answers, seen, last, day in THREADS
    )
    return f"<html lang=en><title>Kitchen</title>{TRAIL}<h1>Kitchen</h1><ul>{rows}</ul>"


@pytest.mark.parametrize("html", [table(), cards(), table(heads="Antworten|Zugriffe"), table(heads="回复|查看")])
def test_threads_have_their_author_counts_and_last_post(html: str) -> None:
    page = read(html)
    found = [
        (row.title, row.url, row.author, row.replies, row.views, row.last_author, row.last_time[:16])
        for row in page.threads
    ]
    assert found == [
        (title, f"http://f.example/viewtopic.php?t={number}", who, answers, seen, last, f"{day}T10:00")
        for title, number, who, answers, seen, last, day in THREADS
    ]
    assert page.boards == ()
    assert [crumb.name for crumb in page.trail] == ["Index", "House"]


def test_what_is_pinned_shows() -> None:
    assert [row.is_sticky for row in read(table()).threads] == [False, True, False]


def test_a_board_with_one_thread_has_one() -> None:
    [row] = read(table(THREADS[:1])).threads
    assert (row.title, row.replies, row.last_author) == ("Which kettle for hard water?", 14, "Bo")


def test_boards_have_a_description_counts_and_their_last_post() -> None:
    boards = [("Kitchen", 7, 12, 340, "ann"), ("Garden", 8, 3, 17, "Bo"), ("Empty", 9, 0, 0, "")]
    rows = "".join(
        f'<div class="forum-row"><div class="forum"><a class="forumtitle" href="/viewforum.php?f={number}">{name}</a><p>All about the {name}</p>'
        f'</div><div class="topics">{threads} <dfn>Topics</dfn></div><div class="posts">{posts} <dfn>Posts</dfn></div><div class="lastpost">'
        + (
            f'<a href="/viewtopic.php?p=1">Re: Tea</a> by <a href="/member.php?u={who}">{who}</a> <span>5 March 2024 10:00</span>'
            if who
            else "None"
        )
        + "</div></div>"
        for name, number, threads, posts, who in boards
    )
    page = read(f"<html lang=en><title>House</title>{TRAIL}<h1>House</h1><div>{rows}</div>")
    assert page.threads == ()
    assert page.boards[0] == BoardRow(
        "Kitchen", "http://f.example/viewforum.php?f=7", "All about the Kitchen", 12, 340, "2024-03-05T10:00:00", "ann"
    )
    assert [(row.name, row.threads, row.posts, row.last_time) for row in page.boards[1:]] == [
        ("Garden", 3, 17, "2024-03-05T10:00:00"),
        ("Empty", 0, 0, ""),
    ]


def test_a_page_may_list_boards_above_threads() -> None:
    board = (
        '<table class="boards"><tr><th>Forum</th><th>Topics</th><th>Posts</th><th>Last post</th></tr><tr><td>'
        '<a href="/viewforum.php?f=17">Pots</a></td><td>4</td><td>19</td><td class="last">4 March 2024 10:00</td></tr></table>'
    )
    page = read(table().replace("<h1>", f"{board}<h1>"))
    assert [(row.name, row.threads, row.posts) for row in page.boards] == [("Pots", 4, 19)]
    assert len(page.threads) == 3


def test_a_list_without_times_is_read_too() -> None:
    rows = "".join(
        f'<tr><td><a href="/viewtopic.php?t={n}">Thread number {n}</a></td><td>{n}</td></tr>' for n in range(5)
    )
    page = read(f"<html lang=en><h1>Old</h1><table><tr><th>Topic</th><th>Replies</th></tr>{rows}</table>")
    assert page.threads[3] == ThreadRow("Thread number 3", "http://f.example/viewtopic.php?t=3", replies=3)


@pytest.mark.parametrize("html", ["", "<p>Nothing", "<h1>Log in</h1><form><input name=user></form>"])
def test_a_page_without_a_list_has_no_rows(html: str) -> None:
    page = read(html)
    assert (page.boards, page.threads) == ((), ())
