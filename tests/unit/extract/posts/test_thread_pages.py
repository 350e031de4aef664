"""The posts of thread pages, in the markup of many kinds of forum software."""

# ruff: noqa: E501 (markup as it is sent)

from __future__ import annotations

import time

import pytest
import turbohtml

from dowse.extract.posts import block_names, post_blocks
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.thread_pages import read_thread_page
from dowse.extract.posts.thread_records import Crumb, ThreadPage
from tests.unit.extract.pages import FETCHED_AT, page_of
from tests.unit.extract.posts.forum_styles import BOARDS, STYLES, TITLE, Said, conversation, mail_archive

URL = "http://f.example/t?id=1"
WITHOUT_BOARDS = {"flarum", "hacker_news", "questions", "tree_of_replies"}


def read(html: str, url: str = URL) -> ThreadPage:
    return read_thread_page(turbohtml.parse(html.encode(), encoding="utf-8", positions=False), url, FETCHED_AT)


def in_order(page: ThreadPage, said: list[Said]) -> list[Said]:
    """What was said in the order of the page: a tree of replies has its own."""
    by_number = {str(post.number): post for post in said}
    return [by_number.get(post.permalink.rpartition("_")[2], said[place]) for place, post in enumerate(page.posts)]


@pytest.mark.parametrize("number", [1, 2, 3, 12, 40])
@pytest.mark.parametrize("style", STYLES)
def test_each_post_has_its_author_time_and_text(style: str, number: int) -> None:
    said = conversation(number)
    page = read(STYLES[style](said))
    assert len(page.posts) == number
    wanted = in_order(page, said)
    assert [post.author.name for post in page.posts] == [post.author for post in wanted]
    assert [post.time[:16] for post in page.posts] == [f"{post.when:%Y-%m-%dT%H:%M}" for post in wanted]
    assert [post.text for post in page.posts] == [post.text for post in wanted]
    assert page.title == TITLE


@pytest.mark.parametrize("style", [name for name in STYLES if name not in {"flarum", "hacker_news", "questions"}])
def test_what_a_post_quotes_is_apart_from_what_it_says(style: str) -> None:
    said = conversation(12)
    page = read(STYLES[style](said))
    quoted = {post.text: [quote.text for quote in post.quotes] for post in page.posts}
    assert quoted == {post.text: [post.quoted[1]] if post.quoted else [] for post in in_order(page, said)}


@pytest.mark.parametrize("style", ["phpbb", "mybb", "vbulletin", "smf", "fluxbb", "old_tables", "discourse", "xenforo"])
def test_who_is_quoted_is_known(style: str) -> None:
    said = conversation(12)
    authors = [quote.author for post in read(STYLES[style](said)).posts for quote in post.quotes]
    assert authors == [post.quoted[0] for post in said if post.quoted]


@pytest.mark.parametrize("style", [name for name in STYLES if name not in WITHOUT_BOARDS])
def test_the_boards_above_a_thread_are_read_from_its_trail(style: str) -> None:
    boards = read(STYLES[style](conversation(3))).boards
    assert boards[-1] == Crumb(BOARDS[-1][0], f"http://f.example{BOARDS[-1][1]}")
    assert len(boards) == 2


@pytest.mark.parametrize(
    ("style", "link"),
    [
        ("phpbb", "http://f.example/viewtopic.php?p={0}#p{0}"),
        ("mybb", "http://f.example/showthread.php?tid=4&pid={0}#pid{0}"),
        ("vbulletin", "http://f.example/showthread.php?p={0}#post{0}"),
        ("smf", "http://f.example/index.php?topic=1.msg{0}#msg{0}"),
        ("old_tables", "http://f.example/t?id=1#{0}"),
        ("nodebb", "http://f.example/post/{0}"),
        ("xenforo", "http://f.example/threads/kettle.1/post-{0}"),
        ("hacker_news", "http://f.example/item?id={0}"),
    ],
)
def test_permalinks_are_those_of_the_page_or_lead_to_the_id_of_a_post(style: str, link: str) -> None:
    said = conversation(12)
    assert [post.permalink for post in read(STYLES[style](said)).posts] == [link.format(post.number) for post in said]


