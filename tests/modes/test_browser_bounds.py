"""One page must not end the rendering of the others: cookies, scripts, sizes and mistakes are bounded to their page."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.engine.events import Event, Notice
from dowse.fetch import captured_json, chromium
from dowse.fetch.isolated_world import World
from tests.crawling import FAST, crawl, links, opened, paths, reasons
from tests.servers import Reply, Request, Site

COOKIES = [
    "__Http-x=1", "__secure-a=1", "__Host-b=1; Path=/deep", "latin=caf\xe9", "=nameless", "alone",
    "far=1; Max-Age=99999999999999",
    "tab=a\tb", "quoted=\"a b\"", "long=" + "x" * 5000, "deep=1; Path=/a\tb",
]  # fmt: skip


@pytest.fixture
def browsers(monkeypatch: pytest.MonkeyPatch) -> list[chromium.Chromium]:
    """The browsers that are started."""
    started: list[chromium.Chromium] = []
    start = chromium.Chromium.start

    async def noted(self: chromium.Chromium, *arguments: Any, **options: Any) -> None:
        await start(self, *arguments, **options)
        started.append(self)

    monkeypatch.setattr(chromium.Chromium, "start", noted)
    return started


@pytest.mark.timeout(120)
def test_a_cookie_that_the_browser_refuses_is_let_go_of(
    site: Site, tmp_path: Path, browsers: list[chromium.Chromium]
) -> None:
    site.pages["/"] = links(*(f"/{number}" for number in range(len(COOKIES))))
    for number, cookie in enumerate(COOKIES):
        sent = [("Set-Cookie", cookie), ("Set-Cookie", f"good{number}=1"), ("Content-Type", "text/html")]
        site.pages[f"/{number}"] = Reply(f"<p>{number}<script>fetch('/api/{number}')</script>", headers=sent)
    site.pages["/api/*"] = "{}"
    found = crawl(tmp_path, site.url, fetch="browser", retries=0)
    assert len(paths(found)) == len(COOKIES) + 1
    asked = {request.path: request.headers.get("cookie", "") for request in site.asked()}
    assert [number for number in range(len(COOKIES)) if f"good{number}=1" not in asked[f"/api/{number}"]] == []
    assert len(browsers) == 1


BROKEN = {
    "no slice": "Array.prototype.slice = String.prototype.slice = String.prototype.split = () => 5",
    "no search": "Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => 5",
    "endless text": "Object.defineProperty(HTMLElement.prototype, 'innerText', {get() { return 'x\\n'.repeat(1e8) }})",
    "no objects": "Object.prototype.toJSON = () => { throw 1 }; JSON.stringify = () => 5; Map = Proxy = Reflect = 5",
}
CLOBBERED = "".join(
    f"<img name={name}><form><input name={name}><input name=x></form>"
    for name in ("body", "documentElement", "querySelectorAll", "createElement", "doctype", "shadowRoot", "localName")
)


def _button(href: str) -> str:
    return f"<button id=b onclick=\"this.outerHTML = '<a href={href}>more</a>'\">b</button>"


@pytest.mark.timeout(120)
def test_what_a_page_makes_of_its_own_scripts_is_not_what_reads_it(site: Site, tmp_path: Path) -> None:
    svg = "<svg><a href=/drawn><text>x</text></a></svg>"
    site.pages["/"] = links(*(f"/page/{number}" for number in range(len(BROKEN))), "/clobbered")
    for number, script in enumerate(BROKEN.values()):
        site.pages[f"/page/{number}"] = f"<body>{svg}{_button(f'/more/{number}')}<script>{script}</script>"
    site.pages["/clobbered"] = f"<body>{CLOBBERED}{_button('/more/clobbered')}"
    found = crawl(tmp_path, site.url, fetch="browser", depth=1, step=("click #b",), page_time=5.0, retries=0)
    fate = reasons(found)
    lost = [what for number, what in enumerate(BROKEN) if f"/more/{number}" not in fate]
    assert lost == []
    assert "/more/clobbered" in fate
    assert "crash" not in fate.values()


@pytest.mark.timeout(120)
def test_what_is_seen_of_a_page_is_bounded(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    run = World.run

    async def measured(self: World, script: str, argument: object = None) -> object:
        answer = await run(self, script, argument)
        seen.append(len(str(answer)))
        return answer

    monkeypatch.setattr(World, "run", measured)
    site.pages["/"] = (
        "<body><button id=b>b</button><pre id=p></pre><script>p.textContent = 'word\\n'.repeat(6e5);"
        "const a = document.createElement('a'); a.href = '/' + 'x'.repeat(1e6); document.body.append(a);"
        "for (let i = 0; i < 5; i++) window.open('/window/' + 'x'.repeat(1e6))</script>"
    )
    found = crawl(tmp_path, site.url, fetch="browser", depth=0, step=("click #b",), page_time=20.0, max_body=1_000_000)
    assert reasons(found) == {"/": "too_large"}
    assert 0 < max(seen) < 1_100_000


@pytest.mark.timeout(120)
def test_no_mistake_leaves_a_tab_open(
    site: Site, tmp_path: Path, browsers: list[chromium.Chromium], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def mistaken(_self: World, _script: str, _argument: object = None) -> object:
        raise TypeError("a mistake of ours")

    monkeypatch.setattr(World, "run", mistaken)
    open_tabs: list[int] = []

    def count(request: Request) -> str:
        open_tabs.extend(len(browser.context.pages) for browser in browsers)
        return f"<p>{request.path}"

    site.pages["/*"] = count
    seeds = [site.at("127.0.0.1", f"/{number}") for number in range(12)]
    found = crawl(tmp_path, *seeds, fetch="browser", tabs=2, retries=0, concurrency=2, per_host=2)
    assert set(reasons(found).values()) == {"internal"}
    assert len(open_tabs) > 5
    assert max(open_tabs) <= 2


@pytest.mark.timeout(120)
def test_data_is_kept_by_its_true_size(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captured_json, "LONGEST_ANSWER", 300_000)
    monkeypatch.setattr(captured_json, "MOST_OF_A_PAGE", 500_000)
    monkeypatch.setattr(captured_json, "MOST_ANSWERS", 5)
    packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}

    def data(size: int) -> Reply:
        return Reply(gzip.compress(b'{"value": "' + b"x" * size + b'"}'), headers=packed)

    site.pages |= {
        "/": "<script>(async () => { for (const one of ['small', 'bomb', 'large', 'second', 'last', 'sixth'])"
        "await (await fetch('/' + one)).text() })()</script>",
        "/small": data(10), "/bomb": data(30_000_000), "/large": data(290_000), "/second": data(290_000),
        "/last": data(100_000), "/sixth": data(10),
    }  # fmt: skip
    told: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Notice):
            told.append(event.text)

    job = make_job("site", [site.url], output=str(tmp_path), fetch="browser", capture="json", **FAST)
    app.start(job, listen)
    records = {row["from"].rpartition("/")[2]: row for row in opened(tmp_path).records}
    assert set(records) == {"small", "bomb", "large", "second", "last"}
    assert {name: len(row["value"]) for name, row in records.items() if row.get("value")} == {
        "small": 10, "large": 290_000, "last": 100_000,
    }  # fmt: skip
    assert records["bomb"]["left_out"].startswith("30,000,013 bytes (")
    assert records["second"]["left_out"].startswith("290,013 bytes (")
    assert any("3 JSON answers are not kept (at most 2 MB each" in text for text in told)


@pytest.mark.skipif(os.geteuid() != 0, reason="others than root may have a sandbox")
def test_a_missing_sandbox_is_told_once(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.commands import invoke

    site.pages |= {"/": links("/a", "/b"), "/a": "<p>a", "/b": "<p>b"}
    ended = invoke(capsys, "site", site.url, "--fetch", "browser", "--delay", "0", "-o", tmp_path / "crawl")
    assert ended.err.count("Chromium runs as root without its sandbox: run dowse as another user") == 1
    assert "without its sandbox" in invoke(capsys, "fetch", site.url, "--fetch", "browser").err
    assert "without its sandbox" not in invoke(capsys, "fetch", site.url).err
    assert "without its sandbox" in " ".join(invoke(capsys, "doctor").out.split())


@pytest.mark.timeout(120)
def test_ports_of_other_services_are_not_asked(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("http://127.0.0.1:6667/", "http://127.0.0.1:25/", site.at("127.0.0.1", "/last"))
    site.pages["/last"] = "<p>last"
    found = crawl(tmp_path, site.url, scope="any", allow_private=True, retries=0)
    refused = {row["url"]: row["detail"] for row in found.ledger if row["reason"] == "blocked_address"}
    assert set(refused) == {"http://127.0.0.1:25/", "http://127.0.0.1:6667/"}
    assert all("the port is one of another service" in detail for detail in refused.values())
