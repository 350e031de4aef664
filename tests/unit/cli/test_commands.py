"""The commands: what they ask of the app, what they print where, and the exit status they leave."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dowse.cli.exits import EXIT_CODES
from dowse.cli.main import cli, main
from dowse.config import load_job, make_job
from dowse.core.errors import CrawlLocked, CrawlMissing, JobError, StoreFull
from dowse.version import VERSION

Invoke = Callable[..., Any]
SEED = "http://example.org/"
RETRY = "try again with: dowse retry out"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_site_makes_a_job_and_says_what_came_of_it(app: Any, invoke: Invoke) -> None:
    result = invoke("site", SEED, "example.com", "-o", "out", "--max-pages", "5", "--order", "depth")
    job = make_job("site", [SEED, "example.com"], output="out", max_pages=5, order="depth")
    assert (result.code, app.calls) == (0, [("start", "out", job)])
    assert result.out.startswith(
        "3 pages, 120.0 kB; this run took 1.5 s\ncomplete: nothing in scope is left to fetch\n"
    )
    assert "dowse export out pages --to csv -f pages.csv\n" in result.out
    assert result.err.startswith("0:01  3 pages (2.0/s), 0 waiting, 0 failed, 0 out of scope, 120.0 kB")


def test_the_folder_is_named_after_the_host(app: Any, invoke: Invoke) -> None:
    invoke("site", "http://127.0.0.1:8000/", "-q")
    assert app.calls[0][1] == "127.0.0.1-8000"


def test_save_writes_a_job_that_run_takes(app: Any, invoke: Invoke) -> None:
    saved = invoke("site", SEED, "--max-pages", "5", "--include", r"/a/\d", "--save", "job.toml")
    assert (saved.code, app.calls) == (0, [])
    assert saved.err == "wrote job.toml; run it with: dowse run job.toml\n"
    assert invoke("run", "job.toml", "--quiet").code == 0
    assert invoke("run", "job.toml", "--quiet", "--max-pages", "6", "-o", "two").code == 0
    assert [call[2] for call in app.calls] == [
        make_job("site", SEED, max_pages=5, include=r"/a/\d"),
        make_job("site", SEED, max_pages=6, include=r"/a/\d", output="two"),
    ]


def test_save_to_standard_output(invoke: Invoke) -> None:
    result = invoke("site", SEED, "--max-pages", "5", "--save", "-")
    Path("job.toml").write_text(result.out, encoding="utf-8")
    assert load_job("job.toml") == make_job("site", SEED, max_pages=5)


@pytest.mark.parametrize("command", ["resume", "retry", "recrawl"])
def test_commands_that_continue_a_crawl(app: Any, invoke: Invoke, command: str) -> None:
    assert invoke(command, "out", "--max-time", "9", "-q").code == 0
    more = {"budget": 0} if command == "recrawl" else {}
    assert app.calls == [(command, "out", {"max_time": 9.0, **more})]


# How they talk


def test_quiet_prints_nothing(invoke: Invoke) -> None:
    result = invoke("site", SEED, "--quiet")
    assert (result.out, result.err) == ("", "")


def test_verbose_prints_every_url(invoke: Invoke) -> None:
    assert "200 fetched      http://example.org/\n" in invoke("site", SEED, "--verbose").err


def test_json_is_one_object_on_standard_output(invoke: Invoke) -> None:
    result = invoke("site", SEED, "-o", "out", "--json")
    assert json.loads(result.out) == {
        "directory": "out", "stop_reason": "complete", "counts": {"fetched": 3}, "pages": 3, "elapsed": 1.5,
        "bytes_received": 120_000, "requisites": 0, "troubles": [],
    }  # fmt: skip
    assert "3 pages" in result.err


@pytest.mark.parametrize(
    ("stop_reason", "command"),
    [
        ("max_pages", "dowse resume out --max-pages 10\n"),
        ("max_bytes", "dowse resume out --max-bytes 240000\n"),
        ("max_time", "dowse resume out --max-time 120\n"),
    ],
)
def test_a_limit_is_done_as_asked_and_says_how_to_go_on(
    app: Any, invoke: Invoke, stop_reason: str, command: str
) -> None:
    app.summary.stop_reason = stop_reason
    result = invoke("site", SEED, "-o", "out")
    assert result.code == 0
    assert f"stopped at the limit of {stop_reason}\n" in result.out
    assert command in result.out


def test_errors_are_one_line_but_on_a_terminal(app: Any, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://example.org/" + "long/" * 20
    app.trouble = CrawlMissing(f"{address} is {'not ' * 20}there; go elsewhere")
    (line,) = invoke("status", "out").err.splitlines()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    lines = invoke("status", "out").err.splitlines()
    assert " ".join("\n".join(lines).split()) == line
    assert [line for line in lines if len(line) > 80] == [f"  {address}"]


def test_the_doctor_keeps_to_the_width_of_a_terminal(invoke: Invoke) -> None:
    lines = invoke("doctor").out.splitlines()
    assert max(len(line) for line in lines if " " in line.strip()) <= 80


def test_json_of_the_doctor_is_one_object_too(invoke: Invoke) -> None:
    parts = json.loads(invoke("doctor", "--json").out)["parts"]
    assert parts[0] == {"name": "dowse", "found": VERSION, "cure": ""}


@pytest.mark.parametrize("words", [("--quiet",), ("--json",), ()])
def test_an_interrupted_crawl_says_how_to_resume(app: Any, invoke: Invoke, words: tuple[str, ...]) -> None:
    app.interrupted = True
    app.summary.stop_reason = "interrupted"
    result = invoke("site", SEED, "-o", "a b", *words)
    assert result.code == 130
    assert result.err.endswith("stopped; continue with: dowse resume 'a b'\n")
    assert "dowse resume" not in result.out, "once is enough"


def test_a_run_of_a_crawl_that_was_interrupted_before_is_not_taken_for_interrupted(app: Any, invoke: Invoke) -> None:
    app.summary.stop_reason = "interrupted"  # dowse retry leaves the crawl as it was
    assert invoke("retry", "out").code == 0
    result = invoke("resume", "out")
    assert result.code == 0
    assert "  dowse resume out\n" in result.out


def test_a_second_interrupt_ends_at_once(app: Any, invoke: Invoke) -> None:
    app.trouble = KeyboardInterrupt()
    result = invoke("site", SEED, "-o", "out")
    assert (result.code, result.out) == (130, "")
    assert result.err == "stopped; continue with: dowse resume out\n"


@pytest.mark.parametrize(
    ("state", "reason", "detail", "words", "cure"),
    [
        ("failed", "connect", "Connection refused", "failed, connect, Connection refused", RETRY),
        ("failed", "http 503", "busy", "failed, http 503, busy", RETRY),
        ("failed", "http 404", "status 404", "failed, http 404", "check its address, or start from another page"),
        ("robots", "robots", "Disallow: /", "refused by robots, Disallow: /", "start from a page that robots.txt"),
        (
            *("out_of_scope", "media type image/png", "image/png", "out of scope, media type image/png"),
            "start from another page",
        ),
    ],
)
def test_a_crawl_without_a_page_says_why(
    app: Any, invoke: Invoke, state: str, reason: str, detail: str, words: str, cure: str
) -> None:
    app.summary.pages = 0
    app.stories[SEED] = app.story(SEED, state=state, reason=reason, visits=[{"detail": detail}])
    result = invoke("site", SEED, "-o", "out")
    assert (result.code, result.out) == (1, "")
    told = f"dowse: error: no page could be fetched: {SEED}: {words}; {cure}"
    assert result.err.splitlines()[-1].startswith(told)
    assert ("dowse retry" in result.err) == ("dowse retry" in cure)


def test_a_seed_that_was_redirected_is_followed_to_its_end(app: Any, invoke: Invoke) -> None:
    app.summary.pages = 0
    app.stories[SEED] = app.story(SEED, reason="redirect", redirected_to="http://other.example/")
    app.stories["http://other.example/"] = app.story("http://other.example/", state="out_of_scope", reason="host")
    result = invoke("site", SEED, "-q")
    told = "no page could be fetched: http://other.example/: out of scope, host; start from another page"
    assert result.err.startswith(f"dowse: error: {told}")


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (JobError("max_pages: must be at least 0"), 2),
        (CrawlLocked("out is in use by process 5"), 3),
        (CrawlMissing("there is no crawl in out"), 3),
        (StoreFull("no room"), 3),
        (PermissionError(13, "Permission denied", "out/crawl.db"), 3),
    ],
)
def test_trouble_is_one_line_and_its_own_exit_status(app: Any, invoke: Invoke, trouble: Exception, code: int) -> None:
    app.trouble = trouble
    result = invoke("resume", "out")
    text = "out/crawl.db: Permission denied" if isinstance(trouble, OSError) else str(trouble)
    text = text.replace("max_pages", "--max-pages")  # as it is typed
    assert (result.code, result.out, result.err) == (code, "", f"dowse: error: {text}\n")


@pytest.mark.parametrize(
    "words",
    [("sites", SEED), ("site",), ("site", SEED, "-q", "-v"), ("site", "ftp://example.org/"), ("run", "none.toml"),
     ("export", "out", "rows"), ("site", SEED, "--save", "none/job.toml"), ("why", "out"),
     ("export", "out", "pages", "-f", "none/pages.csv")],
)  # fmt: skip
def test_wrong_usage(app: Any, invoke: Invoke, words: tuple[str, ...]) -> None:
    result = invoke(*words)
    assert (result.code, result.out, app.calls) == (2, "", [])
    assert result.err.startswith("dowse: error: ")
    assert result.err.count("\n") == 1


# Reading a crawl


def test_status(invoke: Invoke) -> None:
    result = invoke("status", "out")
    assert result.code == 0
    assert "complete: nothing in scope is left to fetch" in result.out
    assert result.out.splitlines()[-1].split() == ["host", "4"]


def test_status_json(invoke: Invoke) -> None:
    answer = json.loads(invoke("status", "out", "--json").out)
    assert answer["pages"] == 3
    assert answer["ledger"][1] == {"state": "out_of_scope", "reason": "host", "count": 4}


def test_why(app: Any, invoke: Invoke) -> None:
    app.stories[SEED] = app.story(SEED, text=f"{SEED}\n  state            fetched")
    assert invoke("why", "out", SEED).out.splitlines() == [SEED, "  state            fetched"]
    assert json.loads(invoke("why", "out", SEED, "--json").out)["state"] == "fetched"


def test_why_a_url_that_was_never_seen(invoke: Invoke) -> None:
    result = invoke("why", "out", "http://example.org/none")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("dowse: error: http://example.org/none was never seen in this crawl")


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ((), "csv"),
        (("--to", "jsonl"), "jsonl"),
        (("-f", "a.jsonl"), "jsonl"),
        (("-f", "a.jsonl", "--to", "csv"), "csv"),
    ],
)
def test_export(app: Any, invoke: Invoke, words: tuple[str, ...], form: str) -> None:
    result = invoke("export", "out", "pages", *words)
    assert (result.code, app.calls) == (0, [("export", "out", ("pages", form))])
    written = Path("a.jsonl").read_bytes().decode() if "-f" in words else result.out
    assert written == "url\nhttp://example.org/\n"


def test_export_of_no_crawl_leaves_the_file_alone(app: Any, invoke: Invoke) -> None:
    Path("a.csv").write_text("precious", encoding="utf-8")
    app.trouble = CrawlMissing("there is no crawl in out")
    assert invoke("export", "out", "pages", "-f", "a.csv").code == 3
    assert Path("a.csv").read_text(encoding="utf-8") == "precious"


def test_report_goes_into_the_folder_and_says_where_it_is(app: Any, invoke: Invoke) -> None:
    Path("out").mkdir()
    result = invoke("report", "out")
    assert (result.code, result.out, app.calls) == (0, "out/report.html\n", [("report", "out", None)])
    assert Path("out/report.html").read_text(encoding="utf-8") == "<!doctype html>"


def test_report_of_no_crawl_leaves_the_file_alone(app: Any, invoke: Invoke) -> None:
    Path("a.html").write_text("precious", encoding="utf-8")
    app.trouble = CrawlMissing("there is no crawl in out")
    assert invoke("report", "out", "-f", "a.html").code == 3
    assert Path("a.html").read_text(encoding="utf-8") == "precious"


def test_an_export_that_fails_leaves_the_file_alone(app: Any, invoke: Invoke) -> None:
    Path("a.csv").write_text("precious", encoding="utf-8")
    app.broken = True
    result = invoke("export", "out", "pages", "-f", "a.csv")
    assert (result.code, result.err) == (2, "dowse: error: a.csv cannot be written: No space left on device\n")
    assert Path("a.csv").read_text(encoding="utf-8") == "precious"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_text_only(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(held))
    assert main(["export", "out", "pages"]) == 0
    assert held.getvalue() == b"url\nhttp://example.org/\n"
    assert main(["export", "out", "pages", "--to", "parquet"]) == 2
    assert main(["export", "out", "bodies"]) == 2
    assert len(app.calls) == 1


# The program


def test_help_names_every_command_and_exit_status(invoke: Invoke) -> None:
    text = invoke("--help").out
    for name in cli.commands:
        assert f"\n  {name} " in text
    for code, meaning in EXIT_CODES.items():
        assert f"{code:>3}  {meaning}" in text
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "...\n" not in text.partition("Commands:")[2]  # no sentence is cut off


def test_without_a_command_help_is_shown(invoke: Invoke) -> None:
    result = invoke()
    assert result.code == 2
    assert "Usage: dowse [OPTIONS] COMMAND" in result.err


def test_python_m_dowse() -> None:
    done = subprocess.run([sys.executable, "-m", "dowse", "-V"], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == f"dowse {VERSION}\n"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    program = "import sys; from dowse.cli.main import main; sys.exit(main(['site', '--help']))"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=30)


def test_the_terminal_library_is_loaded_only_for_a_live_block() -> None:
    program = (
        "import sys, dowse.cli.main, dowse.cli.progress, dowse.cli.summary_output; sys.exit('rich' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], timeout=30, check=True)
