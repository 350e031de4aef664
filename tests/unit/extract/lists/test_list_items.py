"""Lists found without selectors."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.core.record import Record
from dowse.extract.lists import list_items
from dowse.extract.lists.element_paths import Path
from dowse.extract.lists.list_items import MOST_ITEMS, MOST_LISTS, Group, ListExtractor
from tests.unit.extract.pages import page_of

PRODUCTS = [("Steel kettle", "19,90 €"), ("Oak table", "249,00 €"), ("Wool blanket", "59,00 €"), ("Clay pot", "7,50 €")]
MENU = (
    "<ul class=links>" + "".join(f"<li><a href=/{w}>{w}</a></li>" for w in ("Home", "News", "Sport", "Jobs")) + "</ul>"
)
WORDS = "It has been made by hand in a small place near the sea since the end of the last war. "


def lists_of(html: str) -> list[list[dict[str, Any]]]:
    """The rows of each list, without its number."""
    records = ListExtractor().extract(page_of(html))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(records), type=list[Record]) == records
    found: dict[int, list[dict[str, Any]]] = {}
    for record in records:
        assert record.kind == "list"
        found.setdefault(record.fields.pop("list"), []).append(record.fields)
    return list(found.values())


def shop(item: str = "<li class='product'>", end: str = "</li>") -> str:
    return "".join(
        f"{item}<a href='/p/{n}'><img src='img/{n}.jpg' alt=''></a><h3><a href='/p/{n}'>{name}</a></h3>"
        f"<span class=price>{price}</span><button>Add to cart</button>{end}"
        for n, (name, price) in enumerate(PRODUCTS)
    )


PRODUCT_ROWS = [
    {
        "title": name,
        "link": f"http://example.org/p/{n}",
        "image": f"http://example.org/shop/img/{n}.jpg",
        "price": price,
    }
    for n, (name, price) in enumerate(PRODUCTS)
]


@pytest.mark.parametrize(
    "html",
    [
        f"<ul class=products>{shop()}</ul>",
        f"<nav>{MENU}</nav><header>{MENU}</header><main><ol>{shop('<li>')}</ol></main><p id=footer>{MENU}</p>",
        f"<div>{shop('<div class=card>', '</div>')}</div>",
        f"<section>{shop('<article>', '</article>')}</section>",
        "<ul>"
        + "".join(
            f"<li class='item-{n} {c}'>" + part
            for n, (c, part) in enumerate(
                zip(("first", "odd", "even", "last"), shop("<li>").split("<li>")[1:], strict=True)
            )
        )
        + "</ul>",
        "<div class=row>"
        + "</div><div class=row>".join(
            "".join(half)
            for half in (
                shop("|<div class=col>", "</div>").split("|")[1:3],
                shop("|<div class=col>", "</div>").split("|")[3:],
            )
        )
        + "</div>",
        f"<body class='has-menu menu'><form id=menu-form><ul>{shop()}</ul></form>",
    ],
    ids=["list", "among menus", "divs", "articles", "numbered classes", "grid", "body is no menu"],
)
def test_products(html: str) -> None:
    assert lists_of(html) == [PRODUCT_ROWS]


def test_search_results() -> None:
    html = "".join(
        f"<div class=g><h3><a href='https://r.example/{n}'>Result {word}</a></h3><cite>r.example/{n}</cite>"
        f"<p class=snippet>{WORDS}{word}</p></div>"
        for n, word in enumerate(("one", "two", "three"))
    )
    (rows,) = lists_of(f"<div id=top>{MENU}</div><div id=results>{html}</div>")
    assert [row["title"] for row in rows] == ["Result one", "Result two", "Result three"]
    assert [row["link"] for row in rows] == [f"https://r.example/{n}" for n in range(3)]
    assert [row["text"] for row in rows] == [f"{WORDS}{word}" for word in ("one", "two", "three")]


def test_posts_of_a_forum_keep_their_text_together() -> None:
    contents = (
        f"<p>{WORDS}</p>",
        f"{WORDS}<br>and more",
        f"<blockquote>{WORDS}</blockquote>Yes.<ul><li>one<li>two</ul>",
        f"<div><p>{WORDS}</p></div><p>Bye</p>",
    )
    html = "".join(
        f"<li id=post-{n} class=message><a class=author href=/u/{n}>User{n}</a>"
        f"<time datetime=2024-03-0{n + 1}T10:00>then</time><div class=body>{content}</div>"
        f"<a href=/reply/{n}>Reply</a></li>"
        for n, content in enumerate(contents)
    )
    (rows,) = lists_of(f"<ol class=messages>{html}</ol>")
    assert [row["title"] for row in rows] == ["User0", "User1", "User2", "User3"]
    assert [row["link"] for row in rows] == [f"http://example.org/u/{n}" for n in range(4)]
    assert [row["date"] for row in rows] == [f"2024-03-0{n}T10:00" for n in range(1, 5)]
    for row, end in zip(rows, ("war.", "and more", "two", "Bye"), strict=True):
        assert row["text"].startswith(WORDS.strip())
        assert row["text"].endswith(end)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>Nothing here",
        MENU,
        f"<div class=main-menu>{MENU}</div>",
        f"<div id=footer><ul>{shop()}</ul></div>",
        f"<nav><ul>{shop()}</ul></nav>",
        f"<div role=navigation><ul>{shop()}</ul></div>",
        "<ul>" + "".join(f"<li>{WORDS}{n}</li>" for n in range(5)) + "</ul>",  # one text each is no row
        "".join(f"<p>{WORDS}{n}</p>" for n in range(5)),
        f"<ul>{''.join(shop().split('</li>')[:2])}</ul>",  # two are no list
        "<ul>" + "<li><a href=/x>The same thing</a> <b>again</b></li>" * 9 + "</ul>",
        "<select>" + "".join(f"<option>Choice number {n}</option>" for n in range(9)) + "</select>",
        "<table><tr><th>Name<th>Sea"
        + "".join(f"<tr><td><a href=/{n}>Port number {n}</a><td>North {n}" for n in range(9)),
        f"<div><h2>About</h2><p>{WORDS}</p></div><div><form><input></form></div><div><ul><li>a<li>b</ul>{WORDS}</div>",
    ],
)
def test_what_is_no_list(html: str) -> None:
    assert lists_of(html) == []


def test_columns_are_named_by_the_markup_where_it_says_something() -> None:
    html = "".join(
        f"<li><h3>Job {n}</h3><span class=company>Firm {n}</span><span itemprop=jobLocation>Town {n}</span>"
        f"<span class='col-md-4'>x{n}</span><i class=views-count>{n}0</i><em class=css-1x2y>{n}5</em></li>"
        for n in range(1, 5)
    )
    (rows,) = lists_of(f"<ul>{html}</ul>")
    assert rows[0] == {
        "title": "Job 1",
        "company": "Firm 1",
        "job_location": "Town 1",
        "text": "x1",
        "views_count": "10",
        "number": "15",
    }


def test_no_column_is_called_like_one_that_every_record_has() -> None:
    html = "".join(
        f"<li><h3>A {n}</h3><i class=url>b{n}</i><i class=kind>c{n}</i><i class=list>d{n}</i></li>" for n in "123"
    )
    ((row, *_),) = lists_of(f"<ul>{html}</ul>")
    assert row == {"title": "A 1", "url_2": "b1", "kind_2": "c1", "text": "d1"}


def test_a_badge_in_a_heading_is_no_part_of_the_title() -> None:
    html = "".join(
        f"<li><h3><a href=/{n}>Thing {n}</a> <span class=badge>{badge}</span></h3><p>about {n}</p></li>"
        for n, badge in enumerate(("new", "old", "new"))
    )
    (rows,) = lists_of(f"<ul>{html}</ul>")
    assert rows[1] == {"title": "Thing 1", "link": "http://example.org/1", "badge": "old", "text": "about 1"}


def test_parts_that_come_several_times() -> None:
    html = "".join(
        f"<li><h3><a href=/{n}>Recipe number {n}</a></h3><span>{n} eggs</span><span>{n + 10} minutes</span>"
        + "".join(f"<a class=tag href=/t/{tag}>{tag}{n}</a>" for tag in ("sweet", "cold", "quick")[: n + 1])
        + "</li>"
        for n in range(5)
    )
    (rows,) = lists_of(f"<ul>{html}</ul>")
    assert rows[0]["tag"] == ["sweet0"]
    assert rows[2]["tag"] == ["sweet2", "cold2", "quick2"]
    assert (rows[2]["text"], rows[2]["text_2"]) == ("2 eggs", "12 minutes")


def test_a_column_is_a_text_in_all_items_or_a_list_in_all() -> None:
    html = "".join(
        f"<li><h3>Step number {n}</h3>{''.join(f'<span>{n}.{m} do</span>' for m in range(n + 1))}"
        f"{''.join(f'<code class=command>run {n} {m}</code>' for m in range(n + 1))}</li>"
        for n in range(4)
    )
    (rows,) = lists_of(f"<ul>{html}</ul>")
    assert [row["text"] for row in rows][:3] == ["0.0 do", "1.0 do\n1.1 do", "2.0 do\n2.1 do\n2.2 do"]
    assert [row["command"] for row in rows][:2] == [["run 0 0"], ["run 1 0", "run 1 1"]]


QUOTES: tuple[tuple[str, list[str]], ...] = (
    ("“The world as we have created it is a process of our thinking.” Author: Albert Einstein", ["change", "world"]),
    ("“It is our choices, Harry, that show what we truly are.” Author: J.K. Rowling", ["choices"]),
    ("“Imperfection is beauty, madness is genius and it is better.” Author: Marilyn Monroe", []),
    ("“Try not to become a man of success, rather of value.” Author: Albert Einstein", ["success", "value", "adult"]),
    ("“A day without sunshine is like, you know, night.” Author: Steve Martin", ["humor", "obvious"]),
)


def test_items_that_take_two_rows_of_a_table() -> None:
    rows = "".join(
        f"<tr><td>{quote}</td></tr><tr><td>Tags: {''.join(f'<a href=/t/{tag}>{tag}</a> ' for tag in tags)}</td></tr>"
        for quote, tags in QUOTES
    )
    side = "<td rowspan=5><h3>Top tags</h3><a href=/t/love>love</a> (14)<br><a href=/t/life>life</a> (13)</td>"
    found = lists_of(f"<table><tr><td></td>{side}</tr>{rows}<tr><td><a href=/2>Next</a></td></tr></table>")
    assert [(row["text"], row.get("tags", [])) for row in found[0]] == list(QUOTES)
    assert found[0][0]["tags_link"] == ["http://example.org/t/change", "http://example.org/t/world"]
    assert len(found) == 1


def test_items_that_take_three_rows_with_classes_of_their_own() -> None:
    rows = "".join(
        f"<tr class=thing><td>{n}.<td><a href=/up/{n}><img src=up.gif></a>"
        f"<td><a href=//e{n}.example/>Story number {n} of many</a>"
        f"<tr><td colspan=2><td><span class=score>{n}0 points</span> by <a class=user href=/u/{n}>user{n}</a>"
        "<tr class=space></tr>"
        for n in range(1, 6)
    )
    (items,) = lists_of(f"<table>{rows}<tr><td colspan=2><td><a href=/2>More</a></table>")
    assert [(item["title"], item["score"], item["user"]) for item in items] == [
        (f"Story number {n} of many", f"{n}0 points", f"user{n}") for n in range(1, 6)
    ]
    assert items[0]["link"] == "http://e1.example/"


def test_striped_rows_are_items_each() -> None:
    rows = "".join(
        f"<tr class={('light', 'dark')[n % 2]} bgcolor={'#eee' if n % 2 else '#fff'}>"
        f"<td><a href=/{n}>Thing number {n} of the shop</a><td>{n} of these are left over<td>{n},50 €"
        for n in range(8)
    )
    found = lists_of(f"<table>{rows}</table>")
    assert sum(map(len, found)) == 8


def test_an_item_that_lacks_a_part_lacks_the_field() -> None:
    html = shop().replace("<span class=price>249,00 €</span>", "")
    ((first, second, *_),) = lists_of(f"<ul>{html}</ul>")
    assert "price" in first
    assert "price" not in second


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("#9,90 €", "price"),
        ("$1,#99.00", "price"),
        ("£#", "price"),
        ("CHF #0.-", "price"),
        ("¥1,#80", "price"),
        ("1 #99 zł", "price"),
        ("Price: $#.00", "price"),
        ("R$ #9,90", "price"),
        ("₹ #99", "price"),
        ("# March 2024", "date"),
        ("2024-03-0#", "date"),
        ("Posted on 0#.03.2024 by Ann", "date"),
        ("3月#日 2024年3月#日", "date"),
        ("#0 pieces", "text"),
        ("Euro car parts #", "text"),
        ("#,000", "number"),
        ("#.5 / 5", "number"),
    ],
)
def test_columns_are_named_by_what_they_hold(text: str, name: str) -> None:
    items = (f"<li><h3>Thing {n}</h3><div>{text.replace('#', str(n))}</div></li>" for n in range(1, 6))
    (rows,) = lists_of(f"<ul>{''.join(items)}</ul>")
    assert rows[0] == {"title": "Thing 1", name: text.replace("#", "1")}


def test_other_scripts() -> None:
    html = "".join(
        f"<li class=記事><h3><a href='/記事/{n}'>古い橋の話 第{n}回</a></h3><span class=日付>2024年3月{n}日</span>"
        f"<p>{'市役所は月曜日に、古い橋は夏の終わりまで閉鎖されると発表した。' * 3}{n}</p></li>"
        for n in range(1, 5)
    )
    (rows,) = lists_of(f"<ul>{html}</ul>")
    assert rows[0]["title"] == "古い橋の話 第1回"
    assert rows[0]["date"] == "2024年3月1日"
    assert rows[0]["text"].startswith("市役所")


def test_there_is_a_limit_to_items_and_lists() -> None:
    items = "".join(
        f"<li><h3><a href=/{n}>Thing number {n}</a></h3><p>about {n}</p></li>" for n in range(MOST_ITEMS + 9)
    )
    (rows,) = lists_of(f"<ul>{items}</ul>")
    assert len(rows) == MOST_ITEMS
    several = "".join(f"<div class=list-{name}><ul>{shop()}</ul></div>" for name in "abcdefgh")
    assert len(lists_of(several)) == MOST_LISTS


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "x",
        "<div class=a>some text here<a href=x>link</a></div>" * 50_000,
        ("<div>" * 400 + "<p>hello world<p>a b c d e f</div>") * 3,
        "<ul>" + "<li><div><p>some words here</p><a href=/a>x</a>" * 10_000,
        ("<div class=item>" + f"<div class={'a' * 90}>" * 19 + "<p>a word</p><a href=b>c</a>" * 50 + "</div>" * 20)
        * 200,
        "<table>" + "".join(f"<tr><td>a b c {n}<td>f g h {n}" for n in range(30_000)),
        "<li>" + "\0" * 100_000,
    ],
)
def test_hostile_pages_are_bounded(html: str) -> None:
    page = page_of(html)
    assert page.tree is not None
    started = time.process_time()
    records = ListExtractor().extract(page)
    assert time.process_time() - started < 10
    assert len(records) <= MOST_LISTS * MOST_ITEMS


def test_what_is_no_html_has_no_lists() -> None:
    assert ListExtractor().extract(page_of(f"<ul>{shop()}</ul>", "text/plain")) == []


@given(
    st.lists(
        st.sampled_from(["<li>", "</li>", "<a href=x>", "</a>", "<p>", "<div class=a>", "</div>", "word ", "7 €"]),
        max_size=60,
    )
)
@settings(max_examples=100, deadline=None)
def test_any_page_is_read_the_same_twice(pieces: list[str]) -> None:
    html = "".join(pieces) * 4
    assert lists_of(html) == lists_of(html)


def test_what_lies_in_a_list_is_not_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(path: Path) -> Group | None:
        asked.append(path.name)
        return weigh(path)

    weigh = list_items._weighed
    monkeypatch.setattr(list_items, "_weighed", noted)
    tags = (
        "<ul>"
        + "".join(f"<li class=tag><a href=/t/{n}>{WORDS[n : n + 30]}</a> {n} times</li>" for n in range(4))
        + "</ul>"
    )
    (rows,) = lists_of("<ul>" + shop(end=f"<p>{WORDS * 4}</p>{tags}</li>") + "</ul>")
    assert len(rows) == len(PRODUCTS)
    assert asked == ["li.product"]
