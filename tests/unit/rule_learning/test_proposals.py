"""Tables from explored pages, without a crawl."""

from __future__ import annotations

import pytest

from dowse.core.model import Request, Response
from dowse.parse.page import Page
from dowse.rule_learning.deciding import decide
from dowse.rule_learning.evaluation import apply_table
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.proposals import Proposal, propose, unexplored
from dowse.rule_learning.seen_pages import Scope, SeenPage, see

BASE = "http://a.org/"


def page(path: str, body: str) -> Page:
    url = BASE + path.lstrip("/")
    response = Response(Request(url, 0, "a.org"), 200, {"content-type": "text/html"}, body.encode(), 0.0, 0.0)
    return Page(response)


def anchors(*hrefs: str) -> str:
    return "".join(f"<a href='{href}'>{href}</a>" for href in hrefs)


PAGES = {
    "/": f"<nav>{anchors('/about', '/a/1.pdf')}</nav><main class='list big'>{anchors('/t/x', '/t/y', '/o/z')}</main>",
    "/t/x": f"<div id=papers>{anchors('/d/1.pdf', '/d/2.pdf')}</div>{anchors('/d/terms.pdf')}",
    "/t/y": f"<div id=papers>{anchors('/d/3.pdf')}</div>{anchors('/d/terms.pdf')}",
    "/o/z": anchors("/d/9.pdf", "/d/8.pdf", "/d/7.pdf", "/d/6.pdf"),
    "/about": anchors("/"),
}


def explored(pages: dict[str, str] = PAGES) -> Explored:
    return Explored([see(page(path, body)) for path, body in pages.items()], BASE)


def learned(want: list[str], unlike: list[str] | None = None, pages: dict[str, str] = PAGES) -> list[Proposal]:
    known = explored(pages)

    def numbers(paths: list[str]) -> list[int]:
        return [known.number[BASE + path.lstrip("/")] for path in paths]

    return propose(known, BASE, numbers(want), numbers(unlike or []))


def kept(proposal: Proposal, pages: dict[str, str] = PAGES) -> set[str]:
    parsed = {BASE + path.lstrip("/"): page(path, body) for path, body in pages.items()}
    return {url.removeprefix("http://a.org") for url in apply_table(proposal.rules, parsed.get).paths}


def test_scopes_are_those_of_all_elements_around() -> None:
    seen = see(page("/", "<main id=top><ul class='a b'><li><a href=/x class=all>x</a></ul></main>"))
    assert seen.anchors[0].scopes == {
        Scope("tag", "main"), Scope("id", "top"), Scope("tag", "ul"), Scope("class", "a"), Scope("class", "b"),
        Scope("class", "a b"), Scope("tag", "li"),
    }, "but no class named all, which means no limit"  # fmt: skip


def test_sets_of_urls() -> None:
    known = explored()
    numbers = [0, 5, 7, 8]
    assert list(members(known.mask(numbers))) == numbers
    assert list(members(0)) == []


def test_the_table_keeps_the_examples_and_what_is_like_them() -> None:
    best = learned(["/d/1.pdf", "/d/3.pdf"])[0]
    assert {"/d/1.pdf", "/d/3.pdf", "/d/2.pdf"} <= kept(best)
    assert best.rules[0].from_type == "base"
    assert best.rules[-1].rule_type == "keep"


def test_what_is_counted_on_sets_is_what_a_rule_crawl_would_do() -> None:
    known = explored()
    for want in (["/d/1.pdf", "/d/3.pdf"], ["/t/x", "/t/y"], ["/d/9.pdf", "/d/8.pdf"], ["/d/1.pdf"]):
        for proposal in learned(want):
            counted = {known.urls[number].removeprefix("http://a.org") for number in members(proposal.kept)}
            assert counted == kept(proposal)


def test_counter_examples_narrow() -> None:
    for proposal in learned(["/d/1.pdf", "/d/3.pdf"], unlike=["/d/terms.pdf", "/d/9.pdf"]):
        assert {"/d/1.pdf", "/d/3.pdf"} <= kept(proposal)
        assert not {"/d/terms.pdf", "/d/9.pdf"} & kept(proposal)


