"""What a person says of the pages of a focus crawl, from Python and from the terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.cli.asking import NO_ANSWER, ask_about
from dowse.config import make_job
from dowse.core.errors import CrawlError
from dowse.store.best_first.answer_table import leave_answer, read_answers
from tests.commands import invoke
from tests.crawling import path_of
from tests.modes.test_focus import focus, served, web
from tests.processes import running, wait_until
from tests.servers import Page, Reply, Request, Site


def relevance(crawl: dowse.Crawl) -> dict[str, float]:
    return {path_of(row["url"]): row["relevance"] for row in crawl.crawled}


def test_a_label_is_the_verdict_on_its_page_and_moves_others(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=60)
        before = relevance(crawl)
        url = next(row["url"] for row in crawl.crawled if "/birds/" in row["url"])
        wrong = path_of(url)
        crawl.label(url, True)
        again = dowse.open(str(tmp_path))
        after = relevance(again)
        assert after[wrong] == 1
        others = [path for path in before if path.startswith("/birds/") and path != wrong]
        assert sum(after[path] for path in others) > sum(before[path] for path in others)
        assert url in (tmp_path / "urls.txt").read_text().split()
        assert "answered" in again.why(url).parts  # type: ignore[union-attr]


def test_labels_outlive_a_resume(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=20)
        right = next(iter(crawl.matched))["url"]
        crawl.label(right, False)
        app.resume(tmp_path, max_pages=40)
        after = relevance(dowse.open(str(tmp_path)))
        assert len(after) == 40
        assert after[path_of(right)] == 0


def test_what_was_said_can_be_taken_back(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=60)
        before = relevance(crawl)
        wrong = next(row["url"] for row in crawl.crawled if "/birds/" in row["url"])
        right = next(iter(crawl.matched))["url"]
        crawl.label(right, False)
        dowse.open(str(tmp_path)).label(wrong, True)
        assert [(url, wanted) for url, _, wanted in dowse.open(str(tmp_path)).labels()] == [
            (wrong, True),
            (right, False),
        ]
        told = invoke(capfd, "label", tmp_path, "--undo", wrong, "--undo", path_of(right))
        assert told.code == 0
        assert re.search(r"\d+ pages on topic now, \d+ before; see ", told.out)
    again = dowse.open(str(tmp_path))
    assert again.labels() == []
    assert relevance(again) == pytest.approx(before, abs=1e-3)
    with pytest.raises(CrawlError, match=r"nothing was said of .* that could be taken back"):
        again.label(wrong, None)


def test_of_what_was_left_and_what_is_said_now_the_later_holds(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=20)
    first, second = (row["url"] for row in list(crawl.crawled)[3:5])
    story = crawl.why(first)
    assert story is not None
    leave_answer(tmp_path, story.number, True)  # by somebody who thought that it runs
    assert crawl.labels()[0][0] == first
    crawl.label(second, True)
    crawl.label(first, False)
    again = dowse.open(str(tmp_path))
    assert [(url, wanted) for url, _, wanted in again.labels()] == [(first, False), (second, True)]
    again.label(first, None)
    assert [url for url, *_ in dowse.open(str(tmp_path)).labels()] == [second]


def test_pages_it_is_least_sure_of_come_first_and_only_once(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=20)
        unsure = crawl.unsure(20)
        doubts = [abs(value - 0.5) for _url, _title, value in unsure]
        assert doubts == sorted(doubts)
        crawl.label(unsure[0][0], True)
        assert unsure[0][0] not in [url for url, *_ in dowse.open(str(tmp_path)).unsure(20)]


def test_what_was_not_judged_cannot_be_labelled(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=5)
        with pytest.raises(CrawlError, match="is no page that this crawl has judged"):
            crawl.label(site.url + "nowhere", True)


def test_a_ranker_by_keywords_takes_no_labels(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=5, by="keywords")
        with pytest.raises(CrawlError, match="the scorer of this one is keywords"):
            crawl.label(site.url, True)


def test_without_a_terminal_the_pages_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=10)
        told = invoke(capfd, "label", tmp_path).out
        assert "least sure of these, the likeliest first:" in told
        assert f"dowse label {tmp_path} --yes URL --no URL" in told
        url = told.splitlines()[1].split()[1]
        assert "on topic now" in invoke(capfd, "label", tmp_path, "--yes", url).out
        assert relevance(dowse.open(str(tmp_path)))[path_of(url)] == 1


def test_a_page_is_not_on_topic_and_off_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served() as site:
        url = focus(tmp_path, site.url, max_pages=10).unsure(1)[0][0]
    before = relevance(dowse.open(str(tmp_path)))
    for other in (url, path_of(url)):
        refused = invoke(capfd, "label", tmp_path, "--yes", url, "--no", other)
        assert (refused.code, refused.out) == (2, "")
        assert f"{other} is named by --yes and by --no: say one of them" in refused.err
    assert relevance(dowse.open(str(tmp_path))) == before


def test_nothing_is_asked_about_a_crawl_without_a_topic(tmp_path: Path) -> None:
    with served() as site:
        app.start(make_job("site", [site.url], output=str(tmp_path), max_pages=1, delay=0.0))
    terminal = Terminal("label", str(tmp_path))
    assert terminal.end() == 3
    assert terminal.said.startswith(b"dowse: error: ")
    assert "has no topic" in " ".join(terminal.said.decode().split())


def test_at_a_terminal_it_asks_and_counts_each_answer(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=10)
    asked = dowse.open(str(tmp_path)).unsure(1)[0][0]
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "dowse", "label", str(tmp_path)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True) as process:
        os.close(theirs)
        said, deadline = b"", time.monotonic() + 60
        for answer in (b"y\n", b"q\n"):
            before = said.count(b"y/n/s/q")
            while said.count(b"y/n/s/q") == before and time.monotonic() < deadline:
                if select.select([ours], [], [], 1)[0]:
                    said += os.read(ours, 4096)
            os.write(ours, answer)
        assert process.wait(timeout=60) == 0
    os.close(ours)
    shown = dowse.open(str(tmp_path)).lines_about(asked, 71)
    assert [line for line in shown if f"     {line}\r\n" in said.decode()] == shown != []
    assert relevance(dowse.open(str(tmp_path)))[path_of(asked)] == 1


def test_who_types_no_more_has_had_enough(tmp_path: Path) -> None:
    """What was answered before counts, and the crawl has done what it could: that is no interrupt."""
    with served() as site:
        crawling = ("focus", site.url, *UNSURE, "-o", str(tmp_path), "--max-pages", "10", "--ask")
        for words in (crawling, ("label", str(tmp_path))):
            terminal = Terminal(*words)
            terminal.wait_for(b"y/n/s/q")
            terminal.type(b"y\n")
            terminal.wait_for(b"y/n/s/q", times=2)
            terminal.type(b"\x04")
            assert terminal.end() == 0
            assert b"on topic now" in terminal.said
    assert len(read_answers(dowse.open(str(tmp_path)).reader.connection)) == 2


def test_answers_lead_to_other_links(tmp_path: Path) -> None:
    """Eight pages tell that birds were meant, and no sorting."""
    with served() as site:
        crawls = {name: focus(tmp_path / name, site.url, topic="method, song", max_pages=30) for name in ("one", "two")}
        pages = [row["url"] for row in crawls["one"].crawled]
        for kind, wanted in (("/birds/", True), ("/sort/", False)):
            for url in [url for url in pages if kind in url][:4]:
                crawls["one"].label(url, wanted)
        for name in crawls:
            app.resume(tmp_path / name, max_pages=45)
        told, untold = ([path_of(row["url"]) for row in dowse.open(str(tmp_path / name)).crawled] for name in crawls)
    assert told[:30] == untold[:30]
    assert sum(path.startswith("/birds/") for path in told[30:]) > sum(
        path.startswith("/birds/") for path in untold[30:]
    )


class Terminal:
    """A command on a terminal of 80 columns: what it wrote, and what is typed."""

    def __init__(self, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        self.said = b""
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        command = [sys.executable, "-m", "dowse", *words]
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True, env=environment
        )
        os.close(theirs)

    def wait_for(self, text: bytes, *, times: int = 1, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while self.said.count(text) < times:
            assert time.monotonic() < deadline, self.said.decode()
            self.read()

    def read(self) -> bool:
        if not select.select([self.ours], [], [], 0.1)[0]:
            return True
        try:
            self.said += os.read(self.ours, 4096)
        except OSError:  # the other end is closed
            return False
        return True

    def type(self, text: bytes) -> None:
        os.write(self.ours, text)

    def end(self, seconds: float = 60) -> int:
        deadline = time.monotonic() + seconds
        while self.read() and self.process.poll() is None:
            assert time.monotonic() < deadline, self.said.decode()
        while self.read() and select.select([self.ours], [], [], 0)[0]:
            pass
        code = self.process.wait(timeout=seconds)
        os.close(self.ours)
        return code


def slow_site(latency: float = 0.03) -> Site:
    pages: dict[str, Page] = dict(web())
    return Site(pages, latency=latency)


UP = b"\x1b[1A"
"""What takes the cursor one line up, to write over what is there."""

TOPIC = ["--topic", "nest of an owl", "--no-context"]
"""What many pages may be about, and none is surely."""

UNSURE = [*TOPIC, "--robots", "ignore", "--delay", "0", "--per-host", "1", "--patience", "0"]


def test_a_person_is_asked_while_the_crawl_goes_on_and_the_answer_counts_at_once(tmp_path: Path) -> None:
    with slow_site() as site:
        terminal = Terminal("focus", site.url, *UNSURE, "-o", str(tmp_path), "--ask", "--questions", "2")
        terminal.wait_for(b"y/n/s/q")
        pages = len(site.paths())
        wait_until(lambda: len(site.paths()) > pages + 5)  # nobody has answered
        asked = re.findall(rb"(http\S+)  \(", terminal.said)[-1].decode()
        (line, *_) = dowse.open(str(tmp_path)).lines_about(asked, 71)
        assert f"     {line}" in terminal.said.decode()
        terminal.type(b"perhaps\n")
        terminal.wait_for(b"y/n/s/q", times=2)
        assert f"perhaps\r\n{NO_ANSWER}\r\n" in terminal.said.decode()
        terminal.type(b"y\n")
        wait_until(lambda: relevance(dowse.open(str(tmp_path)))[path_of(asked)] == 1)
        assert dowse.open(str(tmp_path)).status().stop_reason == "running"
        terminal.wait_for(b"y/n/s/q", times=3)
        terminal.type(b"q\n")
        assert terminal.end() == 0
    _, _, after = terminal.said.partition(b"y/n/s/q: y\r\n")
    assert UP not in after.partition(b"pages")[0], "the block takes back nothing of what was asked and answered"
    assert terminal.said.count(b"y/n/s/q") == 3, "what was enough is enough when the crawl has ended"
    assert b"the crawl goes on while you think" in terminal.said
    assert len(site.paths()) == 81


def test_whatever_is_typed_the_crawl_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No letter of this encoding, and a line whose end is long in coming."""
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")  # as in most terminals
    with slow_site() as site:
        terminal = Terminal("focus", site.url, *UNSURE, "-o", str(tmp_path), "--ask", "--questions", "1")
        terminal.wait_for(b"y/n/s/q")
        terminal.type(b"\xff\n")
        terminal.wait_for(b"y/n/s/q", times=2)
        terminal.type(b"n\x04")
        pages = len(site.paths())
        wait_until(lambda: len(site.paths()) > pages + 10)
        asked = re.findall(rb"(http\S+)  \(", terminal.said)[-1].decode()
        terminal.type(b"o\n")
        assert terminal.end() in (0, 1)  # one no may be meant of all pages that are so much alike
    assert relevance(dowse.open(str(tmp_path)))[path_of(asked)] == 0
    terminal = Terminal("label", str(tmp_path))
    terminal.wait_for(b"y/n/s/q")
    terminal.type(b"\xff\n")
    terminal.wait_for(b"y/n/s/q", times=2)
    terminal.type(b"q\n")
    assert terminal.end() == 0


