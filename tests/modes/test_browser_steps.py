"""Steps on pages: what they bring to light is crawled, and the way there can be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import invoke
from tests.crawling import crawl, reasons
from tests.servers import Reply, Site

# A button that loads three more entries each time, and goes when there are nine.
MORE = """<ul id=list></ul><button class=more>more</button><script>
let shown = 0;
document.querySelector('.more').onclick = async event => {
  await fetch('/api');
  for (let i = 0; i < 3; i++) list.innerHTML += `<li><a href=/more/${shown++}>entry</a>`;
  if (shown >= 9) event.target.remove();
};
</script>"""
# Each page of the list takes the place of the one before it.
TURNED = """<div id=list><a href=/turned/0>entry</a></div><button class=next>next</button><script>
let page = 0;
document.querySelector('.next').onclick = () => {
  if (page < 4) list.innerHTML = `<a href=/turned/${++page}>entry of page ${page}</a>`;
};
</script>"""
ENDLESS = """<div id=list></div><script>
let shown = 0;
const fill = () => { for (let i = 0; i < 30 && shown < 90; i++) list.innerHTML += `<p><a href=/deep/${shown++}>x</a>` };
fill(); addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 50) fill() });
</script>"""
FORM = """<input id=q><select id=kind><option>none<option value=b>Books</select><div id=out></div><script>
q.onkeydown = event => {
  if (event.key === 'Enter') out.innerHTML += `<a href="/found/${q.value}-${kind.value}">x</a>`;
};
</script><div class=menu onmouseover="out.innerHTML += '<a href=/hovered>x</a>'">menu</div>
<button id=late onclick="setTimeout(() => out.innerHTML += '<a class=came href=/late>x</a>', 600)">late</button>
<button id=leave onclick="location.href='/left'">leave</button>"""
STEPS = (
    "/more => click-until-gone .more", "/turned => click-until-gone .next", "/endless => scroll",
    "/form => type #q = env:SOUGHT", "/form => select #kind = Books", "/form => press #q = Enter",
    "/form => hover .menu", "/form => click #late", "/form => wait .came", "/form => click #leave",
    "/form => click .not-there", "/limited => click-until-gone .more x 2",
)  # fmt: skip


@pytest.mark.parametrize("way", ["browser", "auto"])
def test_what_steps_show_is_crawled(
    site: Site, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOUGHT", "pumps")
    pages = {
        "/more": MORE,
        "/turned": TURNED,
        "/endless": ENDLESS,
        "/form": FORM,
        "/limited": MORE.replace("/more/", "/less/"),
    }
    site.pages["/"] = "".join(f"<a href={path}>x</a>" for path in pages)
    site.pages |= {path: f"<!doctype html><body>{text}" for path, text in pages.items()}
    site.pages["/api"] = Reply("{}", delay=0.05)
    found = crawl(tmp_path, site.url, fetch=way, step=STEPS, depth=1)
    seen = set(reasons(found))
    assert {f"/more/{number}" for number in range(9)} <= seen
    assert {f"/turned/{number}" for number in range(5)} <= seen
    assert {f"/deep/{number}" for number in range(90)} <= seen
    assert {"/found/pumps-b", "/hovered", "/late", "/left"} <= seen
    assert sorted(path for path in seen if path.startswith("/less/")) == [f"/less/{number}" for number in range(6)]
    story = invoke(capsys, "why", tmp_path, site.at("127.0.0.1", "/turned/3"))
    assert "shown after      click-until-gone .next x 3" in story.out
    story = invoke(capsys, "why", tmp_path, site.at("127.0.0.1", "/form"))
    assert "type #q, select #kind, press #q" in story.out
    assert "pumps" not in story.out.replace("found/pumps", "")


def test_data_that_scripts_fetch_is_kept_as_records(site: Site, tmp_path: Path) -> None:
    json_type = {"Content-Type": "application/json; charset=utf-8"}
    site.pages |= {
        "/": "<script>for (const url of ['/one', '/list', '/list', '/broken', '/text']) fetch(url)</script>",
        "/one": Reply('{"name": "pump", "price": 12.5}', headers=json_type),
        "/list": Reply("[1, 2, 3]", headers=json_type),
        "/broken": Reply("{", headers=json_type),
        "/text": "{}",
    }
    found = crawl(tmp_path, site.url, fetch="browser", capture="json")
    kept = {(str(row["from"]).rpartition("/")[2], row["name"], str(row["items"])) for row in found.records}
    assert kept == {("one", "pump", "None"), ("list", None, "[1, 2, 3]")}
    assert len(found.records) == 3


RICH = """<!doctype html><body>
<div role=tablist><button class=tab data-n=1>One</button><button class=tab data-n=2>Two</button></div>
<div id=panel>nothing chosen</div>
<div class=card style="cursor: pointer" onclick="panel.innerHTML = 'a card <a href=/state/card>x</a>'">Card</div>
<button onclick="fetch('/deleted')">Delete everything</button><button onclick="1">Nothing</button>
<form action=/sent><button>Send</button></form><a href=/plain>a plain link</a>
<script>
for (const tab of document.querySelectorAll('.tab')) tab.onclick = () => {
  const n = tab.dataset.n;
  panel.innerHTML = `<p>panel ${n}</p><a href=/state/${n}>x</a><button id=deep${n}>Deeper ${n}</button>`;
  document.getElementById('deep' + n).onclick = () => { panel.innerHTML = `<a href=/state/${n}/deep>x</a>` };
};
</script>"""


def test_states_of_a_page_are_explored_within_bounds(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/"] = RICH
    found = crawl(tmp_path / "all", site.url, fetch="browser", depth=0, explore=10)
    states = {path for path in reasons(found) if path.startswith("/state/")}
    assert states == {"/state/1", "/state/2", "/state/card", "/state/1/deep", "/state/2/deep"}
    assert "/plain" in reasons(found)
    assert site.paths() == ["/"]
    story = invoke(capsys, "why", tmp_path / "all", site.at("127.0.0.1", "/state/2/deep"))
    assert "click #deep2" in story.out
    few = crawl(tmp_path / "few", site.url, fetch="browser", depth=0, explore=1)
    assert sum(path.startswith("/state/") for path in reasons(few)) == 1
