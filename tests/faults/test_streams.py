"""Standard streams that are closed, full or read no more: no crawl ends by it, no command shows a traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawling import crawl, links, opened
from tests.processes import Ended
from tests.servers import Site

SHELL = "/bin/sh"


def shell(line: str) -> Ended:
    """Run a line of the shell in which `dowse ` is the command."""
    command = line.replace("dowse ", f"{shlex.quote(sys.executable)} -m dowse ", 1)
    done = subprocess.run([SHELL, "-c", command], capture_output=True, text=True, timeout=40, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def linked(site: Site) -> Site:
    site.pages["/"] = links(*(f"/{number}" for number in range(20)))
    site.pages["/*"] = lambda request: links(request.path)
    return site


@pytest.mark.parametrize(
    "streams", ["2>/dev/full", "2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-", "2>&- --workers 2"]
)
def test_no_crawl_ends_because_nobody_hears_it(linked: Site, tmp_path: Path, streams: str) -> None:
    folder = tmp_path / "crawl"
    ended = shell(f"dowse site {linked.url} -o {folder} --delay 0 --no-sitemaps --verbose {streams}")
    assert (ended.code, ended.err) == (0, "")
    assert opened(folder).status().counts == {"fetched": 21}


COMMANDS = (
    "export {} pages",
    "export {} bodies",
    "export {} links --to parquet",
    "status {}",
    "status {} --json",
    "--help",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_whose_output_is_lost_says_so_in_one_line(linked: Site, tmp_path: Path, command: str) -> None:
    crawl(tmp_path, linked.url)
    line = f"dowse {command.format(tmp_path)}"
    for streams, trouble in ((">&-", "is closed; name a file"), (">/dev/full", "cannot be written: No space left")):
        ended = shell(f"{line} {streams}")
        assert ended.code == 3
        assert ended.err.startswith(f"dowse: error: standard output {trouble}")
        assert ended.err.count("\n") == 1
        assert shell(f"{line} {streams} 2>&-") == Ended(3, "", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_whose_reader_leaves_ends_without_a_word(linked: Site, tmp_path: Path, command: str) -> None:
    crawl(tmp_path, linked.url)
    ended = shell(f"{{ sleep 0.2; dowse {command.format(tmp_path)}; echo code $? >&2; }} | true")
    assert ended.err == "code 141\n"


def test_a_crawl_whose_json_is_lost_has_not_done_what_was_asked(linked: Site, tmp_path: Path) -> None:
    ended = shell(f"dowse site {linked.url} -o {tmp_path / 'crawl'} --delay 0 --no-sitemaps --json --quiet >/dev/full")
    assert (ended.code, ended.err) == (
        3,
        "dowse: error: standard output cannot be written: No space left on device\n",
    )
    assert opened(tmp_path / "crawl").status().counts == {"fetched": 21}
