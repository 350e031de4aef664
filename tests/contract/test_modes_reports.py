"""What the report tells of each mode, over real crawls of the sample site and others."""

from __future__ import annotations

from pathlib import Path

import dowse
from dowse.core.exhibits import Curve, Exhibit, Graph, Listing
from dowse.demo import DemoSite
from tests.contract.mode_jobs import Runs
from tests.crawling import FAST
from tests.htmlpages import HtmlPage, check_inert, read_page
from tests.servers import Request, Site


def shown(crawl: dowse.Crawl) -> dict[str, Exhibit]:
    return {each.name: each for each in crawl.mode.exhibits(crawl)}


def page_of(crawl: dowse.Crawl) -> HtmlPage:
    page = read_page(crawl.report().read_text(encoding="utf-8"))
    check_inert(page)
    return page


def test_rules_show_page_types_and_what_each_row_kept(demo_site: DemoSite, tmp_path: Path) -> None:
    table = tmp_path / "rules.csv"
    table.write_text(demo_site.rules, encoding="utf-8")
    crawl = dowse.rules(str(table), output=str(tmp_path / "out"), **FAST)
    graph, rules = shown(crawl)["page-types"], shown(crawl)["rules"]
    assert isinstance(graph, Graph)
    assert isinstance(rules, Listing)
    kept = [row["rule"] for row in crawl.frame("kept")]
    assert [node.name for node in graph.nodes] == ["base", "topLevel", "secondLevel"]
    assert graph.nodes[1].small.endswith(f" pages, {kept.count(2):,} kept")
    ways = {(arrow.source, arrow.target): arrow for arrow in graph.arrows}
    assert list(ways) == [("base", "topLevel"), ("topLevel", "secondLevel")]
    assert "row 1, pattern international, class results: " in ways["base", "topLevel"].hint
    assert [row.cells[2] for row in rules.rows if "keep" in row.text] == [str(kept.count(2)), str(kept.count(4))]
    page = page_of(crawl)
    assert page.chapters[:3] == ["ledger", "page-types", "rules"]
    assert f"3 page types led to {len(kept)} kept links" in page.titles


def test_a_link_that_is_kept_is_no_page_of_the_type_that_it_is_followed_to(demo_site: DemoSite, tmp_path: Path) -> None:
    table = tmp_path / "rules.csv"
    papers = f"{demo_site.url}consultations/,follow,topLevel,topLevel,\\.pdf$,all,all,all\n"
    table.write_text(demo_site.rules.rstrip("\n") + "\n" + papers, encoding="utf-8")
    crawl = dowse.rules(str(table), output=str(tmp_path / "out"), **FAST)
    graph = shown(crawl)["page-types"]
    assert isinstance(graph, Graph)
    assert sum(int(node.small.split()[0]) for node in graph.nodes) == len(crawl.pages)


def test_focus_shows_the_harvest_and_the_best_pages(demo_site: DemoSite, tmp_path: Path) -> None:
    crawl = dowse.focus(demo_site.url, topic="fishing, vessels", output=str(tmp_path / "out"), **FAST)
    harvest, best = shown(crawl)["harvest"], shown(crawl)["best"]
    assert isinstance(harvest, Curve)
    assert isinstance(best, Listing)
    matched = [row["url"] for row in crawl.frame("matched")]
    assert harvest.lines[0].values[-1] == len(matched)
    assert len(harvest.lines[0].values) == len(crawl.frame("crawled"))
    assert [row.url for row in best.rows] == matched[:25]
    page = page_of(crawl)
    assert page.chapters[:3] == ["ledger", "harvest", "best"]
    assert len(page.all("polyline")) == 2


def test_files_show_where_they_hung(demo_site: DemoSite, tmp_path: Path) -> None:
    crawl = dowse.files(demo_site.url, type=["pdf"], output=str(tmp_path / "out"), **FAST)
    hung = shown(crawl)["hung-on"]
    assert isinstance(hung, Listing)
    files = list(crawl.frame("files"))
    places = {row["found_on"] for row in files}
    assert f"hung on {len(places)} pages" in hung.title
    assert sum(row.value for row in hung.rows) <= len(files)
    assert hung.rows[0].value == max(sum(row["found_on"] == place for row in files) for place in places)
    assert page_of(crawl).chapters[:4] == ["ledger", "harvest", "hung-on", "file-types"]


def test_forms_show_what_their_queries_brought(tmp_path: Path) -> None:
    things = [f"{colour} {thing}" for colour in ("red", "blue", "green") for thing in ("kettle", "lamp", "clock")]
    box = "<form action=/find><label>Find goods <input type=search name=q></label><button>Search</button></form>"

    def find(request: Request) -> str:
        words = request.query.get("q", "").split()
        found = [thing for thing in things if words and set(words) <= set(thing.split())]
        rows = "".join(
            f"<li><h3><a href='/goods/{things.index(each)}'>{each}</a></h3><p>New</p></li>" for each in found
        )
        return f"<title>Goods</title>{box}<p>{len(found)} results</p><ol class=found>{rows}</ol>"

    with Site({"/": f"<title>Shop</title>{box}<p>A kettle, a lamp, in red, blue and green.", "/find": find}) as shop:
        crawl = dowse.forms(shop.url, harvest=True, output=str(tmp_path / "out"), **FAST)
    found = shown(crawl)
    records = sum(row["records"] for row in crawl.frame("forms"))
    assert records
    assert f"{records} records from behind them" in found["search-forms"].title
    assert isinstance(curve := found["queries"], Curve)
    assert curve.lines[0].values[-1] == records
    assert page_of(crawl).chapters[:3] == ["ledger", "search-forms", "queries"]


def test_a_forum_shows_threads_boards_and_patterns(runs: Runs) -> None:
    crawl = runs.undisturbed("forum")
    found = shown(crawl)
    assert isinstance(threads := found["threads"], Listing)
    assert sorted(row.url for row in threads.rows) == sorted(row["url"] for row in crawl.frame("threads"))
    assert {"boards", "threads"} <= found.keys()


def test_a_site_has_nothing_of_its_own_to_show(runs: Runs) -> None:
    assert shown(runs.undisturbed("site")) == {}
