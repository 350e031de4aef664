"""The display of a running crawl, on a terminal and off it."""

from __future__ import annotations

import io
import re
import time

import msgspec
import pytest
from rich.console import Console

from dowse.cli.progress import (
    LiveBlock,
    PlainLines,
    progress_block,
    progress_line,
    stopping_text,
    watching,
)
from dowse.cli.progress_words import hosts_line
from dowse.core.protocols import Cluster, Wait
from dowse.engine.events import Event, Learned, Notice, Paused, Problem, Progress, Stopped, Stopping, Visited

BIG = Progress(
    elapsed=93_784.0,
    counts={"fetched": 98_765_432, "waiting": 12_345_678, "failed": 1_234_567, "out_of_scope": 987_654_321,
            "duplicate": 1_234_567},
    pages=98_765_432,
    pages_per_second=12_345.6,
    bytes_received=9_876_543_210_123,
    hosts={f"a-rather-long-host-name-{number}.example.org": number for number in range(60)},
    seconds_left=86_399.0,
)  # fmt: skip
SMALL = Progress(elapsed=0.2, counts={}, pages=0, pages_per_second=0.0, bytes_received=0, hosts={})


def drawn(progress: Progress, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    with console.capture() as captured:
        console.print(progress_block(progress))
    return captured.get().splitlines()


@pytest.mark.parametrize("progress", [BIG, SMALL], ids=["big", "small"])
@pytest.mark.parametrize("width", [80, 120])
def test_the_block_is_four_lines_that_fit(progress: Progress, width: int) -> None:
    lines = drawn(progress, width)
    assert len(lines) == 4
    assert all(len(line.rstrip()) <= width for line in lines)


def test_the_block_shows_every_number_in_full() -> None:
    text = " ".join(drawn(BIG, 80))
    for word in ("98,765,432", "12,345.6", "9.9 TB", "12,345,678", "1,234,567", "987,654,321", "26:03:04", "23:59:59"):
        assert word in text


def test_time_left_is_shown_only_under_a_limit() -> None:
    assert "left" in " ".join(drawn(BIG, 80))
    assert "left" not in " ".join(drawn(SMALL, 80))


FAR = msgspec.structs.replace(
    BIG, share=0.371, page="https://www.example.org/a/long/way/to/the/page/that/it/is/at/just/now/of/the/year/2026.html"
)


def test_the_block_shows_how_far_it_is_and_the_page_it_is_at() -> None:
    lines = drawn(FAR, 80)
    assert all(len(line.rstrip()) <= 80 for line in lines)
    assert [line.split()[0] for line in lines] == ["pages", "pages/s", "bytes", "done", "now", "hosts"]
    assert lines[3].rstrip().endswith("37 %")
    assert lines[4].startswith("now at  https://www.example.org/a/")
    assert lines[4].rstrip().endswith("/2026.html")
    one_host = msgspec.structs.replace(FAR, hosts={"www.example.org": 2})
    assert len(drawn(one_host, 80)) == 5, "the page names it"


def test_the_line_for_logs_has_them_too() -> None:
    line = progress_line(msgspec.structs.replace(SMALL, share=0.371, seconds_left=20.0, page="https://example.org/a"))
    assert line.endswith(", 37 % done, 0:20 left, at https://example.org/a")


def test_notices_are_broken_between_words() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=80, force_terminal=True, color_system=None, legacy_windows=False)
    with LiveBlock(console, verbose=False).shown() as listener:
        listener(Notice("related words: " + ", ".join(f"word{number}" for number in range(30))))
    lines = [
        re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]|\r", "", line) for line in screen.getvalue().splitlines() if "word" in line
    ]
    assert len(lines) == 4
    assert [line for line in lines if len(line) > 80 or not line.endswith((",", "word29"))] == []


def test_the_line_for_logs() -> None:
    assert progress_line(BIG) == (
        "26:03:04  98,765,432 pages (12,345.6/s), 12,345,678 waiting, 1,234,567 failed, "
        "987,654,321 out of scope, 9.9 TB, 23:59:59 left"
    )


def test_the_busiest_hosts_come_first() -> None:
    assert hosts_line({"b": 1, "c": 2, "a": 1}) == "c (2)  a (1)  b (1)"
    assert len(hosts_line(BIG.hosts)) < 1000


def at(elapsed: float) -> Progress:
    return Progress(elapsed, {}, 1, 1.0, 1, {})


@pytest.mark.parametrize(
    ("events", "lines"),
    [
        ([at(0.5), at(4.9)], []),
        ([at(5.0), at(5.2), at(9.9), at(10.1)], ["0:05", "0:10"]),
        ([at(1.0), Stopped("complete", True, at(2.0))], ["0:02"]),
        ([Learned("this is that"), at(1.0)], ["learned:"]),
        ([Paused("no room"), Paused("no room"), at(6.0), Paused("no room")], ["paused:", "0:06", "paused:"]),
        ([Visited("http://x/", 200, "fetched")], []),
        ([at(86_400.0), at(86_410.0), at(86_999.0), at(87_000.0)], ["24:00:00", "24:10:00"]),
    ],
)
def test_plain_lines_come_every_five_seconds_and_at_the_end(
    events: list[Event], lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    listener = PlainLines(verbose=False)
    for event in events:
        listener(event)
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split()[0] for line in err.splitlines()] == lines


