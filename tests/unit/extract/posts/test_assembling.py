"""The pages of a thread put together."""

from __future__ import annotations

from dowse.extract.posts.assembling import assemble
from dowse.extract.posts.thread_records import Author, Crumb, Post, ThreadPage


def post(name: str, number: int | None = None, permalink: str = "") -> Post:
    return Post(
        Author(name), "2024-03-05T10:00:00", f"What {name} says", permalink=permalink, number=number, position=1
    )


def page(*posts: Post, url: str = "http://f.example/t") -> ThreadPage:
    return ThreadPage(url, "Kettles", posts, (Crumb("Kitchen", "http://f.example/f"),))


def names(*pages: ThreadPage) -> list[str]:
    return [each.author.name for each in assemble(pages).posts]


def test_posts_stand_in_the_order_of_the_pages_and_are_counted_through() -> None:
    thread = assemble([page(post("a"), post("b")), page(post("c"), url="http://f.example/t?p=2")])
    assert [(each.position, each.author.name) for each in thread.posts] == [(1, "a"), (2, "b"), (3, "c")]
    assert (thread.url, thread.title, thread.boards[0].name) == ("http://f.example/t", "Kettles", "Kitchen")


def test_the_first_post_may_be_on_every_page() -> None:
    first = [post("a", permalink=f"http://f.example/t?page={number}#post101") for number in (1, 2)]
    assert names(page(first[0], post("b")), page(first[1], post("c"))) == ["a", "b", "c"]


def test_pages_may_overlap() -> None:
    assert names(page(post("a"), post("b")), page(post("b"), post("c"))) == ["a", "b", "c"]


def test_two_posts_that_say_the_same_are_two_if_they_are_in_two_places() -> None:
    one, two = (post("a", permalink=f"http://f.example/t#post10{number}") for number in (1, 2))
    assert names(page(one, two)) == ["a", "a"]


def test_numbers_tell_the_order_and_what_is_missing() -> None:
    thread = assemble([page(post("d", 7), post("e", 8)), page(post("a", 1), post("b", 2), post("c", 4))])
    assert [each.author.name for each in thread.posts] == ["a", "b", "c", "d", "e"]
    assert thread.missing == ("3", "5-6")


def test_without_numbers_nothing_is_known_to_be_missing() -> None:
    assert assemble([page(post("a", 1), post("b"))]).missing == ()


def test_no_pages_are_an_empty_thread() -> None:
    assert assemble([]).posts == ()
