"""Old versions are thrown away: the room is given back, all else can be read, and a kill loses nothing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from dowse import app
from dowse.core.errors import CrawlError
from dowse.store.old_versions import Pruning
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.servers import Site

PAGES = 12
VERSIONS = 6


def text(page: int, version: int) -> str:
    """Words that do not pack well."""
    words = random.Random(page * 100 + version)
    return " ".join(f"{words.getrandbits(40):x}" for _ in range(2_000))


@pytest.fixture
def folder(site: Site, tmp_path: Path) -> Path:
    """A crawl of pages with many versions, one that never changed, and one with only a token that does."""
    site.pages["/"] = links(*(f"/{page}" for page in range(PAGES)), "/still", "/token")
    site.pages["/still"] = f"<p>{text(99, 0)}"
    for version in range(VERSIONS):
        head = f"<p>Version {version}{'<p>x' * version}"
        site.pages |= {f"/{page}": f"{head}<p>{text(page, version)}" for page in range(PAGES)}
        token = f"a1{random.Random(version).getrandbits(48):012x}"
        site.pages["/token"] = f"<p>{text(77, 0)}<p>Request id {token}"
        if version:
            app.recrawl(tmp_path / "out", **FAST)
        else:
            crawl(tmp_path / "out", site.url, extract=["version=//p[1]"])
    return tmp_path / "out"


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in (folder / "warc").iterdir())


def contents(found: app.Crawl) -> dict[str, str]:
    """All pages as they are now, read from the archive."""
    return {path_of(row["url"]): found.page(row["url"]).text for row in found.pages}


def test_old_versions_go_and_all_else_can_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, now = size(folder), contents(opened(folder))
    refused = invoke(capsys, "prune", folder, "--keep", "2")
    assert refused.code != 0
    assert "say --yes" in refused.err
    assert size(folder) == before
    told = invoke(capsys, "prune", folder, "--keep", "2", "--yes").out
    assert told.startswith(f"{PAGES * (VERSIONS - 2)} old versions of {PAGES} pages will go, which frees ")
    assert size(folder) < before / 2
    found = opened(folder)
    assert contents(found) == now
    versions = found.history("/3")
    assert [bool(each.location) for each in versions] == [False] * (VERSIONS - 2) + [True] * 2
    assert "Version [-4-]{+5+}" in invoke(capsys, "diff", folder, "/3").out
    with pytest.raises(CrawlError, match="not stored any more"):
        found.diff("/3", 1, 2)
    assert len(found.changes(what="page", kind="changed")) == PAGES * (VERSIONS - 1)
    assert "there is nothing to throw away" in invoke(capsys, "prune", folder, "--keep", "2", "--yes").out
    for path in (folder / "warc").iterdir():
        with path.open("rb") as stream:  # as other programs read them
            kinds = [record.rec_type for record in ArchiveIterator(stream)]
        assert kinds[0] == "warcinfo"
        assert set(kinds[1::2]) <= {"response", "revisit"}
        assert set(kinds[2::2]) == {"request"}
    app.recrawl(folder, **FAST)
    assert contents(opened(folder)) == now


def test_the_plan_says_what_is_freed(folder: Path) -> None:
    before = size(folder)
    with Pruning(folder, 1) as pruning:
        plan = pruning.plan()
        assert (plan.versions, plan.pages, plan.size) == (PAGES * (VERSIONS - 1), PAGES, before)
        freed = pruning.run()
    assert freed == before - size(folder)
    assert abs(freed - plan.frees) < 0.01 * before
    assert {row["body"].partition(":")[0] for row in opened(folder).bodies} == {
        path.name for path in (folder / "warc").iterdir()
    }


KILLED = """
import sys, time
from pathlib import Path
from dowse.store import old_versions as pruning
slow = pruning.copy_needed
def copied(*arguments):
    made = slow(*arguments)
    print("copied", flush=True)
    time.sleep(float(sys.argv[2]))
    return made
pruning.copy_needed = copied
with pruning.Pruning(Path(sys.argv[1]), 1) as work:
    work.plan()
    print("planned", flush=True)
    work.run()
"""


@pytest.mark.parametrize("moment", ["planned", "copied", "later"])
def test_a_kill_at_any_moment_loses_nothing(folder: Path, moment: str) -> None:
    now = contents(opened(folder))
    pause = "60" if moment == "copied" else "0.05"
    process = subprocess.Popen([sys.executable, "-c", KILLED, folder, pause], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == moment or (moment == "later" and line.strip() == "copied"):
            break
    time.sleep(0.12 if moment == "later" else 0.0)
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    process.stdout.close()
    found = opened(folder)
    assert contents(found) == now
    found.close()
    with Pruning(folder, 1) as pruning:
        pruning.plan()
        pruning.run()
        plan: Any = pruning.plan()
        assert (plan.versions, plan.frees) == (0, 0)
    assert contents(opened(folder)) == now
    named = {row["body"].partition(":")[0] for row in opened(folder).bodies}
    assert {path.name for path in (folder / "warc").iterdir()} == named
