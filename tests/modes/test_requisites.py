"""What pages need to be shown: fetched with them if asked for, counted apart, within the same rules as everywhere."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.app import Crawl
from dowse.config import make_job
from dowse.core.errors import JobError
from dowse.core.task_labels import DEEPEST_REQUISITE
from dowse.python import page_stream
from tests import crawling
from tests.commands import invoke
from tests.crawling import links, opened, path_of, paths, reasons, states
from tests.servers import Reply, Request, Site

FAST = {**crawling.FAST, "sitemaps": False}

PICTURE = Reply(b"\x89PNG\r\n\x1a\n" + bytes(20), headers={"Content-Type": "image/png"})


def crawl(directory: Path, *seeds: str, **options: Any) -> Crawl:
    """Without a look for a sitemap, which these sites have not."""
    return crawling.crawl(directory, *seeds, **{**FAST, **options})


def sheet(text: str) -> Reply:
    return Reply(text, headers={"Content-Type": "text/css"})


def fetched(site: Site) -> set[str]:
    return set(site.paths())


def shown_site(site: Site) -> None:
    """Two pages, what they need, and what that needs."""
    site.pages |= {
        "/": "<title>1</title><link rel=stylesheet href=/s.css><img src=/a.png srcset='/a2.png 2x'><a href=/b>b</a>",
        "/b": "<title>2</title><img src=/a.png><script src=/s.js></script>",
        "/s.css": sheet("@import 't.css'; h1 { background: url(bg.png) }"),
        "/t.css": sheet("@font-face { src: url(f.woff2) }"),
        "/s.js": Reply("1", headers={"Content-Type": "text/javascript"}),
        "/f.woff2": Reply(b"wOF2", headers={"Content-Type": "font/woff2"}),
        **dict.fromkeys(("/a.png", "/a2.png", "/bg.png"), PICTURE),
    }


NEEDED = {"/s.css", "/t.css", "/s.js", "/f.woff2", "/a.png", "/a2.png", "/bg.png"}


def test_they_are_fetched_if_asked_for_and_are_no_pages(site: Site, tmp_path: Path) -> None:
    shown_site(site)
    crawl(tmp_path / "plain", site.url)
    assert fetched(site) == {"/", "/b"}
    found = crawl(tmp_path / "out", site.url, requisites=True)
    assert paths(found) == ["/", "/b"]
    assert {path for path, reason in reasons(found).items() if reason == "requisite"} == NEEDED
    summary = found.status()
    assert (summary.pages, summary.requisites) == (2, len(NEEDED))
    assert len(site.paths()) - 2 == len(NEEDED) + 2, "each is asked for once"
    story = found.why("/bg.png")
    assert story is not None
    assert story.parents == [(f"{site.url}s.css", "")]
    assert [row["target"] for row in found.links] == [f"{site.url}b"]


def test_status_and_the_end_of_a_crawl_count_them_apart(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown_site(site)
    ended = invoke(capsys, "site", site.url, "--requisites", "-o", tmp_path / "out", "--delay", "0")
    assert ended.code == 0
    assert ended.out.startswith("2 pages and 7 requisites, ")
    assert "requisite                                      7" in ended.out
    assert "7 requisites" in ended.err
    assert "requisites       7" in invoke(capsys, "status", tmp_path / "out").out


def test_they_come_from_any_host_but_not_from_private_addresses(tmp_path: Path) -> None:
    with Site({"/": "", "/x.png": PICTURE}, addresses=("127.0.0.1", "127.0.0.2")) as site:
        site.pages["/"] = f"<img src={site.at('127.0.0.2', '/x.png')}><a href={site.at('127.0.0.2', '/page')}>"
        refused = crawl(tmp_path / "refused", site.url, requisites=True)
        assert [row["reason"] for row in refused.ledger if row["url"].endswith("/x.png")] == ["blocked_address"]
        found = crawl(tmp_path / "out", site.url, requisites=True, allow_private=True)
        assert {row["url"]: row["reason"] for row in found.ledger} == {
            site.url: "",
            site.at("127.0.0.2", "/x.png"): "requisite",
            site.at("127.0.0.2", "/page"): "host",
        }


def test_robots_and_the_user_may_refuse_them(site: Site, tmp_path: Path) -> None:
    shown_site(site)
    site.pages["/robots.txt"] = Reply("User-agent: *\nDisallow: /a", headers={"Content-Type": "text/plain"})
    found = crawl(tmp_path / "out", site.url, requisites=True, exclude=[r"\.js$"], include=["/b$"])
    assert fetched(site) == {"/", "/b", "/s.css", "/t.css", "/bg.png", "/f.woff2"}
    assert states(found)["/a.png"] == "robots"
    assert reasons(found)["/s.js"] == r"exclude \.js$"


def test_they_do_not_use_up_a_limit_on_pages(site: Site, tmp_path: Path) -> None:
    pages = 30
    site.pages["/"] = links(*(f"/{number}" for number in range(pages)))
    for number in range(pages):
        images = "".join(f"<img src=/{number}-{image}.png>" for image in range(5))
        site.pages[f"/{number}"] = f"<title>{number}</title><link rel=stylesheet href=/{number}.css>{images}"
        site.pages[f"/{number}.css"] = sheet(f"a {{ b: url(/{number}-bg.png) }}")
    site.pages["/*"] = PICTURE
    found = crawl(tmp_path / "out", site.url, requisites=True, max_pages=11)
    summary = found.status()
    assert (summary.pages, summary.requisites, summary.stop_reason) == (11, 10 * 7, "max_pages")
    app.resume(tmp_path / "out", max_pages=21)
    summary = opened(tmp_path / "out").status()
    assert (summary.pages, summary.requisites, summary.stop_reason) == (21, 20 * 7, "max_pages")


@pytest.mark.parametrize("options", [{"max_pages": 3}, {"max_pages": 3, "depth": 5}, {"depth": 1}, {"workers": 2}])
def test_a_page_that_was_fetched_has_all_that_it_needs(site: Site, tmp_path: Path, options: dict[str, int]) -> None:
    for number in range(6):
        site.pages[f"/{number or ''}"] = f"<img src=/{number}.png><a href=/{number + 1}>next</a><title>{number}</title>"
        site.pages[f"/{number}.png"] = PICTURE
    found = crawl(tmp_path / "out", site.url, requisites=True, **options)
    images = {path for path, reason in reasons(found).items() if reason == "requisite"}
    assert images == {f"/{path[1:] or 0}.png" for path in paths(found)}
    assert len(images) >= 2


def test_a_best_first_crawl_fetches_them_too(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<img src=/0.png>" + links(*(f"/{number}" for number in range(1, 9)))
    for number in range(1, 9):
        site.pages[f"/{number}"] = f"<title>heat pumps {number}</title><img src=/{number}.png><p>heat pumps"
    site.pages["/*"] = PICTURE
    options = {**FAST, "requisites": True, "max_pages": 4, "topic": "heat pumps", "output": str(tmp_path / "out")}
    app.start(make_job("focus", [site.url], **options))
    found = opened(tmp_path / "out")
    assert (found.status().pages, found.status().requisites) == (4, 4)
    assert all("png" not in row["url"] for row in found.frame("matched"))


@pytest.mark.filterwarnings("ignore:no page matches")  # they all say the same
@pytest.mark.parametrize("mode", ["site", "focus"])
def test_whoever_reads_pages_along_gets_pages_alone(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(page_stream, "_AHEAD", 1)
    site.pages["/"] = "<img src=/0.png>" + links(*(f"/{number}" for number in range(1, 9)))
    for number in range(1, 9):
        site.pages[f"/{number}"] = f"<title>heat pumps {number}</title><img src=/{number}.png><p>heat pumps"
    site.pages["/*"] = PICTURE
    topic = {"topic": "heat pumps"} if mode == "focus" else {}
    options = {**FAST, "requisites": True, "concurrency": 2, "output": str(tmp_path / "out"), **topic}
    read = []
    stream: Any = dowse.stream
    with stream(site.url, mode=mode, **options) as pages:
        for page in pages:
            time.sleep(0.1)  # so that the crawl has to wait
            read.append(path_of(page.url))
    assert sorted(read) == ["/", *(f"/{number}" for number in range(1, 9))]
    assert opened(tmp_path / "out").status().requisites == 9


def test_they_are_no_files_and_no_kept_links(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<link rel=stylesheet href=/s.css><img src=/a.png><a href=/list>list</a><a href=/picture>picture</a>",
        "/list": "<img src=/b.png><a href=/c.png>c</a><a href=/d.pdf>d</a>",
        "/s.css": sheet("a { b: url(bg.png) }"),
        "/d.pdf": Reply(b"%PDF-1.4", headers={"Content-Type": "application/pdf"}),
    }
    for number, path in enumerate(("/a.png", "/b.png", "/c.png", "/bg.png", "/picture")):
        site.pages[path] = Reply(b"\x89PNG\r\n\x1a\n" + bytes(20 + number), headers={"Content-Type": "image/png"})
    options = {**FAST, "requisites": True}
    app.start(make_job("files", [site.url], type=["png"], output=str(tmp_path / "files"), **options))
    found = opened(tmp_path / "files")
    files = {row["url"].rpartition("/")[2] for row in found.frame("files")}
    assert files == {"a.png", "b.png", "c.png", "picture"}, (
        "images are files that are asked for, but not those of styles"
    )
    assert {path for path, reason in reasons(found).items() if reason == "requisite"} == {"/s.css", "/bg.png"}
    table = tmp_path / "rules.csv"
    rows = (f"{site.url},follow,base,list,/list$", f"{site.url},keep,list,,pdf$")
    table.write_text("\n".join(("baseURL,ruleType,fromType,toType,pattern", *rows)))
    app.start(make_job("rules", (), table=str(table), output=str(tmp_path / "rules"), **options))
    found = opened(tmp_path / "rules")
    assert [row["url"] for row in found.frame("kept")] == [f"{site.url}d.pdf"]
    assert (paths(found), found.status().requisites) == (["/", "/list"], 4)


def test_redirects_and_links_lead_to_images(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<a href=/picture>a picture</a><img src=/old.png><a href=/b>b</a>",
        "/b": "<img src=/picture><a href=/new.png>large</a>",
        "/old.png": Reply(status=302, headers={"Location": "/new.png"}),
        **dict.fromkeys(("/picture", "/new.png"), PICTURE),
    }
    found = crawl(tmp_path / "out", site.url, requisites=True)
    assert reasons(found) == {
        "/": "", "/b": "", "/picture": "requisite", "/old.png": "redirect", "/new.png": "requisite",
    }  # fmt: skip
    assert paths(found) == ["/", "/b"]
    again = opened(tmp_path / "out").status()
    app.recrawl(tmp_path / "out")
    assert opened(tmp_path / "out").status().requisites == again.requisites == 2
    assert paths(opened(tmp_path / "out")) == ["/", "/b"]


def test_a_frame_is_shown_and_not_followed(tmp_path: Path) -> None:
    with Site(addresses=("127.0.0.1", "127.0.0.2")) as site:
        site.pages |= {"/x": "<title>frame</title><img src=/in.png><a href=/deeper>", "/in.png": PICTURE}
        site.pages["/"] = f"<iframe src={site.at('127.0.0.2', '/x')}></iframe>"
        found = crawl(tmp_path / "out", site.url, requisites=True, allow_private=True)
        assert sorted(site.paths()) == ["/", "/in.png", "/x"]
        assert paths(found) == ["/"]
        assert [page.url for page in found.stored_pages()] == [site.url]


def test_style_sheets_that_import_each_other_come_to_an_end(site: Site, tmp_path: Path) -> None:
    def endless(request: Request) -> Reply:
        number = int(request.path[5:-4]) + 1
        return sheet(f"@import '/css/{number}.css';")

    site.pages |= {"/": "<link rel=stylesheet href=/css/0.css>", "/css/*": endless}
    found = crawl(tmp_path / "out", site.url, requisites=True)
    assert found.status().requisites == DEEPEST_REQUISITE + 1
    assert "trap: nested requisites" in reasons(found).values()


def test_only_pages_that_are_stored_need_them(site: Site, tmp_path: Path) -> None:
    shown_site(site)
    found = crawl(tmp_path / "out", site.url, requisites=True, store_only=["/b$"])
    assert fetched(site) == {"/", "/b", "/a.png", "/s.js"}
    assert {row["url"].rpartition("/")[2] for row in found.bodies} - {"robots.txt"} == {"b", "a.png", "s.js"}


def test_a_crawl_cannot_begin_to_want_them(site: Site, tmp_path: Path) -> None:
    shown_site(site)
    crawl(tmp_path / "out", site.url)
    with pytest.raises(JobError, match="requisites: cannot be changed in a crawl that has begun"):
        app.resume(tmp_path / "out", requisites=True)
