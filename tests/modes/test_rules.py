"""The rule crawl against real servers: only what rules lead to is visited, and everything they keep is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import dowse
from dowse import app
from dowse.modes.rules.rule_places import copy_rules
from tests.commands import invoke
from tests.crawling import FAST, links, paths, reasons, states
from tests.ruling import checked, crawl_by, crawl_table, follow, followed, keep, kept, write_table
from tests.servers import Reply, Site

COLUMN = "col-xs-12 col-sm-7 col-md-8 col-lg-9"


def page(*hrefs: str, around: str = "") -> str:
    """Links, some of them inside an element: page("/a", around='<main>%s</main>')."""
    anchors = "".join(f'<a href="{href}">to {href}</a> ' for href in hrefs)
    return f"<!doctype html><title>{' '.join(hrefs)}</title>" + (around % anchors if around else anchors)


# What the paper shows


def test_the_four_rules_of_the_consultations(serve: Callable[..., Site], tmp_path: Path) -> None:
    site = serve(addresses=("127.0.0.1", "127.0.0.2"))
    elsewhere = site.at("127.0.0.2", "/international/rules.html")
    noise = "<nav><a href=/international/nav.html>International</a><a href=/noise.html>more</a></nav>"
    site.pages |= {
        "/search": noise
        + page("/a-international.html", elsewhere, "/domestic.html", around=f'<div class="{COLUMN} x">%s</div>')
        + page("/international/half.html", around='<div class="col-xs-12">%s</div>'),
        "/a-international.html": page("/a1.pdf", "/a.doc") + page("/deep/international.html", around="<main>%s</main>"),
        "//127.0.0.2/international/rules.html": noise + page("/b1.pdf") + page("/b.html", around="<main>%s</main>"),
        "/deep/international.html": page("/a1.pdf", "/c1.pdf", "/deeper/international.html"),
    }
    base = site.at("127.0.0.1", "/search")
    found = crawl_by(
        tmp_path,
        follow(base, "base>topLevel", "international", class_=COLUMN),
        keep(base, "topLevel", ".pdf"),
        follow(base, "topLevel>secondLevel", "international", tag="main"),
        keep(base, "secondLevel", ".pdf"),
        allow_private=True,
    )
    assert sorted(site.paths()) == sorted(
        ["/search", "/a-international.html", "/international/rules.html", "/deep/international.html"]
    )
    assert sorted(kept(found)) == ["/a1.pdf", "/b1.pdf", "/c1.pdf"]
    assert {row["page_type"] for row in found.kept} == {"topLevel", "secondLevel"}
    assert {row["url"] for row in found.kept if "b1" in row["url"]} == {site.at("127.0.0.2", "/b1.pdf")}
    instruction = next(each for each in found.instructions() if each.url.endswith("/a-international.html"))
    assert json.loads(dowse_json(instruction)) == {
        "baseURL": base,
        "urlToCrawl": site.at("127.0.0.1", "/a-international.html"),
        "keepRules": [
            {"pattern": ".pdf", "id": "all", "class": "all", "tag": "all", "filterField": "", "filterValue": ""}
        ],
        "followRules": [
            {
                "toType": "secondLevel", "pattern": "international", "id": "all", "class": "all", "tag": "main",
                "filterField": "", "filterValue": "",
            }
        ],
    }  # fmt: skip


def dowse_json(value: object) -> bytes:
    import msgspec

    return msgspec.json.encode(value)


def test_the_five_rules_of_the_videos_go_four_levels_deep(site: Site, tmp_path: Path) -> None:
    items = '<div id="browse-items-primary">%s</div>'
    site.pages |= {
        "/": page("/feed/new", "/about", around='<div class="feed-item-dismissable">%s</div>') + page("/feed/ad"),
        "/feed/new": page("/watch/1?youtube", "/channel/7", around=items) + page("/channel/ad"),
        "/channel/7": page("/watch/2", "/playlist", around=items) + page("/watch/ad"),
        "/watch/2": page("/user/youtube", around='<div id="watch-header">%s</div>') + page("/youtube/ad"),
    }
    base = site.url
    found = crawl_by(
        tmp_path,
        follow(base, "base>topLevel", "/feed/", class_="feed-item-dismissable"),
        keep(base, "topLevel", "youtube", id="browse-items-primary"),
        follow(base, "topLevel>secondLevel", "/channel/", id="browse-items-primary"),
        follow(base, "secondLevel>thirdLevel", "watch", id="browse-items-primary"),
        keep(base, "thirdLevel", "youtube", id="watch-header"),
    )
    assert site.paths() == ["/", "/feed/new", "/channel/7", "/watch/2"]
    assert kept(found) == ["/watch/1?youtube", "/user/youtube"]
    assert followed(found) == {"/feed/new": "topLevel", "/channel/7": "secondLevel", "/watch/2": "thirdLevel"}


# What no rule takes


def test_links_that_no_rule_takes_are_in_the_ledger_and_lead_nowhere(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages |= {"/": page("/x", "/left", "http://other.example/home"), "/x": page("/x.pdf", "/left", "/later")}
    site.pages["/left"] = page("/never")
    found = crawl_by(tmp_path, follow(site.url, "base>top", "/x$"), keep(site.url, "top", r"\.pdf"))
    assert site.paths() == ["/", "/x"]
    left = dict.fromkeys(("/left", "/later", "/home"), "out_of_scope")
    assert states(found) == {"/": "fetched", "/x": "fetched", "/x.pdf": "kept", **left}
    assert set(reasons(found).values()) == {"", "kept", "no rule takes it"}
    story = found.why("/left")
    assert story is not None
    assert [parent for parent, _ in story.parents] == [site.url, site.at("127.0.0.1", "/x")]
    assert len(found.links) == 6
    told = invoke(capsys, "why", found.directory, "/left").out
    assert "out of scope (no rule takes it)" in told
    assert f'linked from      {site.url}  "to /left"' in told
    assert "no link to it was read on any page" in invoke(capsys, "why", found.directory, "/never").err
    app.resume(found.directory, exclude=["/nothing"])
    assert site.paths() == ["/", "/x"], "another scope is no rule"


def test_a_link_that_no_rule_of_one_page_takes_is_taken_on_another(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/x", "/y", "/a.pdf"), "/x": page("/y", "/a.pdf"), "/y": page("/b.pdf")}
    found = crawl_by(
        tmp_path,
        follow(site.url, "base>top", "/x$"),
        follow(site.url, "top>second", "/y$"),
        keep(site.url, "top", r"\.pdf"),
        keep(site.url, "second", r"\.pdf"),
    )
    assert site.paths() == ["/", "/x", "/y"]
    assert states(found)["/y"] == "fetched"
    assert sorted(kept(found)) == ["/a.pdf", "/b.pdf"]
    assert states(found)["/a.pdf"] == "kept"


# Page types


def test_rules_of_several_bases_do_not_mix(serve: Callable[..., Site], tmp_path: Path) -> None:
    one, two = serve(), serve()
    for site in (one, two):
        site.pages |= {"/": page("/x", "/y"), "/x": page("/x.pdf", "/x.doc"), "/y": page("/y.pdf", "/y.doc")}
    found = crawl_by(
        tmp_path,
        follow(one.url, "base>top", "/x$"),
        keep(one.url, "top", r"\.pdf"),
        follow(two.url, "base>top", "/y$"),
        keep(two.url, "top", r"\.doc"),
    )
    assert (one.paths(), two.paths()) == (["/", "/x"], ["/", "/y"])
    assert {(row["base"], row["url"]) for row in found.kept} == {
        (one.url, f"{one.url}x.pdf"),
        (two.url, f"{two.url}y.doc"),
    }


def test_a_link_that_two_bases_keep_is_a_result_of_both(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/a": page("/x.pdf"), "/b": page("/x.pdf", "/more")}
    a, b = f"{site.url}a", f"{site.url}b"
    found = crawl_by(tmp_path, keep(a, "base", "pdf"), keep(b, "base", "pdf"))
    assert sorted(row["base"] for row in found.kept) == [a, b]
    assert states(found)["/x.pdf"] == "kept"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_second_type_is_applied_to_the_stored_page(site: Site, tmp_path: Path, workers: int) -> None:
    site.pages |= {
        "/": page("/item", "/list"),
        "/item": page("/item.pdf", "/item.doc", "/sub"),
        "/list": page("/item", "/other"),
        "/other": page("/other.pdf"),
        "/sub": page("/sub.doc"),
    }
    base = site.url
    found = crawl_by(
        tmp_path,
        follow(base, "base>item", "/item$"),
        follow(base, "base>list", "/list$"),
        keep(base, "item", "pdf"),
        follow(base, "list>second", "/item$"),
        keep(base, "second", "doc"),
        follow(base, "second>sub", "/sub$"),
        keep(base, "sub", "doc"),
        workers=workers,
        per_host=1,
        delay=0.05,
    )
    assert sorted(site.paths()) == ["/", "/item", "/list", "/sub"], "each is downloaded once"
    assert sorted(kept(found)) == ["/item.doc", "/item.pdf", "/sub.doc"]
    assert followed(found)["/item"] == "item+second"
    story = found.why(f"{base}item")
    assert story is not None
    assert [each["name"] for each in story.page_types] == ["item", "second"]
    assert all(each["applied"] for each in story.page_types)
    assert story.instruction is not None
    assert [limits.pattern for limits in story.instruction.keep_rules] == ["pdf", "doc"]
    assert len(story.visits) == 1
    assert {row["target"] for row in found.links if row["url"].endswith("/item")} == {
        f"{base}item.pdf", f"{base}item.doc", f"{base}sub"
    }  # fmt: skip


def test_a_second_type_that_comes_before_the_visit_needs_no_second_reading(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/item"), "/item": page("/item.pdf", "/item.doc")}
    base = site.url
    found = crawl_by(
        tmp_path,
        follow(base, "base>one"),
        follow(base, "base>two", "item"),
        keep(base, "one", "pdf"),
        keep(base, "two", "doc"),
    )
    assert kept(found) == ["/item.pdf", "/item.doc"]
    assert followed(found) == {"/item": "one+two"}


def test_without_bodies_a_second_type_costs_a_second_download(site: Site, tmp_path: Path) -> None:
    etag = {"ETag": '"1"'}
    site.pages |= {
        "/": page("/item", "/list"),
        "/item": lambda request: (
            Reply(page("/item.pdf", "/item.doc"), headers=etag)
            if "if-none-match" not in request.headers
            else Reply(status=304, headers=etag)
        ),
        "/list": page("/item"),
    }
    base = site.url
    found = crawl_by(
        tmp_path,
        follow(base, "base>item", "/item$"),
        follow(base, "base>list", "/list$"),
        keep(base, "item", "pdf"),
        follow(base, "list>second", "/item$"),
        keep(base, "second", "doc"),
        bodies=False,
        per_host=1,
        delay=0.05,
    )
    assert sorted(site.paths()) == ["/", "/item", "/item", "/list"]
    assert sorted(kept(found)) == ["/item.doc", "/item.pdf"]
    assert found.status().pages == 3


def test_stored_pages_that_are_gone_are_fetched_again(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/item", "/list"), "/item": page("/item.pdf", "/item.doc"), "/list": page("/item")}
    base = site.url
    rows = [
        follow(base, "base>item", "/item$"),
        follow(base, "base>list", "/list$"),
        keep(base, "item", "pdf"),
        follow(base, "list>second", "/item$"),
        keep(base, "second", "doc"),
    ]
    crawl_by(tmp_path, *rows, max_pages=2, per_host=1, delay=0.02)
    for file in (tmp_path / "out" / "warc").iterdir():
        file.unlink()
    app.resume(tmp_path / "out", max_pages=0)
    assert sorted(kept(checked(tmp_path / "out"))) == ["/item.doc", "/item.pdf"]
    assert site.paths().count("/item") == 2


def test_a_circle_ends_when_nothing_new_is_found(site: Site, tmp_path: Path) -> None:
    site.pages |= {f"/{n}": page(f"/{(n + 1) % 5}", f"/{(n + 2) % 5}", f"/{n}.pdf") for n in range(5)}
    base = f"{site.url}0"
    found = crawl_by(tmp_path, follow(base, "base>page", r"/\d$"), follow(base, "page>page", r"/\d$"),
                     keep(base, "page", "pdf"))  # fmt: skip
    assert sorted(site.paths()) == [f"/{n}" for n in range(5)]
    assert sorted(kept(found)) == [f"/{n}.pdf" for n in range(5)], "the base page is a page too, by its second type"


def test_long_pagination_is_no_trap_as_long_as_it_brings_results(site: Site, tmp_path: Path) -> None:
    site.pages |= {f"/list/{n}": page(f"/list/{n + 1}", f"/paper/{n}.pdf") for n in range(1, 131)}
    site.pages["/list/131"] = page("/paper/last.pdf")
    base = f"{site.url}list/1"
    found = crawl_by(tmp_path, follow(base, "base>list", "/list/"), keep(base, "base", "pdf"),
                     follow(base, "list>list", "/list/"), keep(base, "list", "pdf"))  # fmt: skip
    assert len(found.kept) == 131


def test_a_trap_is_not_on_the_follow_list(site: Site, tmp_path: Path) -> None:
    site.pages["/day/*"] = lambda request: page(f"/day/{int(request.path[5:]) + 1}")
    base = f"{site.url}day/1"
    found = crawl_by(tmp_path, follow(base, "base>day", "/day/"), follow(base, "day>day", "/day/"), chain=5)
    assert reasons(found)["/day/7"] == "trap: chain"
    assert list(followed(found)) == [f"/day/{number}" for number in range(2, 7)]


# Kept and followed


def test_kept_links_are_results_and_are_not_visited(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/a.html", "/b.pdf", "https://elsewhere.example/c.pdf", "/a.html")}
    found = crawl_by(tmp_path, keep(site.url, "base"))
    assert site.paths() == ["/"]
    assert [row["url"] for row in found.kept] == [
        f"{site.url}a.html", f"{site.url}b.pdf", "https://elsewhere.example/c.pdf"
    ]  # fmt: skip
    [first, *_] = found.kept
    assert first.pop("first_seen")
    assert first == {
        "url": f"{site.url}a.html", "anchor": "to /a.html", "found_on": site.url, "page_type": "base", "rule": 1,
        "base": site.url, "context": "", "title": "", "rel": "", "media_type": "", "size": None,
        "last_modified": "",
    }  # fmt: skip
    assert set(states(found).values()) == {"fetched", "kept"}


def test_a_kept_link_that_a_rule_follows_later_is_visited(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/list", "/item"), "/list": page("/item"), "/item": page("/item.pdf")}
    base = site.url
    found = crawl_by(tmp_path, keep(base, "base", "item"), follow(base, "base>list", "list"),
                     follow(base, "list>item", "item"), keep(base, "item", "pdf"))  # fmt: skip
    assert kept(found) == ["/item", "/item.pdf"]
    assert states(found)["/item"] == "fetched"


def test_a_link_may_be_kept_and_followed(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/item", "/file.pdf"), "/item": page("/item.pdf")}
    base = site.url
    found = crawl_by(tmp_path, keep(base, "base"), follow(base, "base>item"), keep(base, "item"))
    assert kept(found) == ["/item", "/file.pdf", "/item.pdf"]
    assert followed(found) == {"/item": "item"}, "a download is refused by its ending, and is kept all the same"
    assert states(found) == {"/": "fetched", "/item": "fetched", "/file.pdf": "kept", "/item.pdf": "kept"}


def test_a_link_that_was_refused_and_is_kept_later_is_a_result(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/list", "/file.pdf"), "/list": page("/file.pdf")}
    base = site.url
    found = crawl_by(tmp_path, follow(base, "base>list"), keep(base, "list", "pdf"))
    assert kept(found) == ["/file.pdf"]
    assert states(found)["/file.pdf"] == "kept"


def test_the_limits_of_every_crawl_hold(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/robots.txt": "User-agent: *\nDisallow: /private/",
        "/": page("/a", "/b/x", "/private/c", "/d") + '<a rel=nofollow href="/e">e</a><a href="/f">f</a>',
        "/a": "a",
        "/d": "d",
        "/f": "f",
    }
    found = crawl_by(tmp_path, follow(site.url, "base>x"), keep(site.url, "x"), exclude="/b/", max_pages=3)
    assert site.paths() == ["/", "/a", "/d"]
    assert states(found) == {
        "/": "fetched", "/a": "fetched", "/d": "fetched", "/f": "not_reached", "/b/x": "out_of_scope",
        "/e": "out_of_scope", "/private/c": "robots",
    }  # fmt: skip
    assert followed(found) == {"/a": "x", "/d": "x", "/f": "x"}, "what is refused is not on the follow list"
    app.resume(tmp_path / "out", max_pages=0)
    assert followed(checked(tmp_path / "out")) == {"/a": "x", "/d": "x", "/f": "x"}


def test_rules_reach_what_is_let_in_on_resume(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/a"), "/a": page("/a.pdf")}
    found = crawl_by(tmp_path, follow(site.url, "base>x"), keep(site.url, "x"), exclude="/a")
    assert kept(found) == []
    app.resume(tmp_path / "out", exclude="/never")
    assert kept(checked(tmp_path / "out")) == ["/a.pdf"]


# Redirects, mirrors and trouble


def test_a_page_type_goes_where_its_page_went(serve: Callable[..., Site], tmp_path: Path) -> None:
    site = serve(addresses=("127.0.0.1", "127.0.0.2"))
    site.pages |= {
        "/": Reply(status=301, headers={"Location": site.at("127.0.0.2", "/home")}),
        "/home": page("/old", "/list"),
        "/old": Reply(status=302, headers={"Location": "/new"}),
        "/new": page("/new.pdf", "/new.doc"),
        "/list": page("/old"),
    }
    base = site.at("127.0.0.1")
    found = crawl_by(tmp_path, follow(base, "base>item", "old"), follow(base, "base>list", "list"),
                     keep(base, "item", "pdf"), follow(base, "list>second", "old"), keep(base, "second", "doc"),
                     allow_private=True, per_host=1, delay=0.03)  # fmt: skip
    assert sorted(kept(found)) == ["/new.doc", "/new.pdf"]
    assert len(site.paths()) == 5, "the second type goes on to the page without asking for it again"
    assert {row["base"] for row in found.kept} == {base}


def test_two_copies_of_a_page_are_read_by_the_rules_of_each(site: Site, tmp_path: Path) -> None:
    copy = page("/x.pdf", "/x.doc")
    site.pages |= {"/": page("/a", "/b"), "/a": copy, "/b": copy}
    base = site.url
    found = crawl_by(tmp_path, follow(base, "base>a", "/a$"), follow(base, "base>b", "/b$"),
                     keep(base, "a", "pdf"), keep(base, "b", "doc"))  # fmt: skip
    assert sorted(kept(found)) == ["/x.doc", "/x.pdf"]
    assert sorted(states(found).values()) == ["duplicate", "fetched", "fetched", "kept", "kept"]


def test_trouble_with_one_base_or_page_leaves_the_others(serve: Callable[..., Site], tmp_path: Path) -> None:
    site = serve()
    site.pages |= {
        "/": page("/download", "/gone", "/text", "/good"),
        "/download": Reply(b"PK\x03\x04", headers={"Content-Type": "application/zip"}),
        "/text": Reply("only words", headers={"Content-Type": "text/plain"}),
        "/good": page("/x.pdf"),
    }
    down = "http://127.0.0.1:1/"
    base = site.url
    found = crawl_by(tmp_path, keep(down, "base"), follow(base, "base>page"), keep(base, "page"), retries=0)
    assert kept(found) == ["/x.pdf"]
    assert reasons(found)["/download"] == "media type application/zip"
    assert reasons(found)["/gone"] == "http 404"
    assert found.status().pages == 3, "a text is a page, with an instruction that found nothing"


def test_links_of_every_relative_form_are_matched_as_absolute(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/dir/": '<base href="/other/"><a href="x.pdf">x</a><area href="?y.pdf"><iframe src=//127.0.0.1/z.pdf></iframe>'
        '<a href="#top">top</a><template><a href="/hidden.pdf">h</a></template>'
    }
    base = f"{site.url}dir/"
    found = crawl_by(tmp_path, keep(base, "base", r"^http://127\.0\.0\.1.*\.pdf$"))
    assert [row["url"] for row in found.kept] == [
        f"{site.url}other/x.pdf", f"{site.url}other/?y.pdf", "http://127.0.0.1/z.pdf"
    ]  # fmt: skip


def test_fields_are_taken_from_the_pages_that_rules_visit(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<h1>Base</h1>" + page("/a"), "/a": "<h1>A</h1>"}
    found = crawl_by(tmp_path, follow(site.url, "base>a"), keep(site.url, "a"), extract="title=//h1")
    assert [row["title"] for row in found.records] == ["Base", "A"]


# Again


def test_a_recrawl_applies_all_rules_to_what_changed(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/a"), "/a": page("/a1.pdf")}
    crawl_by(tmp_path, follow(site.url, "base>a"), keep(site.url, "a"))
    site.pages["/a"] = page("/a1.pdf", "/a2.pdf")
    app.recrawl(tmp_path / "out")
    found = checked(tmp_path / "out")
    assert kept(found) == ["/a1.pdf", "/a2.pdf"]
    assert paths(found) == ["/", "/a"]


def test_a_recrawl_applies_changed_rules_to_what_did_not_change(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/a", "/b"), "/a": page("/a.pdf", "/a.doc"), "/b": page("/b.doc")}
    crawl_by(tmp_path, follow(site.url, "base>x", "/a"), keep(site.url, "x", "pdf"))
    other = write_table(tmp_path / "other.csv", follow(site.url, "base>x", "/[ab]$"), keep(site.url, "x", "doc"))
    copy_rules(other, f"sqlite:///{tmp_path}/out/crawl.db", replace=True)
    app.recrawl(tmp_path / "out")
    found = checked(tmp_path / "out")
    assert sorted(kept(found)) == ["/a.doc", "/a.pdf", "/b.doc"]  # whichever page comes first
    rules = {each.url: each.keep_rules for each in found.instructions()}
    assert [each.pattern for each in rules[f"{site.url}a"]] == ["doc"]
    assert [request.target for request in site.asked()].count("/a") == 2


def test_a_resumed_crawl_has_the_rules_it_was_started_with(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/a", "/b"), "/a": page("/a.pdf"), "/b": page("/b.pdf")}
    crawl_by(tmp_path, follow(site.url, "base>x"), keep(site.url, "x"), max_pages=2)
    (tmp_path / "rules.csv").unlink()
    app.resume(tmp_path / "out", max_pages=0)
    assert sorted(kept(checked(tmp_path / "out"))) == ["/a.pdf", "/b.pdf"]


def test_another_file_of_rules_is_refused_on_resume_with_the_way_to_change_them(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/a"), "/a": page("/a.pdf", "/a.doc")}
    crawl_by(tmp_path, follow(site.url, "base>x"), keep(site.url, "x", "pdf"), max_pages=1)
    other = write_table(tmp_path / "other.csv", follow(site.url, "base>x"), keep(site.url, "x", "doc"))
    with pytest.raises(dowse.JobError, match=r"dowse rules import .*other.csv sqlite:///.*crawl.db --replace"):
        app.resume(tmp_path / "out", table=other)
    copy_rules(other, f"sqlite:///{tmp_path}/out/crawl.db", replace=True)
    app.resume(tmp_path / "out", max_pages=0)
    assert kept(checked(tmp_path / "out")) == ["/a.doc"]


# From Python


def test_rules_in_one_line_of_python(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": page("/a.pdf")}
    table = write_table(tmp_path / "rules.csv", keep(site.url, "base", "pdf"), keep(site.url, "base", "("))
    with pytest.warns(UserWarning, match="row 2 .*column pattern"):
        crawl = dowse.rules(table, output=str(tmp_path / "out"), **FAST)
    assert [row["url"] for row in crawl.kept] == [f"{site.url}a.pdf"]
    assert crawl.rules.rules[0].pattern == "pdf"
    assert list(crawl.kept.to_pandas()["rule"]) == [1]
    for form in ("csv", "json", "jsonl", "parquet"):
        rows = [crawl.export(name, tmp_path / f"{name}.{form}") for name in ("kept", "followed")]
        assert (form, rows) == (form, [1, 0])


def test_a_table_without_a_usable_rule_is_refused(tmp_path: Path) -> None:
    table = write_table(tmp_path / "rules.csv", keep("http://127.0.0.1:1/", "base", "("))
    with pytest.raises(dowse.JobError, match="no rule can be used: row 1"):
        crawl_table(tmp_path / "out", table)
    assert not (tmp_path / "out").exists()


def test_a_crawl_without_rules_says_so(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a")
    crawl = dowse.site(site.url, output=str(tmp_path / "out"), **FAST)
    with pytest.raises(dowse.CrawlError, match="has no rules"):
        _ = crawl.rules
    for table in ("kept", "followed"):
        with pytest.raises(dowse.CrawlError, match="not made by dowse rules run; what it found is in the table pages"):
            crawl.export(table, tmp_path / "kept.csv")
    assert not (tmp_path / "kept.csv").exists()


def test_the_text_that_says_most_of_a_link_is_kept(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<a href=/one.pdf>next</a><a href=/two.pdf><img src=x></a><a href=/three.pdf>PDF</a><a href=/list>list</a>"
        "<a href=/four.pdf>Fourth report</a><p><a href=/one.pdf>First report</a><a href=/one.pdf>Another name</a>",
        "/list": "<p><a href=/two.pdf>Second report</a><a href=/four.pdf>read more</a><a href=/three.pdf>download</a>",
    }
    found = crawl_by(tmp_path, keep(site.url, "base", ".pdf"), follow(site.url, "base>list", "/list$"),
                     keep(site.url, "list", ".pdf"))  # fmt: skip
    anchors = {row["url"].rpartition("/")[2]: row["anchor"] for row in found.kept}
    assert anchors == {
        "one.pdf": "First report", "two.pdf": "Second report", "three.pdf": "PDF", "four.pdf": "Fourth report",
    }  # fmt: skip
    listed = (tmp_path / "out" / "keep.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[1] for line in listed[1:]] == ["First report", "Second report", "PDF", "Fourth report"]
