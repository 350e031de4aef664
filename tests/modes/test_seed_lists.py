"""Seeds from a file, from standard input, and more of them later."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import dump_job, load_job, make_job
from dowse.core.errors import JobError
from dowse.core.model import Request
from dowse.store.crawl_store import CrawlStore
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, paths, states
from tests.ruling import follow, write_table
from tests.servers import Site
from tests.webs import HOSTS

QUICK = ("--delay", "0", "--quiet")


@pytest.fixture
def pages(site: Site) -> Site:
    """Three pages that nothing links to, and one that a page of theirs links to."""
    site.pages.update({"/a": links("/inner"), "/b": "b", "/c": "c", "/inner": "inner"})
    return site


def list_of(folder: Path, *lines: str) -> Path:
    path = folder / "urls.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(JobError) as caught:
        make_job(*arguments, **options)
    return str(caught.value)


# What a list says


def test_a_list_has_one_url_a_line(tmp_path: Path) -> None:
    file = list_of(tmp_path, "\ufeff# two hosts", "", "  https://a.example/  ", "b.example", "#c.example", "a.example/")
    job = make_job("site", "https://first.example/#top", seeds_from=file)
    assert job.seeds == ("https://first.example/#top", "https://a.example/", "https://b.example")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not one", "line 3: 'not one' is not a URL; write it like example.org or"),
        ("ftp://a.example/", "line 3: 'ftp://a.example/': only http and https can be crawled"),
        ("http://me:secret@a.example/", "line 3: a URL must not hold a user name or a password"),
        ("http://a.example/\x1b[2J", "line 3: control characters are not allowed"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    file = list_of(tmp_path, "# a comment", "a.example", line)
    refused = refusal("site", (), seeds_from=str(file))
    assert refused.startswith(f"{file}, {message}")
    assert "secret" not in refused


def test_a_list_that_is_no_text_or_not_there(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    assert refusal("site", (), seeds_from=str(file)) == f"seeds_from: {file}: No such file or directory"
    file.write_bytes(b"a.example\nhttp://b.example/\xff\n")
    assert refusal("site", (), seeds_from=file) == f"{file}, line 2: not a text in UTF-8 (byte 18 of the line)"
    assert refusal("site", (), seeds_from=5) == "seeds_from: expected the name of a file, got 5"
    list_of(tmp_path, "# nothing yet")
    assert refusal("site", (), seeds_from=file).startswith(f"seeds: there are none in {file}; name at least one")


def test_a_mode_that_begins_elsewhere_takes_no_list(tmp_path: Path) -> None:
    refused = refusal("rules", (), table="rules.csv", seeds_from=list_of(tmp_path, "a.example"))
    assert refused == "seeds_from: mode = rules takes no seeds; it begins where its table says"


# Crawls that begin with one


def test_the_command_takes_a_file_beside_its_urls(
    pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = list_of(tmp_path, f"{pages.url}a", f"{pages.url}b")
    ended = invoke(capsys, "site", f"{pages.url}c", "-i", file, "-o", tmp_path / "out", *QUICK)
    assert (ended.code, ended.err) == (0, "")
    assert sorted(paths(opened(tmp_path / "out"))) == ["/a", "/b", "/c", "/inner"]


def test_without_any_seed_the_command_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    ended = invoke(capsys, "site")
    assert ended.code == 2
    assert "seeds: there are none; name at least one URL to start from" in ended.err


def test_an_empty_name_of_a_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    ended = invoke(capsys, "site", "example.org", "-o", "")
    assert (ended.code, "output: expected the name of a folder" in ended.err) == (2, True)


def test_a_list_from_standard_input(pages: Site, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "dowse", "site", "-i", "-", "-o", str(tmp_path / "out"), *QUICK]
    text = f"{pages.url}b\n\n# the last\n{pages.url}c\n"
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(paths(opened(tmp_path / "out"))) == ["/b", "/c"]
    done = subprocess.run(words, input="what\n", capture_output=True, text=True, timeout=60, check=False)
    assert "standard input, line 1: 'what' is not a URL" in done.stderr


def test_in_python_a_list_may_be_all_there_is(pages: Site, tmp_path: Path) -> None:
    found = dowse.site(seeds_from=list_of(tmp_path, f"{pages.url}b"), output=str(tmp_path / "out"), delay=0.0)
    assert paths(found) == ["/b"]


def test_a_job_file_names_a_list_and_the_job_holds_its_urls(
    pages: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A saved job has the URLs themselves: what came from standard input is nowhere else."""
    monkeypatch.chdir(tmp_path)
    list_of(tmp_path, f"{pages.url}b")
    job_file = tmp_path / "job.toml"
    job_file.write_text(f'mode = "site"\nseeds = ["{pages.url}a"]\nseeds_from = "urls.txt"\ndepth = 0\n')
    job = load_job(job_file)
    assert job.seeds == (f"{pages.url}a", f"{pages.url}b")
    saved = tmp_path / "saved.toml"
    saved.write_text(dump_job(job))
    assert load_job(saved) == job
    other = tmp_path / "more.txt"
    other.write_text(f"{pages.url}c\n")
    assert invoke(capsys, "run", "job.toml", "-i", other, "-o", "out", *QUICK).code == 0
    assert sorted(paths(opened(Path("out")))) == ["/a", "/c"]