@pytest.mark.parametrize("style", ["mybb", "vbulletin", "fluxbb", "nodebb", "xenforo"])
def test_numbers_are_those_that_the_page_shows(style: str) -> None:
    assert [post.number for post in read(STYLES[style](conversation(5))).posts] == [1, 2, 3, 4, 5]


def test_profiles_are_linked() -> None:
    urls = {post.author.name: post.author.url for post in read(STYLES["xenforo"](conversation(12))).posts}
    assert urls["Bo Larsen"] == "http://f.example/members/bo-larsen.3/"


def test_replies_in_a_tree_know_how_deep_they_are() -> None:
    assert [post.depth for post in read(STYLES["tree_of_replies"](conversation(7))).posts] == [0, 1, 2, 2, 1, 2, 2]


def test_a_page_is_read_as_well_as_a_tree() -> None:
    html = STYLES["fluxbb"](conversation(3))
    assert read_thread_page(page_of(html, url=URL), URL, FETCHED_AT) == read(html)


@pytest.mark.parametrize(
    "html", ["", "<p>Nothing here", "<h1>Log in</h1><form><input name=user></form>", "<table><tr><td>1</table>"]
)
def test_a_page_without_posts_has_none(html: str) -> None:
    assert read(html).posts == ()


# Times


def dated(times: list[str], lang: str = "", foot: str = "", said: str = "What number {} says of kettles") -> list[str]:
    """The times of a page of posts with these dates."""
    people = ("Ann", "Bo", "Cy")
    posts = "".join(
        f'<div class="msg"><a href="/user/{people[n % 3]}">{people[n % 3]}</a> <span>{text}</span>'
        f"<div>{said.format(n)}</div></div>"
        for n, text in enumerate(times)
    )
    return [post.time for post in read(f'<html lang="{lang}"><h1>Kettles</h1>{posts}{foot}').posts]


def test_one_date_tells_the_order_of_day_and_month_in_all() -> None:
    assert dated(["05/03/2024 10:00", "06/03/2024 10:00", "13/03/2024 10:00"], "en")[0] == "2024-03-05T10:00:00"
    assert dated(["03/05/2024 10:00", "03/06/2024 10:00", "03/13/2024 10:00"], "fr")[0] == "2024-03-05T10:00:00"


def test_posts_that_would_not_be_in_order_tell_it_too() -> None:
    assert dated(["11/03/2024 10:00", "12/03/2024 10:00", "01/04/2024 10:00"], "en")[0] == "2024-03-11T10:00:00"


def test_posts_that_would_be_months_apart_tell_it_too() -> None:
    assert dated(["03-02-2024 10:00", "03-03-2024 11:00", "03-04-2024 10:00"], "en-gb")[1] == "2024-03-03T11:00:00"


def test_no_post_is_later_than_the_visit() -> None:
    assert dated(["01/09/2026 10:00", "01/10/2026 10:00"], "fr")[0] == "2026-01-09T10:00:00"


def test_where_nothing_tells_it_is_the_language() -> None:
    assert dated(["05/03/2024 10:00"] * 2, "de") == ["2024-03-05T10:00:00"] * 2
    assert dated(["05/03/2024 10:00"] * 2, "en-US") == ["2024-05-03T10:00:00"] * 2


@pytest.mark.parametrize(
    ("note", "zone"),
    [
        ("All times are UTC", "+00:00"),
        ("All times are GMT -5. The time now is 09:15 PM.", "-05:00"),
        ("Alle Zeiten sind UTC+02:00", "+02:00"),
        ("Made on GMT street", ""),
    ],
)
def test_the_zone_is_what_the_page_says_it_is(note: str, zone: str) -> None:
    times = dated(["5 March 2024 10:00", "5 March 2024 11:00"], "en", f"<p>{note}</p>")
    assert times == [f"2024-03-05T10:00:00{zone}", f"2024-03-05T11:00:00{zone}"]


