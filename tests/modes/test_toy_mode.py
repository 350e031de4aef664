"""A mode of another package has all that the modes of dowse have, and needs not one line elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawling import links
from tests.processes import Ended
from tests.servers import Page, Site

TOY = Path(__file__).parents[1] / "toy"
FAST = ("--delay", "0")


def titled(title: str, *hrefs: str) -> str:
    return links(*hrefs).replace("<title>links", f"<title>{title}")


PAGES: dict[str, Page] = {
    "/": titled("start", "/a", "/b", "/c"),
    "/a": titled("an apple", "/beyond"),
    "/b": titled("a pear", "/d"),
    "/c": titled("a plum"),
    "/d": titled("another apple"),
    "/beyond": titled("behind an apple"),
}


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as running:
        yield running


def run(*words: str | Path) -> Ended:
    """Python in an environment in which the package with the toy is installed."""
    paths = os.pathsep.join([str(TOY), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, *map(str, words)], capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def dowse(*words: str | Path) -> Ended:
    return run("-m", "dowse", *words)


def test_it_has_a_command_with_help_and_results(site: Site, tmp_path: Path) -> None:
    assert "toy       Crawl a site for pages whose title has a word." in dowse("--help").out
    ended = dowse("toy", site.url, "--word", "apple", "-o", tmp_path / "out", *FAST)
    assert ended.code == 0, ended.err
    assert "  *  an apple\n" in ended.out
    assert f"{'hits':<40}{2:>12}" in ended.out
    assert "dowse export" in ended.out
    assert "hits --to csv -f hits.csv" in ended.out
    status = json.loads(dowse("status", tmp_path / "out", "--json").out)
    assert (status["hits"], status["pages"]) == (2, 5)
    assert dowse("toy", site.url, "--word", "quince", "-o", tmp_path / "none", *FAST).code == 1


def test_a_value_of_an_option_is_no_part_of_a_statement(tmp_path: Path) -> None:
    with Site({"/": titled("one o'clock")}) as site:
        ended = dowse("toy", site.url, "--word", "o'clock", "-o", tmp_path / "out", "--json", *FAST)
    assert json.loads(ended.out)["hits"] == 1


def test_its_options_are_checked(site: Site) -> None:
    assert "word: there is none" in dowse("toy", site.url).err
    assert dowse("toy", site.url).code == 2


def test_why_and_export(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    dowse("toy", site.url, "--word", "apple", "-o", out, *FAST)
    assert "looked for       apple" in dowse("why", out, "/a").out
    assert json.loads(dowse("why", out, "/a", "--json").out)["word"] == "apple"
    rows = dowse("export", out, "hits", "--to", "csv").out.splitlines()
    assert rows == ["url,title", f"{site.url}a,an apple", f"{site.url}d,another apple"]
    other = tmp_path / "other"
    dowse("site", site.url, "-o", other, *FAST)
    assert "looks for no word: it was not made by dowse toy" in dowse("export", other, "hits").err


def test_a_job_file_and_resume(site: Site, tmp_path: Path) -> None:
    job, out = tmp_path / "job.toml", tmp_path / "out"
    dowse("toy", site.url, "--word", "apple", "-o", out, *FAST, "--max-pages", "2", "--save", job)
    assert 'mode = "toy"' in job.read_text(encoding="utf-8")
    assert dowse("run", job).code == 0
    assert json.loads(dowse("status", out, "--json").out)["pages"] == 2
    assert "word: cannot be changed" in dowse("resume", out, "--word", "pear").err
    assert dowse("resume", out, "--max-pages", "0").code == 0
    assert json.loads(dowse("status", out, "--json").out)["hits"] == 2


def test_python(site: Site, tmp_path: Path) -> None:
    program = f"""
import dowse
crawl = dowse.toy({site.url!r}, "apple", output={str(tmp_path / "out")!r}, delay=0)
print(sorted(row["title"] for row in crawl.hits), crawl.results().facts)
"""
    assert run("-c", program).out == "['an apple', 'another apple'] {'hits': 2}\n"


def test_several_processes(site: Site, tmp_path: Path) -> None:
    ended = dowse("toy", site.url, "--word", "apple", "-o", tmp_path / "out", "--workers", "2", "--json", *FAST)
    assert json.loads(ended.out)["hits"] == 2


def test_simulate_and_evaluate(site: Site, tmp_path: Path) -> None:
    out, labels = tmp_path / "out", tmp_path / "labels.csv"
    labels.write_text("url\n/a\n/d\n", encoding="utf-8")
    dowse("toy", site.url, "--word", "apple", "-o", out, *FAST)
    simulated = dowse("simulate", out, "--mode", "toy", "--word", "apple", "--truth", labels, "--json")
    assert json.loads(simulated.out)["rankers"][0]["found"]["value"] == 1.0
    measured = json.loads(dowse("evaluate", out, "--truth", labels, "--json").out)
    assert (measured["precision"], measured["recall"]) == (1.0, 1.0)
