"""Functions of the user in a crawl: which links are followed, what is taken from pages, what their mistakes cost."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.engine.callbacks import REFUSED, UNDECIDED, FoundLink
from dowse.parse.page import Page
from tests.commands import invoke
from tests.crawling import FAST, check_ledger, links, path_of, reasons, states
from tests.processes import dowse as command
from tests.ruling import follow, write_table
from tests.servers import Reply, Site

MODULE = "tests.modes.test_callbacks"


@pytest.fixture
def site(serve: Callable[..., Site]) -> Site:
    return serve({
        "/": links("/a", "/b", "/private/c"),
        "/a": links("/d"),
        "/b": links("/private/e"),
        "/d": "<title>d</title><h1>The last</h1>",
        "/private/c": links("/private/f"),
        "/private/e": "e",
        "/private/f": "f",
    })  # fmt: skip


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the user, and nobody else's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def is_public(link: FoundLink) -> bool:
    return "/private/" not in link.url


def take(page: Page) -> dict[str, Any]:
    return {"title": page.title, "links": len(page.links)}


def fail_on_a(page: Page) -> dict[str, Any]:
    if page.url.endswith("/a"):
        raise ValueError("a is not for me")
    return {"title": page.title}


# Links


def test_a_link_that_the_function_refuses_is_in_the_ledger_with_its_reason(site: Site, tmp_path: Path) -> None:
    crawl = dowse.site(site.url, follow=lambda link: "/private/" not in link.url, output=str(tmp_path / "out"), **FAST)
    check_ledger(crawl)
    assert {path: state for path, state in states(crawl).items() if state != "fetched"} == {
        "/private/c": "out_of_scope",
        "/private/e": "out_of_scope",
    }
    assert {reason for reason in reasons(crawl).values() if reason} == {REFUSED}
    story = crawl.why("/private/c")
    assert story is not None
    assert story.reason == REFUSED
    told = command("why", tmp_path / "out", "/private/c").out
    assert "out of scope (follow said no)" in told
    assert not [path for path in site.paths() if path.startswith("/private")]


def test_a_link_comes_with_its_words_its_depth_and_its_page(site: Site, tmp_path: Path) -> None:
    seen: list[FoundLink] = []

    def note(link: FoundLink) -> bool:
        seen.append(link)
        return True

    dowse.site(site.url, follow=note, output=str(tmp_path / "out"), **FAST)
    found = next(link for link in seen if link.url.endswith("/d"))
    assert (found.anchor, found.depth) == ("to /d", 2)
    assert found.page is not None
    assert found.page.url.endswith("/a")


def test_entries_of_sitemaps_are_asked_about_and_sitemaps_are_not(site: Site, tmp_path: Path) -> None:
    entries = "".join(f"<url><loc>{site.url}{name}</loc></url>" for name in ("listed", "private/listed"))
    site.pages |= {
        "/robots.txt": f"Sitemap: {site.url}map.xml",
        "/map.xml": Reply(f"<urlset>{entries}</urlset>", headers={"content-type": "application/xml"}),
        "/listed": "listed",
    }
    asked: list[str] = []

    def note(link: FoundLink) -> bool:
        asked.append(path_of(link.url))
        return is_public(link)

    crawl = dowse.site(site.url, follow=note, output=str(tmp_path / "out"), **FAST)
    assert reasons(crawl)["/private/listed"] == REFUSED
    assert states(crawl)["/listed"] == "fetched"
    assert "/map.xml" not in asked


def test_every_mode_asks(site: Site, tmp_path: Path) -> None:
    pdf = Reply(b"%PDF-1.4", headers={"content-type": "application/pdf"})
    site.pages |= {"/": links("/a", "/private/c", "/x.pdf", "/private/y.pdf"), "/x.pdf": pdf, "/private/y.pdf": pdf}
    options: dict[str, Any] = {"follow": is_public, "on_page": take, **FAST}
    focused = dowse.focus(site.url, "links", output=str(tmp_path / "focus"), **options)
    files = dowse.files(site.url, type="pdf", output=str(tmp_path / "files"), **options)
    rows = [follow(site.url, "base>any"), follow(site.url, "any>any")]
    ruled = dowse.rules(write_table(tmp_path / "rules.csv", *rows), output=str(tmp_path / "rules"), **options)
    for crawl in (focused, files, ruled):
        assert reasons(crawl)["/private/c"] == REFUSED
        assert {row["title"] for row in crawl.records} >= {"links", "d"}


# Records


def test_what_the_function_returns_are_records(site: Site, tmp_path: Path) -> None:
    crawl = dowse.site(site.url, follow=is_public, on_page=take, output=str(tmp_path / "out"), **FAST)
    assert {path_of(row["url"]): (row["title"], row["links"]) for row in crawl.records} == {
        "/": ("links", 3), "/a": ("links", 1), "/b": ("links", 1), "/d": ("d", 0),
    }  # fmt: skip
    assert len(crawl.records_of("on_page")) == 4
    ended = command("export", tmp_path / "out", "records", "--kind", "on_page", "--to", "jsonl")
    assert len(ended.out.splitlines()) == 4


@pytest.mark.parametrize(
    ("taken", "number"),
    [(None, 0), ([], 0), ({}, 1), ([{"a": 1}, {"a": 2}], 2), (({"a": n} for n in range(3)), 3)],
    ids=["nothing", "none", "one", "a list", "a generator"],
)
def test_none_one_or_many_records(site: Site, tmp_path: Path, taken: Any, number: int) -> None:
    crawl = dowse.site(site.url, depth=0, on_page=lambda page: taken, output=str(tmp_path / "out"), **FAST)
    assert len(crawl.records) == number


def test_a_page_has_html_text_headers_and_what_extractors_took(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = Reply(
        "<title>t</title><h1>Head</h1><p>words", headers={"x-by": "me", "content-type": "text/html"}
    )

    def take_all(page: Page) -> dict[str, Any]:
        (record,) = page.records
        return {
            "html": page.html, "text": page.text, "by": page.headers["x-by"], "status": page.status,
            "heading": record.fields["heading"],
        }  # fmt: skip

    options: dict[str, Any] = {"output": str(tmp_path / "out"), **FAST}
    crawl = dowse.site(site.url, extract="heading=//h1", on_page=take_all, **options)
    (row,) = crawl.records_of("on_page")
    assert (row["by"], row["status"], row["heading"]) == ("me", 200, "Head")
    assert row["html"].startswith("<title>t")
    assert "words" in row["text"]
    crawl.extract(extract="other=//title")
    assert len(crawl.records_of("on_page")) == 1, "a new reading of fields is no reason to lose other records"


# Mistakes


def test_an_exception_costs_its_page_and_nothing_else(site: Site, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"1 page failed in your own code: on_page: ValueError: a is not for me \("):
        crawl = dowse.site(site.url, on_page=fail_on_a, output=str(tmp_path / "out"), **FAST)
    check_ledger(crawl)
    assert (states(crawl)["/a"], reasons(crawl)["/a"]) == ("failed", "callback")
    assert states(crawl)["/d"] == "fetched", "the links of the page are followed"
    story = crawl.why("/a")
    assert story is not None
    assert story.visits[-1]["detail"].startswith("on_page: ValueError: a is not for me (test_callbacks.py, line ")
    assert len(crawl.records) == 6


def test_a_retry_with_a_function_that_works_has_all(site: Site, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with pytest.warns(UserWarning, match="failed in your own code"):
        dowse.site(site.url, on_page=fail_on_a, output=out, **FAST)
    crawl = dowse.retry(out, on_page=take)
    check_ledger(crawl)
    assert set(states(crawl).values()) == {"fetched"}
    assert len(crawl.records) == 7
    assert crawl.troubles == []


def test_a_function_that_never_works_does_not_cost_the_whole_site(site: Site, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with pytest.warns(UserWarning, match="1 page failed in your own code: on_page: ZeroDivisionError"):
        crawl = dowse.site(site.url, on_page=lambda page: 1 / 0, output=out, **FAST)  # type: ignore[arg-type, return-value]
    assert states(crawl) == {"/": "failed"}
    dowse.retry(out, on_page=take)
    assert len(dowse.resume(out, on_page=take).records) == 7


def test_a_page_that_came_is_not_said_to_be_unfetched(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, out = tmp_path / "broken.py", tmp_path / "out"
    script.write_text("def take(page):\n    return 1 / 0\n", encoding="utf-8")
    ended = invoke(capsys, "site", site.url, "--on-page", f"{script}:take", "-o", out, "--delay", "0")
    assert ended.code == 1
    last = ended.err.splitlines()[-1]
    assert last.startswith(f"dowse: error: no page could be read: {site.url}: failed, callback, on_page: ZeroDivision")
    assert last.endswith(f"(broken.py, line 2); mend your code, then: dowse retry {out}")


def test_a_link_filter_that_fails_costs_its_page(site: Site, tmp_path: Path) -> None:
    site.pages["/b"] = links("/private/e", "/g")
    site.pages["/g"] = "g"

    def fail_on_e(link: FoundLink) -> bool:
        if link.url.endswith("/private/e"):
            raise KeyError("e")
        return True

    out = str(tmp_path / "out")
    with pytest.warns(UserWarning, match="follow: KeyError: 'e'"):
        crawl = dowse.site(site.url, follow=fail_on_e, output=out, **FAST)
    assert (states(crawl)["/b"], reasons(crawl)["/private/e"]) == ("failed", UNDECIDED)
    assert states(crawl)["/g"] == "fetched"
    crawl = dowse.retry(out, follow=lambda link: True)
    assert states(crawl)["/private/e"] == "not_reached"
    assert states(dowse.resume(out, follow=lambda link: True))["/private/e"] == "fetched"


def coroutine(page: Page) -> Any:
    async def inner() -> None: ...

    made = inner()
    made.close()
    return made


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda page: 3, "on_page returned 3; it has to return a dict, a list of dicts, or nothing"),
        (lambda page: "text", "on_page returned 'text'; it has to return a dict"),
        (lambda page: [{}, 4], "on_page returned a list with 4; it has to be a list of dicts"),
        (lambda page: {"a": object()}, "on_page returned a record whose field 'a' cannot be kept"),
        (lambda page: {1: "a"}, "on_page returned a record whose field 1 is not named by a text"),
        (coroutine, r"on_page returned a coroutine \(write def, not async def\)"),
    ],
)
def test_what_is_no_record_is_told(site: Site, tmp_path: Path, function: Any, told: str) -> None:
    with pytest.warns(UserWarning, match=told):
        dowse.site(site.url, on_page=function, output=str(tmp_path / "out"), depth=0, **FAST)


def test_an_answer_that_is_neither_yes_nor_no_is_told(site: Site, tmp_path: Path) -> None:
    def forgets_to_answer(link: FoundLink) -> Any: ...

    with pytest.warns(UserWarning, match="follow returned None; it has to return True or False"):
        dowse.site(site.url, follow=forgets_to_answer, output=str(tmp_path / "out"), **FAST)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_slow_function_is_told_once(site: Site, tmp_path: Path, workers: int) -> None:
    script = tmp_path / "slow.py"
    script.write_text("import time\n\ndef wait(page):\n    time.sleep(1.1)\n", encoding="utf-8")
    words = ("--depth", "1", "--on-page", f"{script}:wait", "--delay", "0", "--workers", str(workers))
    ended = command("site", site.url, *words, "-o", tmp_path / "out")
    assert ended.code == 0
    assert ended.err.count("notice: on_page took more than 1 s for a page") == 1
    assert ("--workers" in ended.err) == (workers == 1), "who has several need not be told to take them"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("option", ["on_page", "follow", "wrap_fetcher"])
def test_a_function_that_wants_to_end_the_program_costs_its_page(
    site: Site, tmp_path: Path, option: str, workers: int
) -> None:
    script = tmp_path / "ends.py"
    script.write_text(
        """