def test_an_interrupt_is_the_end_of_questions(tmp_path: Path) -> None:
    enough = 60  # pages, so that the next question is due

    def page(request: Request) -> Reply:
        """Slow in the end: progress is told more than once while the last one comes."""
        return Reply(web()[request.path], delay=0.5 if len(site.paths()) > enough else 0.03)

    with Site({"/*": page}) as site:
        terminal = Terminal("focus", site.url, *UNSURE, "-o", str(tmp_path), "--ask")
        terminal.wait_for(b"y/n/s/q")
        wait_until(lambda: len(site.paths()) > enough)
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
    assert b"(not answered: the crawl ends)" in terminal.said
    assert terminal.said.count(b"y/n/s/q") == 1
    assert terminal.said.count(b"goes on while you think") == 1


def test_a_question_that_nobody_answered_is_asked_again_in_the_end(tmp_path: Path) -> None:
    with slow_site() as site:
        words = ("focus", site.url, *UNSURE, "-o", str(tmp_path), "--ask", "--questions", "1")
        terminal = Terminal(*words)
        terminal.wait_for(b"(not answered: the crawl ends)")
        terminal.wait_for(b"y/n/s/q", times=2)
        asked = re.findall(rb"(http\S+)  \(", terminal.said)[-1].decode()
        for answer in (b"perhaps", b""):
            terminal.type(answer + b"\n")
            terminal.wait_for(answer + f"\r\n{NO_ANSWER}\r\n".encode())
        terminal.type(b"No\n")
        assert terminal.end() in (0, 1)
    assert relevance(dowse.open(str(tmp_path)))[path_of(asked)] == 0