@pytest.mark.parametrize(
    ("lang", "texts"),
    [
        ("en", ["3 days ago", "yesterday, 14:05", "today at 9:12 AM", "5 minutes ago"]),
        ("de", ["vor 3 Tagen", "gestern, 14:05", "heute, 09:12 Uhr", "vor 5 Minuten"]),
        ("fr", ["il y a 3 jours", "hier à 14:05", "aujourd'hui à 09:12", "il y a 5 minutes"]),
        ("es", ["hace 3 días", "ayer a las 14:05", "hoy a las 09:12", "hace 5 minutos"]),
        ("ru", ["3 дня назад", "вчера в 14:05", "сегодня в 09:12", "5 минут назад"]),
        ("zh", ["3天前", "昨天 14:05", "今天 09:12", "5分钟前"]),
        ("ja", ["3日前", "昨日 14:05", "今日 09:12", "5分前"]),
        ("ar", ["منذ 3 أيام", "أمس 14:05", "اليوم 09:12", "منذ 5 دقائق"]),
    ],
)
def test_relative_times_count_from_the_visit(lang: str, texts: list[str]) -> None:
    expected = ["2026-01-07", "2026-01-09T14:05:00", "2026-01-10T09:12:00", "2026-01-10T11:55:00+00:00"]
    assert dated(texts, lang) == expected


def test_a_page_that_does_not_say_its_language_is_read_in_that_of_its_words() -> None:
    said = "Ich habe die Nummer {} und der Kessel ist nicht von hier"
    assert dated(["vor 3 Tagen", "gestern, 14:05"], said=said) == ["2026-01-07", "2026-01-09T14:05:00"]
    said = "это номер {} и он не мой"
    assert dated(["3 дня назад", "вчера в 14:05"], said=said) == ["2026-01-07", "2026-01-09T14:05:00"]


def test_a_time_is_taken_from_its_markup_first() -> None:
    html = "".join(
        f'<div class="m"><a href="/u/{n}">user {n}</a> <abbr data-time="{1_700_000_000 + n}">a while</abbr><p>Text {n} of it</p></div>'
        for n in range(3)
    )
    assert [post.time for post in read(html).posts][1] == "2023-11-14T22:13:21+00:00"


# Markup that is not of any software


def test_an_opening_post_may_look_different_from_all_others() -> None:
    replies = "".join(
        f'<li class="reply"><a href="/u/{who}">{who}</a> <time datetime="2024-03-05T1{n}:00:00Z">1 h</time><p>Reply {n}</p></li>'
        for n, who in enumerate(("bo", "cy", "bo"))
    )
    first = (
        '<div class="question"><span class="author"><a href="/u/ann">ann</a></span> <span title="2024-03-05 09:00:00Z">Mar 5</span>'
        "<div class=text><p>Which one would you take, if the water is as hard as it is here, and why?</p></div></div>"
    )
    page = read(f"<html lang=en><h1>Kettle</h1>{first}<ul>{replies}</ul>")
    assert [(post.position, post.author.name) for post in page.posts] == [(1, "ann"), (2, "bo"), (3, "cy"), (4, "bo")]
    assert page.posts[0].text.startswith("Which one")


def test_posts_may_be_rows_of_headings_and_paragraphs() -> None:
    said = [("Ann", "I like tea very much indeed"), ("Bo", "So do I"), ("Cy", "And what about milk?"), ("Ann", "Never")]
    rows = "".join(
        f"<h3>{who}</h3><p class=d>5 March 2024 1{n}:00</p><p>{text}</p><p>{text} again</p><hr>"
        for n, (who, text) in enumerate(said)
    )
    posts = read(f"<html lang=en><h1>Tea</h1>{rows}").posts
    assert [(post.author.name, post.text) for post in posts] == [(who, f"{text}\n\n{text} again") for who, text in said]


def test_a_name_may_stand_in_the_line_of_the_time() -> None:
    said = [("Ann Lee", "I like tea very much"), ("Bo", "So do I, so do I"), ("Cy", "And what about milk?")]
    rows = "".join(
        f"<dt>{who} <i>wrote on 0{n + 5}.03.2024 10:00</i></dt><dd>{text}</dd>" for n, (who, text) in enumerate(said)
    )
    posts = read(f"<html><h1>Tea</h1><dl>{rows}</dl>").posts
    assert [(post.author.name, post.text) for post in posts] == said