def test_nothing_separates_links_that_do_not_differ() -> None:
    same = {"/": anchors("/x/1.pdf", "/x/2.pdf", "/x/3.pdf")}
    assert learned(["/x/1.pdf", "/x/2.pdf"], unlike=["/x/3.pdf"], pages=same) == []


def test_rivals_keep_something_else() -> None:
    proposals = learned(["/d/1.pdf", "/d/2.pdf"])
    assert len(proposals) > 1
    assert len({proposal.kept for proposal in proposals}) == len(proposals)
    assert [proposal.score for proposal in proposals] == sorted(proposal.score for proposal in proposals)


def test_what_the_start_lists_is_not_looked_for_on_a_page_of_the_same_kind() -> None:
    """A page about one command has a short list with all examples; the long one of the start is meant."""
    commands = [f"/git-{chr(97 + number % 26)}{number}.html" for number in range(150)]
    pages = {"/": f"<nav>{anchors('/about')}</nav><div class=all>{anchors(*commands)}</div>"}
    pages[commands[7]] = f"<div class=few>{anchors(*commands[:4])}</div>"
    best = learned(commands[:3], pages=pages)[0]
    assert kept(best, pages) == set(commands)
    assert [rule.rule_type for rule in best.rules] == ["keep"]


def test_an_index_of_the_same_kind_may_have_the_list_that_is_meant() -> None:
    guides = [f"/howto/{chr(97 + number)}.html" for number in range(9)]
    others = [f"/other/{number}.html" for number in range(300)]
    pages = {"/": anchors("/howto/index.html", *others[:150], *guides[:3], *others[150:])}
    pages["/howto/index.html"] = f"<div class=toc>{anchors(*guides)}</div>"
    assert any(kept(each, pages) == set(guides) for each in learned(guides[:3], pages=pages))


TOPICS = tuple(f"/topics/{letter}.html" for letter in "abcdefghijklmnopqrstuv")
IN_SECTION = (*TOPICS[:6], "/faq.html", "/other/async.html")
SECTIONS = {
    "/": f"<p>{anchors('/intro/one.html', '/intro/two.html')}</p><div id=problems><p>{anchors(*IN_SECTION)}</p></div>"
    f"<div id=basics><p>{anchors(*TOPICS[6:], '/intro/three.html')}</p></div>",
    **{path: f"<nav>{anchors('/')}</nav>" for path in TOPICS[:6]},
}


def test_the_list_with_all_examples_is_a_candidate_as_a_whole() -> None:
    """Three of its links are in one folder, two others are not: the folder or the list, that is to be asked."""
    proposals = learned(list(TOPICS[:3]), pages=SECTIONS)
    whole = next(each for each in proposals if kept(each, SECTIONS) == set(IN_SECTION))
    assert whole.score < proposals[0].score + 1.2, "it is nearly as good as the best"
    asked = decide(proposals, -1).asked
    assert asked is not None
    assert explored(SECTIONS).urls[asked].removeprefix("http://a.org") in IN_SECTION[6:]


def test_a_single_example_of_its_kind_gets_no_row_of_its_own_where_one_list_has_all() -> None:
    articles = [f"/{number}a.html" for number in range(30)] + [f"/{number}b.php" for number in range(12)]
    table = f"<table>{''.join(f'<tr><td>{anchors(path)}' for path in articles)}</table>"
    pages = {"/": f"<p>{anchors('/old/1.html', '/old/2.html')}</p>{table}"}
    best = learned([articles[0], articles[5], articles[33]], pages=pages)[0]
    assert kept(best, pages) == set(articles)
    assert len(best.rules) == 1


def test_a_list_on_the_path_that_only_leads_on_is_not_kept() -> None:
    systems = [f"/systems/{letter}.html" for letter in "abcdefghij"]
    others = [f"/{name}/index.html" for name in ("sound", "net", "power")]
    pages = {
        "/": anchors("/apis.html", "/news.html", *others),
        "/apis.html": f"<div class=toc>{anchors('/systems/index.html', *others)}</div>",
        "/systems/index.html": f"<div class=toc>{anchors(*systems)}</div>",
    }
    best = learned(systems[:3], pages=pages)[0]
    assert kept(best, pages) == set(systems)