import sys

def on_page(page):
    if page.url.endswith("/a"):
        sys.exit(3)

def follow(link):
    if link.page and link.page.url.endswith("/a"):
        sys.exit(3)
    return True

class wrap_fetcher:
    def __init__(self, fetcher):
        self._fetcher = fetcher

    async def fetch(self, request, sink=None):
        if request.url.endswith("/a"):
            sys.exit(3)
        return await self._fetcher.fetch(request, sink)
""",
        encoding="utf-8",
    )
    words = (f"--{option.replace('_', '-')}", f"{script}:{option}", "--delay", "0", "--workers", str(workers))
    ended = command("site", site.url, *words, "-o", tmp_path / "out")
    assert f"1 page failed in your own code: {option}: SystemExit: 3 (ends.py, line" in " ".join(ended.out.split())
    crawl = dowse.open(str(tmp_path / "out"))
    check_ledger(crawl)
    assert (states(crawl)["/a"], states(crawl)["/private/f"]) == ("failed", "fetched")


def test_a_mistake_is_looked_for_in_the_file_of_the_user(site: Site, tmp_path: Path) -> None:
    def reads_json(page: Page) -> Any:
        return json.loads(page.html)

    def wants_two(page: Page, other: Page) -> Any: ...

    for number, function in enumerate((reads_json, wants_two)):
        with pytest.warns(UserWarning, match="failed in your own code") as caught:
            dowse.site(site.url, on_page=function, output=str(tmp_path / str(number)), depth=0, **FAST)  # type: ignore[arg-type]
        told = str(caught[0].message)
        assert ("(test_callbacks.py, line" in told) == (function is reads_json)
        assert ".py, line" not in told.replace("test_callbacks.py, line", ""), "other files are not the user's to mend"


# Names


def test_names_on_the_command_line_and_in_a_job_file(site: Site, tmp_path: Path) -> None:
    script, job = tmp_path / "mine.py", tmp_path / "job.toml"
    script.write_text(
        "def keep(link):\n    return 'private' not in link.url\n\ndef take(page):\n    return {'title': page.title}\n",
        encoding="utf-8",
    )
    words = ("--follow", f"{script}:keep", "--on-page", f"{script}:take", "--delay", "0", "--workers", "2")
    saved = command("site", site.url, *words, "-o", tmp_path / "out", "--save", job)
    assert f'on_page = "{script}:take"' in job.read_text(encoding="utf-8"), saved.err
    ended = command("run", job, "--json", "--max-pages", "2")
    assert ended.code == 0, ended.err
    ended = command("resume", tmp_path / "out", "--max-pages", "0", "--json")
    assert ended.code == 0, ended.err
    crawl = dowse.open(str(tmp_path / "out"))
    assert len(crawl.records) == 4
    assert reasons(crawl)["/private/c"] == REFUSED


def test_a_resume_in_another_folder_finds_the_file(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("mine.py").write_text("def take(page):\n    return {'title': page.title}\n", encoding="utf-8")
    words = ("--on-page", "mine.py:take", "--max-pages", "2", "-o", "out", "--delay", "0")
    assert invoke(capsys, "site", site.url, *words).code == 0
    monkeypatch.chdir(tmp_path)
    ended = invoke(capsys, "resume", "here/out", "--max-pages", "0")
    assert ended.code == 0, ended.err
    assert len(dowse.open("here/out").records) == 7


def test_functions_of_a_module_go_to_worker_processes(site: Site, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import dowse
from tests.modes.test_callbacks import is_public

def take(page):
    return {{"title": page.title}}

if __name__ == "__main__":
    options = dict(workers=2, delay=0, output={str(tmp_path / "out")!r})
    crawl = dowse.site({site.url!r}, follow=is_public, on_page=take, **options)
    print(len(crawl.records), crawl.job.callbacks.follow, crawl.job.callbacks.on_page)
""",
        encoding="utf-8",
    )
    ended = run_script(script)
    assert ended == f"4 {MODULE}:is_public __main__:take\n"