def test_a_message_of_a_mailing_list_is_one_post() -> None:
    page = read(
        "<html><title>[Kettles] Hard water</title><body><h1>[Kettles] Hard water</h1><b>Ann Lee</b> "
        '<a href="mailto:kettles%40x.org">ann at example.org</a><br><i>Tue Mar  5 10:00:01 UTC 2024</i><p><ul>'
        '<li>Previous message: <a href="1.html">[Kettles] Old</a></li><li>Next message: <a href="3.html">[Kettles] New</a></li>'
        "</ul><hr><pre>On Mon, Mar 4, 2024 at 9:00 AM Bo &lt;bo@example.org&gt; wrote:\n&gt; Is steel better?\n&gt; Or glass?\n\n"
        "Glass, always.\n\n-- \nAnn\n</pre>"
    )
    [post] = page.posts
    assert (post.author.name, post.time, post.text) == ("Ann Lee", "2024-03-05T10:00:01+00:00", "Glass, always.")
    assert [(quote.author, quote.text) for quote in post.quotes] == [("Bo", "Is steel better?\nOr glass?")]


def test_a_mail_with_fields_is_read_up_to_the_links_below_it() -> None:
    page = read(
        "<title>Hard water</title><body><hr>[Date Prev][<a href=2.html>Date Next</a>]<h1>Hard water</h1><hr><ul>"
        "<li><em>To</em>: list@example.org</li><li><em>Subject</em>: Hard water</li>"
        "<li><em>From</em>: Ann Lee &lt;<a href=mailto:a@example.org>a@example.org</a>&gt;</li>"
        "<li><em>Date</em>: Tue, 5 Mar 2024 10:00:00 +0100</li></ul><hr><pre>Glass, always.\n</pre><p>Or steel.</p><hr>"
        "<ul><li><strong>Follow-Ups</strong>:<ul><li><a href=2.html>Re: Hard water</a><ul><li><em>From:</em> Bo</ul></ul></ul>"
    )
    [post] = page.posts
    assert (post.author.name, post.time, post.text) == (
        "Ann Lee",
        "2024-03-05T10:00:00+01:00",
        "Glass, always.\n\nOr steel.",
    )


def test_mails_of_a_thread_lose_signature_and_quotes() -> None:
    said = conversation(7)
    posts = read(mail_archive(said)).posts
    assert [(post.author.name, post.text) for post in posts] == [(post.author, post.text) for post in said]
    assert [quote.text for quote in posts[2].quotes] == [said[2].quoted[1] if said[2].quoted else ""]


def test_the_time_grows_no_faster_than_the_page() -> None:
    """Ten times the posts take about ten times as long, with much room for a machine that is busy."""

    def seconds(number: int) -> float:
        tree = turbohtml.parse(STYLES["phpbb"](conversation(number)).encode(), encoding="utf-8", positions=False)
        found = []
        for _ in range(3):
            start = time.process_time()
            read_thread_page(tree, URL, FETCHED_AT)
            found.append(time.process_time() - start)
        return min(found)

    seconds(5)
    assert seconds(500) < 40 * seconds(50)


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=c{}><time datetime='2024-01-02T10:00:00'>2024-01-02 10:00</time> some text of a post {}",
        "<tr><td><a href=/t/{}>Thread {}</a><td><time datetime='2024-01-02T10:00:00'>2024-01-02 10:00</time>",
    ],
    ids=["in each other", "in rows"],
)
def test_the_work_for_many_times_does_not_grow_with_their_square(markup: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted is how often an element is asked whether it names an author: once each."""
    asked: list[int] = []

    def may_name_author(spot: Spot) -> bool:
        asked.append(spot.index)
        return block_names.may_name_author(spot)

    monkeypatch.setattr(post_blocks, "may_name_author", may_name_author)
    body = "".join(markup.format(number % 3, number) for number in range(200))
    found = read(f"<body><table>{body}" if "<tr>" in markup else f"<body>{body}")
    assert found.posts
    assert len(asked) <= 2 * len(set(asked))


def test_a_page_of_a_thousand_levels_has_no_posts() -> None:
    body = "".join(f"<div class=c{number % 3}><time>2024-01-02 10:00</time> text {number} " for number in range(1_500))
    assert read(f"<body><h1>Deep</h1>{body}").posts == ()