LABEL = "import sys, dowse; dowse.open(sys.argv[1]).label(sys.argv[2], True)"


def test_a_running_crawl_takes_up_what_another_process_says(tmp_path: Path) -> None:
    with slow_site(0.3) as site, running("focus", site.url, *UNSURE, "-o", tmp_path, "--quiet"):
        wait_until(lambda: len(site.paths()) > 5)
        url = next(row["url"] for row in dowse.open(str(tmp_path)).crawled)
        subprocess.run([sys.executable, "-c", LABEL, str(tmp_path), url], check=True, timeout=60)
        wait_until(lambda: relevance(dowse.open(str(tmp_path)))[path_of(url)] == 1)
        listed = tmp_path / "urls.txt"  # written from time to time
        wait_until(lambda: listed.exists() and url in listed.read_text().split())
        crawl = dowse.open(str(tmp_path))
        crawl.label(url, None)
        assert (crawl.labels(), url in [row[0] for row in crawl.unsure(99)]) == ([], True)
        wait_until(lambda: relevance(dowse.open(str(tmp_path)))[path_of(url)] < 1)
        assert dowse.open(str(tmp_path)).status().stop_reason == "running"


def test_a_loop_over_pages_can_say_what_they_are(tmp_path: Path) -> None:
    with slow_site() as site:
        options: dict[str, Any] = {"delay": 0.0, "robots": "ignore", "per_host": 1, "patience": 0}
        options |= {"topic": "nest of an owl", "context": False}
        said = ""
        with dowse.stream(site.url, mode="focus", output=str(tmp_path), **options) as pages:
            for number, page in enumerate(pages):
                if number > 10 and not said and "/sort/" in page.url:
                    said = page.url
                    pages.crawl.label(said, True)
    assert relevance(dowse.open(str(tmp_path)))[path_of(said)] == 1