# More of them later


def test_a_crawl_gets_more_seeds_and_keeps_them(
    pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(tmp_path / "out", f"{pages.url}b")
    file = list_of(tmp_path, f"{pages.url}c")
    ended = invoke(capsys, "resume", tmp_path / "out", "--seed", f"{pages.url}a", "-i", file, *QUICK)
    assert (ended.code, ended.err) == (0, "")
    found = opened(tmp_path / "out")
    assert sorted(paths(found)) == ["/a", "/b", "/c", "/inner"]
    assert found.job.seeds == tuple(f"{pages.url}{name}" for name in ("b", "a", "c"))
    asked = len(pages.asked())
    dowse.resume(str(tmp_path / "out"))
    assert len(pages.asked()) == asked, "there is nothing left to ask for"


def test_a_seed_brings_its_host_into_scope(serve: Any, tmp_path: Path) -> None:
    """What was found there before and refused is fetched as well."""
    web = serve(addresses=HOSTS[:2])
    other = web.at(HOSTS[1], "/named"), web.at(HOSTS[1], "/linked")
    web.pages.update({f"//{HOSTS[0]}/": links(*other), "/named": "named", "/linked": "linked"})
    assert states(crawl(tmp_path, web.at(HOSTS[0])))["/linked"] == "out_of_scope"
    app.resume(tmp_path, seeds=other[0], **FAST)
    found = opened(tmp_path)
    assert states(found) == {"/": "fetched", "/named": "fetched", "/linked": "fetched"}
    story = found.why(other[0])
    assert story is not None
    assert story.depth == 0


def test_a_seed_is_taken_that_the_rules_had_refused(pages: Site, tmp_path: Path) -> None:
    pages.pages["/"] = links("/a")
    assert states(crawl(tmp_path, pages.url, exclude="/a$"))["/a"] == "out_of_scope"
    app.resume(tmp_path, seeds=[f"{pages.url}a"], **FAST)
    assert states(opened(tmp_path))["/inner"] == "fetched"


def test_a_seed_that_is_known_is_not_fetched_again(pages: Site, tmp_path: Path) -> None:
    crawl(tmp_path, f"{pages.url}a")
    before = len(pages.asked())
    app.resume(tmp_path, seeds=[f"{pages.url}inner"], **FAST)
    assert len(pages.asked()) - before <= 1, "at most robots.txt"


def test_a_crawl_by_rules_gets_no_seeds(tmp_path: Path, pages: Site) -> None:
    table = str(tmp_path / "rules.csv")
    write_table(tmp_path / "rules.csv", follow(f"{pages.url}a", "base>inner", "/inner"))
    app.start(make_job("rules", (), table=table, output=str(tmp_path / "out"), **FAST))
    with pytest.raises(JobError, match="seeds: mode = rules takes no seeds; it begins where its table says"):
        app.resume(tmp_path / "out", seeds=[pages.url])


@pytest.mark.parametrize("option", [{"seeds": ["b.example"]}, {"seeds_from": "urls.txt"}])
def test_other_commands_take_no_seeds(pages: Site, tmp_path: Path, option: dict[str, Any]) -> None:
    crawl(tmp_path, f"{pages.url}b")
    for act in (app.retry, app.recrawl):
        with pytest.raises(JobError, match="taken by a new crawl, which has seeds as its first argument, and by dowse"):
            act(tmp_path, **option)


def test_a_mode_that_begins_elsewhere_still_needs_to_be_told_where() -> None:
    with pytest.raises(TypeError, match="needs its table as the first argument"):
        dowse.rules()  # type: ignore[call-arg]


def test_all_urls_of_a_long_list_are_taken_in_at_once(
    pages: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    add_seeds = CrawlStore.add_seeds

    def counted(store: CrawlStore, requests: Sequence[Request], *arguments: Any, **options: Any) -> None:
        calls.append(len(requests))
        add_seeds(store, requests, *arguments, **options)

    monkeypatch.setattr(CrawlStore, "add_seeds", counted)
    file = list_of(tmp_path, *(f"{pages.url}page/{number}" for number in range(2_000)))
    pages.pages["/page/*"] = lambda request: f"page {request.path}"
    found = dowse.site(seeds_from=file, output=str(tmp_path / "out"), max_pages=3, **FAST)
    assert found.status().counts["not_reached"] == 1_997
    assert len(dowse.resume(str(tmp_path / "out"), max_pages=6).pages) == 6
    assert calls == [2_000, 2_000]