def run_script(script: Path) -> str:
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": root},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_other_processes_cannot_have_a_lambda(site: Site, tmp_path: Path) -> None:
    with pytest.raises(
        dowse.JobError, match=r"follow: .*<lambda> of .* cannot be found by other processes; put a func"
    ):
        dowse.site(site.url, follow=lambda link: True, workers=2, output=str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_resume_asks_for_what_only_the_program_knew(site: Site, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    dowse.site(site.url, follow=lambda link: "/private/" not in link.url, output=out, max_pages=1, **FAST)
    with pytest.raises(dowse.JobError, match=r"follow: the crawl was begun with .*<lambda> of a Python program"):
        dowse.resume(out, max_pages=0)
    ended = command("resume", out)
    assert ended.code == 2
    assert "give it again, in Python as follow=..., else as FILE.py:NAME" in ended.err
    crawl = dowse.resume(out, max_pages=0, follow=is_public)
    assert reasons(crawl)["/private/c"] == REFUSED
    assert len(crawl.pages) == 4
    assert len(dowse.resume(out, max_pages=3).pages) == 4, "a name is imported again"


def test_without_the_filter_its_links_are_let_in(site: Site, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    dowse.site(site.url, follow=is_public, output=out, **FAST)
    crawl = dowse.resume(out, follow="")
    check_ledger(crawl)
    assert set(states(crawl).values()) == {"fetched"}
    assert states(crawl)["/private/c"] == "fetched"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("shop", r"follow: expected FILE.py:NAME or MODULE:NAME"),
        ("no_such_module:keep", "follow: no_such_module cannot be imported: ModuleNotFoundError"),
        (f"{MODULE}:nobody", f"follow: there is no nobody in {MODULE}"),
        (f"{MODULE}:MODULE", "is 'tests.modes.test_callbacks', not a function"),
        ("/nowhere/shop.py:keep", "follow: there is no file /nowhere/shop.py"),
        (7, "follow: expected a function, or its name as FILE.py:NAME or MODULE:NAME; got 7"),
    ],
)
def test_a_name_that_will_not_do_is_told_before_the_crawl(tmp_path: Path, value: Any, told: str) -> None:
    with pytest.raises(dowse.JobError, match=told):
        dowse.site("http://127.0.0.1:9/", follow=value, output=str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


# Strangers


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A file that says so when it is imported."""
    script = tmp_path / "trap.py"
    script.write_text(
        f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n\ndef take(page):\n    return {{'a': 1}}\n\n"
        "class Taker:\n    kinds = ('taken',)\n\n    def extract(self, page):\n        return []\n",
        encoding="utf-8",
    )
    return script


@pytest.mark.parametrize("option", ["on_page", "follow", "wrap_fetcher", "extractor"])
def test_the_folder_of_a_stranger_imports_nothing(
    site: Site, tmp_path: Path, trap: Path, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, out = tmp_path / "theirs", str(tmp_path / "out")
    monkeypatch.setenv("XDG_STATE_HOME", str(theirs))
    dowse.site(site.url, output=out, max_pages=1, **FAST)
    written(out, option, f"{trap}:Taker" if option == "extractor" else f"{trap}:take")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "mine"))
    crawl = dowse.open(out)
    crawl.report()
    acts: list[Callable[[], object]] = [
        lambda: dowse.resume(out),
        lambda: dowse.retry(out),
        lambda: dowse.recrawl(out),
    ]
    if option == "extractor":
        acts.append(lambda: crawl.extract(extract="t=//title"))
    for act in acts:
        with pytest.raises(dowse.JobError, match=f"not begun by you on this machine and asks for {option} = "):
            act()
    assert command("why", out, "/").code == 0
    assert command("export", out, "pages").code == 0
    assert not (tmp_path / "sprung").exists()


def written(out: str, option: str, reference: str) -> None:
    """Put a name into the job of a crawl, as a stranger would."""
    with closing(sqlite3.connect(Path(out) / "crawl.db")) as connection, connection:
        (text,) = connection.execute("SELECT value FROM meta WHERE name = 'job'").fetchone()
        job = json.loads(text)
        group, value = ("extract", [reference]) if option == "extractor" else ("callbacks", reference)
        job[group][option] = value
        connection.execute("UPDATE meta SET value = ? WHERE name = 'job'", (json.dumps(job),))


def test_with_the_word_of_the_user_it_is_imported(site: Site, tmp_path: Path, trap: Path) -> None:
    out = str(tmp_path / "out")
    dowse.site(site.url, output=out, max_pages=1, **FAST)
    written(out, "on_page", f"{trap}:take")
    crawl = dowse.resume(out, on_page=f"{trap}:take", max_pages=0)
    assert (tmp_path / "sprung").exists()
    assert len(crawl.records) == 6


def test_a_page_that_forbids_the_use_is_not_shown_with_its_links(site: Site, tmp_path: Path) -> None:
    site.pages["/a"] = Reply(links("/d"), headers={"Content-Type": "text/html", "Content-Usage": "train-ai=n"})
    seen: dict[str, bool] = {}

    def note(link: FoundLink) -> bool:
        seen[path_of(link.url)] = link.page is not None
        return True

    found = dowse.site(site.url, follow=note, use="train-ai", delay=0.0, output=tmp_path / "out")
    assert (seen["/d"], seen["/a"]) == (False, True)
    assert states(found)["/d"] == "fetched", "its links are followed all the same"