@pytest.mark.parametrize(("name", "is_menu"), [("main-nav", True), ("nav-content", False), ("page-with-nav", False)])
def test_menus_are_told_by_their_names_and_by_what_they_hold(name: str, is_menu: bool) -> None:
    """An element around the whole page is no menu, nor is one whose name says that it has the content."""
    menu, content = anchors("/1", "/2", "/3"), anchors(*(f"/{number}" for number in range(4, 9)))
    inner = f"<div class=main-nav>{menu}</div><div class=nav-content>{content}</div>"
    known = explored({"/": f"<div class=page-with-nav>{inner}</div>"})
    assert known.is_menu(0, Scope("class", name)) is is_menu


def test_a_listing_that_goes_on_is_a_type_that_leads_to_itself() -> None:
    pages = {"/": anchors("/list?page=2", "/p/1.pdf", "/imprint")}
    for number in range(2, 7):
        pages[f"/list?page={number}"] = anchors(f"/list?page={number + 1}", f"/p/{number}.pdf", "/imprint")
    best = learned(["/p/2.pdf", "/p/4.pdf", "/p/5.pdf"], pages=pages)[0]
    assert kept(best, pages) == {f"/p/{number}.pdf" for number in range(1, 7)}
    assert any(rule.from_type == rule.to_type for rule in best.rules), best.rules


def test_different_kinds_of_examples_get_rules_of_their_own() -> None:
    noise = [f"/n{number}/x{number}" for number in range(300)]
    pages = {"/": anchors(*noise, "/get?id=1", "/get?id=2", "/get?id=3", "/f/a.zip", "/f/b.zip", "/f/c.zip")}
    best = learned(["/get?id=1", "/get?id=2", "/f/a.zip", "/f/b.zip"], pages=pages)[0]
    assert kept(best, pages) == {"/get?id=1", "/get?id=2", "/get?id=3", "/f/a.zip", "/f/b.zip", "/f/c.zip"}
    assert len(best.rules) == 2


def test_rules_do_not_lead_to_hosts_that_nothing_wanted_is_on() -> None:
    shelves = [f"/{letter}" for letter in "xyzuvw"]
    pages = {"/": anchors(*shelves, *(f"http://b.org/{letter}" for letter in "xyzuvw"))}
    pages |= {shelf: anchors(f"/{shelf[1]}/1.pdf", f"/{shelf[1]}/2.pdf") for shelf in shelves}
    known = explored(pages)
    for proposal in learned(["/x/1.pdf", "/y/2.pdf", "/w/1.pdf"], pages=pages)[:1]:
        followed = {known.urls[number] for number in members(proposal.followed)}
        assert followed == {BASE + shelf[1:] for shelf in shelves}


def test_redirects_are_where_they_lead() -> None:
    pages = [see(page("/", anchors("/old"))), see(page("/new", anchors("/1.pdf", "/2.pdf")))]
    known = Explored(pages, BASE, {f"{BASE}old": f"{BASE}new"})
    best = propose(known, BASE, [known.number[f"{BASE}1.pdf"], known.number[f"{BASE}2.pdf"]], [])[0]
    assert [known.urls[number] for number in members(best.followed)] == [f"{BASE}old"]


@pytest.mark.parametrize("limit", [0, 1, 3, 100])
def test_pages_to_try_next_are_bounded_and_new(limit: int) -> None:
    targets = [f"/t/{number}" for number in range(40)]
    pages = {"/": anchors(*targets), "/t/0": anchors("/1.pdf"), "/t/1": anchors("/2.pdf")}
    known = explored(pages)
    proposals = learned(["/1.pdf", "/2.pdf"], pages=pages)
    found = unexplored(known, proposals, lambda url: url != f"{BASE}t/7", limit)
    assert len(found) <= limit
    assert len(set(found)) == len(found)
    assert not {f"{BASE}t/0", f"{BASE}t/1", f"{BASE}t/7"} & set(found)


def test_a_page_without_links_is_no_trouble() -> None:
    known = Explored([SeenPage(BASE, [])], BASE)
    assert known.reached == [0]
    assert known.links == [0]