def test_what_is_waited_for_is_said_once_unless_it_takes_long(capsys: pytest.CaptureFixture[str]) -> None:
    listener, now = PlainLines(verbose=False), time.time()
    short = [Wait("e.org", now + after, "--delay is 5 s") for after in (5, 10, 15)]
    long = [Wait("e.org", now + after, "it asked for patience") for after in (600, 600, 1200)]
    for wait in short + long:
        listener(msgspec.structs.replace(SMALL, waits=wait))
    lines = capsys.readouterr().err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["--delay is 5 s", *["it asked for patience"] * 2]
    assert re.fullmatch(r"waiting until \d\d:\d\d:\d\d for e\.org: --delay is 5 s", lines[0])


def test_the_block_says_what_is_waited_for() -> None:
    wait = Wait("e.org", time.time() + 60, "its robots.txt asks for 1 min between requests", 3)
    text = " ".join(" ".join(drawn(msgspec.structs.replace(BIG, waits=wait), 80)).split())
    assert "for e.org: its robots.txt asks for 1 min between requests, as 3 others rest too" in text


def test_the_display_says_where_the_workers_of_a_cluster_are() -> None:
    placed = msgspec.structs.replace(BIG, cluster=Cluster({"head": 4, "node-7": 12}, 0))
    assert "cluster 16 workers on 2 nodes: node-7 (12)  head (4)" in drawn(placed, 80)
    assert ", 16 workers on 2 nodes" in progress_line(placed)
    short = msgspec.structs.replace(BIG, cluster=Cluster({"head": 1}, 3))
    assert ", 1 worker on 1 node (3 without a place)" in progress_line(short)


def test_hosts_without_requests_under_way_are_named_alone() -> None:
    assert hosts_line({"a": 0, "b": 2}) == "b (2)  a"


JUDGING = "no request is under way, and dowse resume goes on to judge"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Stopping(0), "stopping (Ctrl-C again ends at once)"),
        (Stopping(1), "stopping; 1 request under way may end first (Ctrl-C again ends at once)"),
        (Stopping(2), "stopping; 2 requests under way may end first (Ctrl-C again ends at once)"),
        (Stopping(0, 64), f"stopping; {JUDGING} 64 stored pages again (Ctrl-C again ends at once)"),
        (Stopping(0, 1), f"stopping; {JUDGING} 1 stored page again (Ctrl-C again ends at once)"),
    ],
)
def test_a_stop_counts_what_is_under_way(event: Stopping, text: str) -> None:
    assert stopping_text(event) == text


def test_verbose_lines_hold_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    PlainLines(verbose=True)(Visited("http://x/\x1b[2J", 0, "failed"))
    assert capsys.readouterr().err == "--- failed       http://x/ [2J\n"


def test_the_live_block_prints_urls_above_itself_and_leaves_nothing_behind() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=80, force_terminal=True, color_system=None, legacy_windows=False)
    with LiveBlock(console, verbose=True).shown() as listener:
        listener(BIG)
        listener(Visited("http://example.org/[bold]", 200, "fetched"))
        listener(Paused("no room on the disk"))
        listener(Learned("[this] is that"))
    text = screen.getvalue()
    assert "98,765,432" in text
    assert "200 fetched      http://example.org/[bold]\n" in text
    assert "paused: no room on the disk" in text
    assert "learned: [this] is that\n" in text
    assert text.endswith("\x1b[2K")


def test_what_others_write_while_the_block_is_hidden_stays() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=80, force_terminal=True, color_system=None, legacy_windows=False)
    with LiveBlock(console, verbose=False).shown() as listener:
        assert isinstance(listener, LiveBlock)
        listener(BIG)
        listener.hide()
        screen.write("a question\nand its answer\n")
        listener(BIG)
        drawn_anew = screen.getvalue().partition("and its answer\n")[2].partition("pages")[0]
    assert "98,765,432" in screen.getvalue().partition("and its answer\n")[2]
    assert "\x1b[1A" not in drawn_anew, "one line up, to clear it"


def test_quiet_tells_errors_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    with watching(quiet=True, verbose=False) as listener:
        for event in (SMALL, Learned("this is that"), Paused("no room"), Problem("row 5", is_error=False)):
            listener(event)
        assert capsys.readouterr() == ("", "")
        listener(Problem("row 3", is_error=True))
    assert capsys.readouterr() == ("", "error: row 3\n")


def test_without_a_terminal_lines_are_plain() -> None:
    with watching(quiet=False, verbose=False) as listener:
        assert isinstance(listener, PlainLines)


@pytest.mark.parametrize(("terminal", "kind"), [("xterm-256color", LiveBlock), ("dumb", PlainLines)])
def test_on_a_terminal_the_block_is_live(monkeypatch: pytest.MonkeyPatch, terminal: str, kind: type) -> None:
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with watching(quiet=False, verbose=False) as listener:
        assert isinstance(listener, kind)
