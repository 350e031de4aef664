"""Rules learned from examples on a real server: the table, what is told about it, and how it ends when it cannot."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.core.errors import CrawlError, JobError, NotLearned
from dowse.demo.server import DemoSite
from dowse.modes.rules.rule_places import read_rules
from dowse.workflows.learn_rules import Lesson, Question, learn
from tests.commands import invoke
from tests.crawling import FAST, path_of
from tests.ruling import crawl_table, kept
from tests.servers import Reply, Site

QUICKLY = ("--delay", "0", "--per-host", "8")


def anchors(*hrefs: str) -> str:
    return "".join(f"<p><a href='{href}'>to {href}</a>" for href in hrefs)


@pytest.fixture
def library(site: Site) -> Site:
    """A site with shelves of books, two levels deep, among other things."""
    shelves = ("maps", "plays", "poems")
    site.pages["/"] = f"<nav>{anchors('/about', '/news')}</nav><ul id=shelves>" + anchors(*(f"/{s}/" for s in shelves))
    site.pages["/about"] = anchors("/", "/files/terms.pdf")
    site.pages["/news"] = anchors(*(f"/news/{number}" for number in range(30)))
    for number in range(30):
        site.pages[f"/news/{number}"] = f"<title>{number}</title>" + anchors(f"/press/{number}.pdf", "/news")
    for shelf in shelves:
        books = [f"/{shelf}/book-{number}.html" for number in range(6)]
        site.pages[f"/{shelf}/"] = f"<div class='books wide'>{anchors(*books)}</div>"
        for book in books:
            text = book.replace("/", "-").strip("-").removesuffix(".html")
            site.pages[book] = f"<h1>{text}</h1>" + anchors(f"/files/{text}.epub", "/files/terms.pdf", "/")
    return site


def run_learned(lesson: Lesson, folder: Path) -> set[str]:
    folder.mkdir(exist_ok=True)
    lesson.write(str(folder / "learned.csv"))
    return set(kept(crawl_table(folder / "out", str(folder / "learned.csv"))))


def test_two_levels_deep(library: Site, tmp_path: Path) -> None:
    want = [library.url + f"files/{name}.epub" for name in ("maps-book-1", "plays-book-4", "poems-book-0")]
    lesson = learn(library.url, want, **FAST)
    epubs = {f"/files/{shelf}-book-{number}.epub" for shelf in ("maps", "plays", "poems") for number in range(6)}
    assert {path_of(url) for url in lesson.kept} == epubs
    assert run_learned(lesson, tmp_path) == epubs, "the crawl does what was told"
    assert lesson.pages <= 1 + 3 + 18 + 2, "and visits little else"
    assert [len(path) for path in lesson.paths.values()] == [3, 3, 3], "base, shelf, book"
    assert lesson.is_whole_site


def test_counter_examples_narrow(library: Site, tmp_path: Path) -> None:
    want = [library.url + "files/maps-book-1.epub", library.url + "files/maps-book-5.epub"]
    unlike = [library.url + "files/plays-book-1.epub", library.url + "files/terms.pdf"]
    found = run_learned(learn(library.url, want, unlike, **FAST), tmp_path)
    assert {path_of(url) for url in want} <= found
    assert not {path_of(url) for url in unlike} & found


def test_what_the_examples_leave_open_are_rivals(library: Site) -> None:
    want = [library.url + "files/maps-book-1.epub", library.url + "files/maps-book-5.epub"]
    lesson = learn(library.url, want, **FAST)
    assert lesson.rivals
    for rival in lesson.rivals:
        assert rival.kept_by_it_alone or rival.kept_by_the_first_alone
    assert len(lesson.kept) == 6, "both are of one shelf"
    decided = learn(library.url, [*want, library.url + "files/plays-book-1.epub"], **FAST)
    assert len(decided.kept) == 18


def test_the_budget_is_kept_and_what_is_missing_is_said(library: Site) -> None:
    want = [library.url + "press/1.pdf", library.url + "press/29.pdf", library.url + "nowhere/x.pdf"]
    lesson = learn(library.url, want, max_pages=40, **FAST)
    assert lesson.missing == [library.url + "nowhere/x.pdf"]
    assert len(library.asked()) <= 40
    assert not lesson.is_whole_site
    library.log.clear()
    with pytest.raises(
        NotLearned, match=r"of 1 wanted link none was found on 3 pages, such as http.*: give more --max-pages"
    ):
        learn(library.url, [library.url + "nowhere/x.pdf"], max_pages=3, **FAST)
    assert len(library.asked()) == 3


def test_pages_like_the_examples_are_fetched_first(library: Site) -> None:
    learn(library.url, [library.url + "poems/book-1.html", library.url + "poems/book-2.html"], max_pages=8, **FAST)
    assert "/poems/" in library.paths()[:4], "after the two examples"


def test_a_list_that_the_examples_lead_back_to_takes_few_pages(site: Site) -> None:
    chapters = [f"/chapter-{number}.html" for number in range(60)]
    tables = [f"/table-{name}.html" for name in ("role", "type", "index", "class", "cast")]
    site.pages["/"] = anchors(*chapters)
    site.pages |= {chapter: f"<title>{chapter}</title>" + anchors("/") for chapter in chapters}
    site.pages[chapters[47]] = f"<dl>{anchors(*tables)}</dl>" + anchors("/")
    site.pages |= {table: f"<title>{table}</title>" + anchors("/", chapters[47]) for table in tables}
    lesson = learn(site.url, [site.url + table[1:] for table in tables[:3]], **FAST)
    assert {path_of(url) for url in lesson.kept} == set(tables)
    assert lesson.explored <= 1 + 3 + 1 + 2, "the start, the examples and their list"


def test_an_example_that_only_another_example_links_to_is_looked_for(site: Site) -> None:
    """The examples are looked at before anything leads to them; what only they link to is not found by that."""
    site.pages["/"] = anchors("/far", "/near")
    site.pages["/far"] = anchors("/a.html", "/b.html", "/c.html")
    for name in "abc":
        site.pages[f"/{name}.html"] = f"<title>{name}</title>" + anchors("/a.html", "/b.html", "/c.html")
    lesson = learn(site.url, [site.url + "a.html", site.url + "b.html"], **FAST)
    assert [path_of(url) for url in lesson.paths[site.url + "a.html"]] == ["/", "/far"]


def test_what_nearly_all_links_say_of_themselves_is_meant(site: Site) -> None:
    """Where it is not, the question or a rival tells."""
    items = [(number, "class" if number < 2 else "member function") for number in range(40)]
    site.pages["/"] = "<ul class=all>" + "".join(f"<li><a href='/m/{n}.html'>m{n}</a> ({kind})" for n, kind in items)
    lesson = learn(site.url, [f"{site.url}m/{number}.html" for number in (5, 17, 30)], **FAST)
    assert {path_of(url) for url in lesson.kept} == {f"/m/{number}.html" for number in range(2, 40)}
    assert any(rival.kept == 40 for rival in lesson.rivals)


def test_nothing_separates(library: Site) -> None:
    library.pages["/about"] = anchors("/s/1", "/s/2", "/s/3")
    with pytest.raises(NotLearned, match=r"no rule keeps all 2 wanted links without .*/s/2"):
        learn(library.url, [library.url + "s/1", library.url + "s/3"], [library.url + "s/2"], **FAST)


def test_an_example_written_in_another_way(library: Site) -> None:
    want = [library.url + "files/maps-book-1.epub?utm_source=x#top", library.url + "files/plays-book-1.epub"]
    lesson = learn(library.url, want, **FAST)
    assert [path_of(url) for url in lesson.paths] == ["/files/maps-book-1.epub", "/files/plays-book-1.epub"]


def test_a_start_that_redirects_and_one_that_is_down(library: Site) -> None:
    library.pages["/moved"] = Reply(status=301, headers={"Location": "/"})
    want = [library.url + "maps/", library.url + "plays/"]
    assert learn(library.url + "moved", want, **FAST).base_url == library.url + "moved"
    with pytest.raises(CrawlError, match="could not be read"):
        learn(library.url + "missing", want, **FAST)


def test_other_hosts_are_left_alone(library: Site) -> None:
    outside = [f"http://127.0.0.2:{library.port}/{number}/" for number in range(5)]
    library.pages["/"] = anchors("/maps/", "/plays/", *outside)
    want = [library.url + f"files/{name}.epub" for name in ("maps-book-1", "plays-book-4", "plays-book-0")]
    lesson = learn(library.url, want, **FAST)
    assert {request.host for request in library.asked()} == {"127.0.0.1"}
    assert len(lesson.kept) == 12


def test_a_kept_folder_is_used_again(library: Site, tmp_path: Path) -> None:
    want = [library.url + "files/maps-book-1.epub", library.url + "files/plays-book-4.epub"]
    folder = str(tmp_path / "explored")
    first = learn(library.url, want, output=folder, **FAST)
    asked = len(library.asked())
    again = learn(library.url, [*want, library.url + "files/poems-book-2.epub"], output=folder, **FAST)
    assert len(library.asked()) == asked, "nothing is fetched twice"
    assert again.explored == first.explored
    with pytest.raises(CrawlError, match="holds another crawl"):
        learn(library.url + "news", want, output=folder, **FAST)


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoSite]:
    with DemoSite() as running:
        yield running


def test_the_sample_site(demo: DemoSite, tmp_path: Path) -> None:
    papers = "documents/international/"
    names = ("effectiveness-of-development-aid-discussion-paper", "programme-2026",
             "consular-services-for-citizens-abroad-what-we-heard")  # fmt: skip
    lesson = dowse.learn_rules(f"{demo.url}consultations/", [f"{demo.url}{papers}{name}.pdf" for name in names], **FAST)
    (tmp_path / "by-hand.csv").write_text(demo.rules)
    by_hand = set(kept(crawl_table(tmp_path / "hand", str(tmp_path / "by-hand.csv"))))
    assert run_learned(lesson, tmp_path / "learned") == by_hand
    assert lesson.pages < 30


def test_a_start_page_that_lists_all_examples_is_enough(library: Site) -> None:
    learn(library.url, [library.url + "maps/", library.url + "poems/"], **FAST)
    assert len(library.asked()) < 15, "the start, the examples, and what they share"


@pytest.fixture
def shop(site: Site) -> Site:
    """A list of sixty items on twelve numbered pages."""
    for number in range(1, 13):
        items = anchors(*(f"/item-{(number - 1) * 5 + place:02}" for place in range(5)))
        near = [other for other in (1, number - 1, number + 1, 12) if 0 < other < 13 and other != number]
        pager = "".join(f"<a href='{'/' if other == 1 else f'/page-{other}'}'>{other}</a>" for other in near)
        following = f"<a href='/page-{number + 1}'>Next</a>" if number < 12 else ""
        path = "/" if number == 1 else f"/page-{number}"
        site.pages[path] = f"<nav>{anchors('/about', '/help')}</nav><div class=items>{items}</div>{pager}{following}"
    for number in range(60):
        site.pages[f"/item-{number:02}"] = f"<h1>{number}</h1>{anchors('/', '/about')}"
    return site


@pytest.mark.parametrize("places", [(0, 2, 4), (0, 33, 58)], ids=["one page", "several pages"])
def test_a_numbered_list_is_kept_whole(shop: Site, places: tuple[int, ...], tmp_path: Path) -> None:
    lesson = learn(shop.url, [f"{shop.url}item-{place:02}" for place in places], **FAST)
    assert run_learned(lesson, tmp_path) == {f"/item-{number:02}" for number in range(60)}


# What the examples leave open


@pytest.fixture
def handbook(site: Site) -> Site:
    """A list with sections and, among them, chapters."""
    links = [f"/{'chapter' if number % 5 == 0 else 'sect'}-{number}.html" for number in range(40)]
    site.pages["/"] = f"<nav>{anchors('/about')}</nav><div class=toc>{anchors(*links)}</div>"
    for link in links:
        site.pages[link] = f"<h1>{link}</h1>{anchors('/')}"
    return site


SECTIONS = ("sect-1.html", "sect-17.html", "sect-33.html")


@pytest.mark.parametrize("is_wanted", [True, False])
def test_the_question_decides(handbook: Site, tmp_path: Path, *, is_wanted: bool) -> None:
    want = [handbook.url + path for path in SECTIONS]
    asked: list[Question] = []

    def ask(question: Question) -> bool:
        asked.append(question)
        return is_wanted

    lesson = learn(handbook.url, want, ask=ask, **FAST)
    assert len(asked) == 1
    assert path_of(asked[0].url).startswith("/chapter-")
    assert (asked[0].title, asked[0].found_on) == (f"to {path_of(asked[0].url)}", handbook.url)
    assert run_learned(lesson, tmp_path) == {path_of(url) for url in lesson.kept if is_wanted or "/sect-" in url}, (
        "the chapters with the sections, or without"
    )
    assert len(lesson.kept) == (40 if is_wanted else 32)


def test_a_question_without_an_answer_changes_nothing(handbook: Site) -> None:
    want = [handbook.url + path for path in SECTIONS]
    asked: list[str] = []
    lesson = learn(handbook.url, want, ask=lambda question: asked.append(question.url), **FAST)
    assert (len(asked), lesson.want) == (1, want)
    assert lesson.question is not None


def test_a_lesson_takes_an_answer_later(handbook: Site, tmp_path: Path) -> None:
    folder = str(tmp_path / "explored")
    lesson = learn(handbook.url.rstrip("/"), [handbook.url + path for path in SECTIONS], output=folder, **FAST)
    assert lesson.question is not None
    asked = len(handbook.asked())
    answered = lesson.answer(False, output=folder, **FAST)
    assert (len(answered.kept), answered.unlike) == (32, [lesson.question.url])
    assert len(handbook.asked()) == asked, "nothing is fetched twice"
    with pytest.raises(JobError, match="no question to answer"):
        answered.answer(True)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("n\n", 32), ("y\n", 40), ("\n", None), ("", None), ("what?\nn\n", 32), ("what?\nwhy?\nwho?\nn\n", None)],
)
def test_the_command_asks(
    handbook: Site,
    typed: str,
    kept: int | None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    want = [word for path in SECTIONS for word in ("--want", handbook.url + path)]
    result = invoke(capsys, "rules", "learn", handbook.url, *want, "--ask", *QUICKLY)
    assert result.code == 0
    assert f"Is this link wanted too?\n  {handbook.url}chapter-" in result.err
    assert result.err.count("Is this link wanted too?") == (1 if kept else 2), "an open question is told at the end"
    assert not kept or f"It keeps {kept} links" in result.err
    assert ("what? is neither yes nor no" in result.err) == typed.startswith("what?")


def test_without_a_terminal_the_question_is_told(handbook: Site, capsys: pytest.CaptureFixture[str]) -> None:
    want = [word for path in SECTIONS for word in ("--want", handbook.url + path)]
    result = invoke(capsys, "rules", "learn", handbook.url, *want, *QUICKLY)
    assert "Is this link wanted too?\n" in result.err
    assert "Give it as --want or as --unlike: that decides which table is meant." in result.err
    told = json.loads(invoke(capsys, "rules", "learn", handbook.url, *want, "-q", "--json", *QUICKLY).out)
    assert told["question"]["url"].startswith(f"{handbook.url}chapter-")


# The command


def test_command(library: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    want = [word for name in ("maps-book-1", "plays-book-4", "poems-book-0")
            for word in ("--want", f"{library.url}files/{name}.epub")]  # fmt: skip
    result = invoke(capsys, "rules", "learn", library.url, *want, *QUICKLY)
    assert result.code == 0
    rows = list(csv.DictReader(result.out.splitlines()))
    assert {row["ruleType"] for row in rows} == {"follow", "keep"}
    assert f"{library.url}files/maps-book-1.epub\n  from {library.url}maps/book-1.html\n" in result.err
    assert "It keeps 18 links of the explored pages, 15 beside the examples:" in result.err
    assert "and 10 more" in result.err
    file = tmp_path / "rules.toml"
    assert invoke(capsys, "rules", "learn", library.url, *want, "-q", "-f", file, *QUICKLY) == (0, "", "")
    assert len(read_rules(str(file)).rules) == len(rows)
    database = f"sqlite:///{tmp_path}/rules.db"
    assert invoke(capsys, "rules", "learn", library.url, *want, "-q", "-f", database, *QUICKLY).code == 0
    assert [rule.cells() for rule in read_rules(database).rules] == rows
    refused = invoke(capsys, "rules", "learn", library.url, *want, "-f", file, *QUICKLY)
    assert (refused.code, "has rules; --replace overwrites them" in refused.err) == (2, True)
    told = json.loads(invoke(capsys, "rules", "learn", library.url, *want, "-q", "--json", *QUICKLY).out)
    assert (len(told["kept"]), told["missing"]) == (18, [])


def test_where_the_table_went_is_told_and_what_to_do_with_it(
    handbook: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.csv"
    want = [word for path in SECTIONS for word in ("--want", handbook.url + path)]
    result = invoke(capsys, "rules", "learn", handbook.url, *want, "-f", file, *QUICKLY)
    assert f"1 rule written to {file}. Next: dowse rules run {file}\n" in result.err


def test_a_wanted_link_may_be_written_as_the_start_writes_it(handbook: Site) -> None:
    handbook.pages["/index"] = handbook.pages["/"]
    lesson = learn(f"{handbook.url}index", [SECTIONS[0], f"/{SECTIONS[1]}"], max_pages=1, **FAST)
    assert lesson.want == [handbook.url + path for path in SECTIONS[:2]]
    assert not lesson.missing


def test_one_example_is_a_guess(library: Site, capsys: pytest.CaptureFixture[str]) -> None:
    result = invoke(capsys, "rules", "learn", library.url, "--want", f"{library.url}files/maps-book-1.epub", *QUICKLY)
    assert result.code == 0
    assert "one example cannot tell what may vary, so this is a guess; give another --want" in result.err


def test_a_table_from_some_of_the_examples_ends_with_status_1(
    library: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    want = [word for path in ("maps/", "plays/", "never/") for word in ("--want", library.url + path)]
    result = invoke(capsys, "rules", "learn", library.url, *want, *QUICKLY)
    assert result.code == 1
    assert f"not found: {library.url}never/; no explored page links to it: check its spelling" in result.err
    assert "baseURL,ruleType" in result.out, "nothing is lost"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "want: there is none; give two or more links that are wanted"),
        (["--want", "nonsense"], "want: 'nonsense' is not a URL"),
        (["--want", "http://a.org/x", "--unlike", "ftp://a.org/"], "unlike: 'ftp://a.org/': only http and https"),
        (["--want", "http://a.org/x", "--unlike", "http://a.org/x"], "unlike: http://a.org/x is wanted as well"),
        (["--want", "http://a.org/x", "--no-bodies"], "bodies: rules are learned from stored pages"),
        (["--want", "http://a.org/x", "--max-pages", "-1"], "--max-pages: "),
        (["--want", "http://a.org/x", "-f", "table.txt"], "a rule table is a file that ends in"),
        (["--want", "http://a.org/x", "-q", "-v"], "--quiet and --verbose cannot both be had"),
    ],
)
def test_wrong_usage(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = invoke(capsys, "rules", "learn", "http://127.0.0.1:1/", *words)
    assert result.code == 2
    assert says in result.err


def test_wrong_usage_in_python() -> None:
    with pytest.raises(JobError, match="want: there is none"):
        dowse.learn_rules("http://127.0.0.1:1/", want=[])


def test_a_table_that_cannot_be_written_is_shown(library: Site, capsys: pytest.CaptureFixture[str]) -> None:
    want = [word for name in ("maps-book-1", "plays-book-4") for word in ("--want", f"{library.url}files/{name}.epub")]
    result = invoke(capsys, "rules", "learn", library.url, *want, "-q", "-f", "/proc/rules.csv", *QUICKLY)
    assert result.code == 2
    assert "/proc/rules.csv" in result.err
    assert {row["ruleType"] for row in csv.DictReader(result.out.splitlines())} == {"follow", "keep"}


def test_nothing_learned_is_not_done(library: Site, capsys: pytest.CaptureFixture[str]) -> None:
    result = invoke(capsys, "rules", "learn", library.url, "--want", f"{library.url}nowhere", "-q", *QUICKLY)
    assert (result.code, result.out) == (1, "")
    assert "of 1 wanted link none was found" in result.err