def test_what_was_said_before_a_kill_is_taken_up_by_the_next_run(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=20)
        url = next(row["url"] for row in crawl.crawled if "/birds/" in row["url"])
        story = crawl.why(url)
        assert story is not None
        leave_answer(tmp_path, story.number, wanted=True)
        app.resume(tmp_path, max_pages=21)
    assert relevance(dowse.open(str(tmp_path)))[path_of(url)] == 1


class Doubtful:
    """A crawl of which only the pages it is least sure of are known."""

    def __init__(self, *relevances: float) -> None:
        self.directory, self._relevances = "out", relevances

    def unsure(self, count: int) -> list[tuple[str, str, float]]:
        return [(f"http://a/{value}", "", value) for value in self._relevances][:count]


@pytest.mark.parametrize(
    ("relevances", "named"), [((0.4, 0.7, 0.06, 0.04, 0.0), [0.7, 0.4, 0.06]), ((0.01, 0.02), [0.02, 0.01])]
)
def test_pages_that_are_named_are_no_clear_misses_if_there_are_others(
    relevances: tuple[float, ...],
    named: list[float],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    crawl: Any = Doubtful(*relevances)
    ask_about(crawl)
    assert [float(line.split()[0]) for line in capsys.readouterr().out.splitlines()[1:-1]] == named


def test_without_any_input_the_pages_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)  # as where a shell closed it: <&-
    crawl: Any = Doubtful(0.4)
    ask_about(crawl)
    assert "http://a/0.4" in capsys.readouterr().out


def test_a_command_names_what_to_type(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=5)
        told = invoke(capfd, "label", tmp_path, "--yes", f"{site.url}nowhere").err
        assert f"judged; dowse export {tmp_path} crawled lists those" in told
        told = invoke(capfd, "label", tmp_path, "--yes", f"{site.url}crawl.crawled").err
        assert f"{site.url}crawl.crawled is no page" in told
        told = invoke(capfd, "resume", tmp_path, "--no-context").err
        assert told.startswith("dowse: error: --no-context: cannot be changed")
        told = invoke(capfd, "resume", tmp_path, "--by", "breadth").err
        assert told.startswith("dowse: error: --by: cannot be changed")
