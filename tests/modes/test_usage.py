"""What pages may be used for: read from robots.txt, headers and tags, written down, and obeyed by a job with a use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dowse as dowse_package
from dowse import app
from dowse.app import Crawl
from dowse.config import make_job
from dowse.core.errors import JobError
from tests.crawling import crawl, links, opened, path_of, paths, states
from tests.processes import dowse
from tests.servers import Page, Reply, Site

Serve = Callable[..., Site]

HTML = {"Content-Type": "text/html"}

SAYING: dict[str, Page] = {
    "/usage": Reply("<p>usage" + links("/behind"), headers={**HTML, "Content-Usage": "train-ai=n, search=y"}),
    "/signal": Reply("<p>signal", headers={**HTML, "Content-Signal": "ai-train=no"}),
    "/tag": Reply("<p>tag", headers={**HTML, "X-Robots-Tag": "noai, noimageai"}),
    "/other": Reply("<p>other", headers={**HTML, "X-Robots-Tag": "otherbot: noai"}),
    "/meta": "<meta name=Robots content='noarchive, noai'><p>meta",
    "/reserved": Reply("<p>reserved", headers={**HTML, "tdm-reservation": "1"}),
    "/reserving": "<meta name=tdm-reservation content=1><p>reserving",
    "/free": Reply("<p>free", headers={**HTML, "tdm-reservation": "0"}),
    "/broken": Reply("<p>broken", headers={**HTML, "Content-Usage": "Train-AI=n"}),
    "/behind": "<p>behind",
    "/drawing": Reply(b"\x89PNG\r\n\x1a\n", headers={"Content-Type": "image/png", "X-Robots-Tag": "noimageai"}),
}
NO_AI = "ai-use=n, train-ai=n"


@pytest.fixture
def saying(site: Site) -> Site:
    site.pages |= {"/": links(*SAYING), **SAYING}
    return site


def usage(folder: Path) -> dict[str, str]:
    return {path_of(row["url"]): row["usage"] for row in opened(folder).pages if row["usage"]}


def test_it_is_written_down_for_each_page(saying: Site, tmp_path: Path) -> None:
    crawl(tmp_path / "out", saying.url, media_types=("*/*",), skip_extensions=("x",))
    assert usage(tmp_path / "out") == {
        "/usage": "search=y, train-ai=n", "/signal": "train-ai=n", "/tag": NO_AI, "/meta": NO_AI,
        "/reserved": NO_AI, "/reserving": NO_AI, "/drawing": NO_AI,
    }  # fmt: skip
    assert {path_of(row["url"]): row["usage"] for row in opened(tmp_path / "out").ledger}["/tag"] == NO_AI
    table = dowse("export", tmp_path / "out", "pages", "--to", "csv").out
    assert '"search=y, train-ai=n"' in table


def test_pages_that_forbid_the_use_are_fetched_and_not_kept(saying: Site, tmp_path: Path) -> None:
    fields = ["words=//p"]
    found = crawl(tmp_path / "out", saying.url, use=["train-ai"], extract=fields, exclude=["/drawing"])
    assert set(paths(found)) == {"/", "/other", "/free", "/broken", "/behind"}, "links of a page that is not kept count"
    forbidden = {"/usage", "/signal", "/tag", "/meta", "/reserved", "/reserving"}
    assert {path for path, state in states(found).items() if state == "robots"} == forbidden
    assert not forbidden & {path_of(row["url"]) for row in found.bodies}
    assert not forbidden & {path_of(row["url"]) for row in found.records}
    assert set(saying.paths()) >= forbidden
    story = found.why(saying.url + "usage")
    assert story is not None
    assert (story.reason, story.visits[-1]["failure"]) == ("usage", "usage")
    assert story.visits[-1]["detail"] == "Content-Usage: train-ai=n, search=y"
    said = dowse("why", tmp_path / "out", saying.url + "tag").out
    assert "refused by robots (usage)" in said
    assert "X-Robots-Tag: noai" in said


def test_what_is_wanted_for_something_else_is_kept(saying: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path, saying.url, use=["search"])
    assert set(paths(found)) == {"/", *SAYING} - {"/drawing"}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("lines", "use", "kept", "line"),
    [
        ("Content-Signal: search=yes, ai-train=no", "train-ai", [], "Content-Signal: / search=yes, ai-train=no"),
        ("Content-Signal: search=yes, ai-train=no", "search", ["/", "/ok/a", "/b"], ""),
        ("Content-Signal: ai-input=no", "ai-use", [], "Content-Signal: / ai-input=no"),
        ("Content-Usage: ai-use=n\nContent-Usage: / ai-use=y", "ai-use", [], "Content-Usage: / ai-use=n, ai-use=y"),
        ("Content-Usage: /b train-ai=n", "train-ai", ["/", "/ok/a"], "Content-Usage: /b train-ai=n"),
        ("Content-Usage: /b train-ai=n", "search", ["/", "/ok/a", "/b"], ""),
        ("Content-Usage: /*b$ search=n", "search", ["/", "/ok/a"], "Content-Usage: /*b$ search=n"),
    ],
)  # fmt: skip
def test_what_robots_txt_forbids_the_use_of_is_not_fetched(
    serve: Serve, tmp_path: Path, lines: str, use: str, kept: list[str], line: str, workers: int
) -> None:
    site = serve({"/": links("/ok/a", "/b"), "/ok/a": "a", "/b": "b", "/robots.txt": f"User-agent: *\n{lines}\n"})
    found = crawl(tmp_path, site.url, use=[use], workers=workers)
    assert sorted(paths(found)) == sorted(kept)
    assert sorted(set(site.paths())) == sorted(kept)
    refused = [row for row in found.ledger if row["state"] == "robots"]
    assert {row["detail"] for row in refused} == ({line} if line else set())


def test_the_example_of_the_draft(serve: Serve, tmp_path: Path) -> None:
    """draft-ietf-aipref-attach-05, figure 2."""
    text = (
        "User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n\n"
        "User-Agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n"
    )
    wanted = ("/test", "/never/test", "/ai-ok/test")
    site = serve({"/": links(*wanted), "/robots.txt": text, **dict.fromkeys(wanted, "x")})
    crawl(tmp_path / "all", site.url, dedup="off")
    assert usage(tmp_path / "all") == {"/": "train-ai=n", "/test": "train-ai=n", "/ai-ok/test": "train-ai=y"}
    crawl(tmp_path / "named", site.url, dedup="off", user_agent="ExampleBot/1.0")
    assert usage(tmp_path / "named") == dict.fromkeys(("/", *wanted), "train-ai=y")


def test_the_use_must_be_one_that_sites_speak_of(site: Site, tmp_path: Path) -> None:
    with pytest.raises(JobError, match="use: expected search, ai-use or train-ai, got 'fun'"):
        make_job("site", site.url, use="fun")
    with pytest.raises(JobError, match="use: expected train-ai, got 'ai-train'"):
        make_job("site", site.url, use="ai-train")
    with pytest.raises(JobError, match=r"use: .*leave out robots = ignore"):
        crawl(tmp_path / "rude", site.url, use="search", robots="ignore")
    site.pages["/"] = "hello"
    crawl(tmp_path / "out", site.url, use="search")
    with pytest.raises(JobError, match="use: cannot be changed"):
        app.resume(tmp_path / "out", use="train-ai")


def test_other_modes_keep_nothing_of_such_pages_either(serve: Serve, tmp_path: Path) -> None:
    fish = "<title>fish</title><h1>fish</h1><p>fish and more fish</p>"
    paper = Reply(b"%PDF-1.4", headers={"Content-Type": "application/pdf"})
    no_paper = Reply(b"%PDF-1.5", headers={"Content-Type": "application/pdf", "Content-Usage": "train-ai=n"})
    site = serve({
        "/": fish + links("/yes", "/no", "/yes.pdf", "/no.pdf"),
        "/yes": fish + links("/more"), "/no": Reply(fish + links("/behind"), headers={**HTML, "X-Robots-Tag": "noai"}),
        "/more": fish + "more", "/behind": fish + "behind", "/yes.pdf": paper, "/no.pdf": no_paper,
    })  # fmt: skip
    focus = opened_after(tmp_path / "focus", "focus", site.url, "fish", use="train-ai", dedup="off")
    assert {"/", "/yes", "/behind"} <= set(paths(focus))
    assert "/no" not in paths(focus)
    files = opened_after(tmp_path / "files", "files", site.url, use="train-ai", type="pdf", dedup="off")
    assert {path_of(row["url"]) for row in files.files} == {"/yes.pdf"}
    assert [path.name for path in (tmp_path / "files" / "files").rglob("*.pdf")] == ["yes.pdf"]
    table = tmp_path / "rules.csv"
    table.write_text(f"baseURL,ruleType,fromType,toType,pattern\n{site.url},follow,base,base,/\n", encoding="utf-8")
    rules = opened_after(tmp_path / "rules", "rules", str(table), use="train-ai", dedup="off")
    assert "/behind" in paths(rules)
    assert "/no" not in paths(rules)


def opened_after(folder: Path, mode: str, *start: str, **options: Any) -> Crawl:
    """A crawl of a mode, with what its ledger must be."""
    getattr(dowse_package, mode)(*start, output=str(folder), delay=0.0, **options)
    return opened(folder)
