"""Pages that turn on the browser: each is bounded and named, and the crawl goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from dowse.fetch import tab_pool
from tests.commands import invoke
from tests.crawling import crawl, links, paths, reasons
from tests.hostile import Endless
from tests.servers import Reply, Request, Site

KEPT = {
    # what a page does: it is cut short, and what was there by then is kept
    "never loads": "<script src=/silent.js></script>",
    "loops": "<script>while (true) {}</script>",
    "loops again and again": "<script>setInterval(() => { while (true) {} }, 1)</script>",
    "alerts without end": "<script>while (true) alert('again')</script>",
    "asks to stay": "<script>onbeforeunload = () => 'stay'; confirm('well?'); prompt('why?')</script>",
    "asks for permission": "<script>navigator.geolocation.getCurrentPosition(() => 0); Notification.requestPermission()"
    "</script>",
    "a hundred pop-ups": "<script>for (let i = 0; i < 100; i++) window.open('/window/' + i)</script>",
    "grows without end": "<script>setInterval(() => document.body.append('more '.repeat(1000)), 1)</script>",
    "asks without end": "<script>setInterval(() => fetch('/api?' + Math.random()), 5)</script>",
    "an endless script": "<script src=/endless.js></script>",
    "prints": "<script>print()</script>",
    "submits": "<form id=f method=post action=/posted></form><script>f.submit()</script>",
    "closes itself": "<script>window.close()</script>",
    "breaks what others use": "<script>Element.prototype.querySelectorAll = document.querySelectorAll = () => null;"
    "JSON.stringify = () => '{}'; Object.prototype.toJSON = () => 1</script>",
    "forbids everything": "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
    "require-trusted-types-for 'script'\"><iframe srcdoc='<p>inner'></iframe>",
}


@pytest.mark.timeout(120)
def test_hostile_pages_are_cut_short_and_the_crawl_goes_on(site: Site, tmp_path: Path) -> None:
    endless = Endless(b"/* more */\n" * 1000)
    site.pages |= {"/silent.js": Reply(delay=60), "/endless.js": endless, "/api": Reply("{}", delay=0.05)}
    site.pages["/"] = links(*(f"/page/{number}" for number in range(len(KEPT))), "/last")
    for number, markup in enumerate(KEPT.values()):
        site.pages[f"/page/{number}"] = f"<body><a href=/from/{number}>x</a>{markup}"
    found = crawl(tmp_path, site.url, fetch="browser", page_time=1.5, max_body=1_000_000, depth=1, tabs=4)
    fate = reasons(found)
    lost = [what for number, what in enumerate(KEPT) if fate.get(f"/from/{number}") != "depth 1"]
    assert lost == []
    assert sum(path.startswith("/window/") for path in fate) == 100
    assert not [path for path in site.paths() if path.startswith(("/window/", "/posted"))]
    assert endless.sent < 20_000_000


def test_script_redirects_without_end_are_a_chain(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<script>location.href = '/further/1'</script>"
    site.pages["/further/*"] = lambda request: (
        f"<p>{request.path}<script>location.href = '/further/{int(request.path.rpartition('/')[2]) + 1}'</script>"
    )
    found = crawl(tmp_path, site.url, fetch="browser", chain=5)
    assert "trap: chain" in reasons(found).values()
    assert len(paths(found)) < 12


@pytest.mark.timeout(120)
def test_memory_bombs_end_their_tab_only(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_pool, "TAB_MEMORY", 400_000_000)
    site.pages |= {
        "/": links("/heap", "/buffers", "/good"),
        "/heap": "<script>const all = []; while (true) all.push(new Array(1e6).fill(1.5))</script>",
        "/buffers": "<script>const all = []; for (let i = 0; i < 60; i++) all.push(new Uint8Array(2e7).fill(1));"
        "while (true) {}</script>",
        "/good": "<script>document.write('<a href=/found>x</a>')</script>",
        "/found": "<p>last",
    }
    found = crawl(tmp_path, site.url, fetch="browser", retries=0, page_time=20.0, tabs=2)
    assert {path: reasons(found)[path] for path in ("/heap", "/buffers")} == {"/heap": "crash", "/buffers": "crash"}
    assert "/found" in paths(found)
    details = [row["detail"] for row in found.ledger if row["reason"] == "crash"]
    assert any("memory" in detail for detail in details)


def _browsers() -> Iterator[int]:
    """The browsers that were started by this process, however indirectly."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(os.getpid()):
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            is_browser = b"chrom" in command.split(b"\0")[0] and b"--type=" not in command
            if is_browser and _is_ours(int(entry.name)):
                yield int(entry.name)


def _is_ours(number: int) -> bool:
    while number > 1:
        if number == os.getpid():
            return True
        try:
            number = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["crashed", "hung"])
@pytest.mark.timeout(120)
def test_a_browser_that_crashes_or_hangs_is_replaced_and_no_page_lost(
    site: Site, tmp_path: Path, how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_pool, "_END", 1.0)
    stricken: list[int] = []

    def strike(request: Request) -> Reply:
        if request.visit == 0:
            stricken.extend(_browsers())
            for number in stricken:
                os.kill(number, how)
        return Reply("document.write('<a href=/found>x</a>')", headers={"Content-Type": "text/javascript"})

    site.pages |= {
        "/": links("/a", "/b"), "/a": "<script src=/strike.js></script>", "/b": "<p>b", "/found": "<p>last",
        "/strike.js": strike,
    }  # fmt: skip
    found = crawl(tmp_path, site.url, fetch="browser", page_time=2.0, retries=0)
    assert set(paths(found)) == {"/", "/a", "/b", "/found"}
    assert stricken
    assert not [number for number in stricken if Path(f"/proc/{number}/cmdline").exists()]


def test_a_missing_browser_is_named_with_its_cure(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOWSE_CHROMIUM", str(tmp_path / "nowhere"))
    ended = invoke(capsys, "site", site.url, "--fetch", "browser", "-o", tmp_path / "crawl")
    assert ended.code == 3
    assert "playwright install" in ended.err
    assert not (tmp_path / "crawl").exists()
    assert site.paths() == []
    assert "playwright install" in invoke(capsys, "doctor").out


def test_a_browser_that_does_not_start_is_named(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("DOWSE_CHROMIUM", str(broken))
    site.pages["/"] = "<p>x"
    ended = invoke(capsys, "site", site.url, "--fetch", "browser", "-q", "--retries", "0", "-o", tmp_path / "crawl")
    assert ended.code == 1
    assert "could not be started" in ended.err
    assert "does not start" in invoke(capsys, "doctor").out
