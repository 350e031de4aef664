"""Steps on pages: what they bring to light is crawled, and the way there can be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import invoke
from tests.crawling import crawl, opened, reasons
from tests.ruling import crawl_by, follow, keep, kept
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
    assert "type #q, select #kind, press #q" in " ".join(story.out.split())
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
<button onclick="fetch('/deleted')">Delete everything</button>
<button class=destroy onclick="fetch('/gone')"></button><button onclick="1">Nothing</button>
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


# Ten quotes, and ten more with each press, until there are forty; in two ways to say what can be clicked.
QUOTES = """<!doctype html><body><h1>Quotes</h1><ul id=list></ul><BUTTON id=more>Load more</BUTTON><script>
let shown = 0;
const fill = () => {
  for (let i = 0; i < 10; i++) {
    const item = document.createElement('li');
    item.className = 'quote';
    item.textContent = `quote number ${++shown}`;
    list.append(item);
  }
  if (shown >= 40) more.remove();
};
more.onclick = fill;
fill();
</script>"""
# A list with filters: each takes the place of the one before it, and the value of a field goes with it.
FILTERED = """<!doctype html><body><h1 class=title>Todos</h1><ul id=list></ul>
<a id=done class=filter>Completed</a><a id=active class=filter>Active</a><script>
const show = (names, left) => {
  list.innerHTML = names.map(name => `<li class=todo>${name}</li>`).join('') + `<b class=left>${left}</b>`;
};
show(['milk', 'bread', 'tea'], '3 left');
done.onclick = () => show(['salt'], 'one done');
active.onclick = () => show(['milk', 'bread'], '2 open');
</script>"""


@pytest.mark.parametrize("tag", ["button", "a", "div role=button"])
def test_a_list_with_a_button_for_more_is_explored_to_its_end(site: Site, tmp_path: Path, tag: str) -> None:
    site.pages["/"] = QUOTES.replace("</BUTTON>", f"</{tag.split()[0]}>").replace("BUTTON", tag)
    options = {"fetch": "browser", "explore": 3, "extract": ["title=//h1", "quotes[]=css:.quote"]}
    found = crawl(tmp_path, site.url, **options)
    (record,) = found.records
    assert record["title"] == "Quotes"
    assert record["quotes"] == [f"quote number {number}" for number in range(1, 41)]


def test_each_state_is_extracted_from_as_it_stood(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = FILTERED
    fields = ["title=css:.title", "left=css:.left", "todos[]=css:.todo"]
    plain = crawl(tmp_path / "plain", site.url, fetch="browser", extract=fields)
    explored = crawl(tmp_path / "explored", site.url, fetch="browser", extract=fields, explore=5)
    first, *others = explored.records
    assert {name: first[name] for name in ("left", "todos")} == {"left": "3 left", "todos": ["milk", "bread", "tea"]}
    (before,) = plain.records
    assert before["todos"] == first["todos"]
    assert {(row["left"], tuple(row["todos"]), row["state"]) for row in others} == {
        ("one done", ("salt",), "click #done"),
        ("2 open", ("milk", "bread"), "click #done x 2; click #active"),
    }
    assert {row["title"] for row in explored.records} == {"Todos"}
    # The stored page has all of it.
    explored.extract(extract=["number=css:.left"])
    assert sorted(str(row["number"]) for row in opened(tmp_path / "explored").records) == [
        "2 open", "3 left", "one done",
    ]  # fmt: skip


def test_pages_of_a_list_that_was_turned_are_all_extracted_from(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = f"<!doctype html><body>{TURNED}"
    found = crawl(
        tmp_path, site.url, fetch="browser", depth=0, step=["click-until-gone .next"], extract=["to=css:#list a@href"]
    )
    assert sorted(row["to"] for row in found.records) == [f"/turned/{number}" for number in range(5)]


def test_what_logs_out_is_not_clicked(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = """<!doctype html><body><button onclick="fetch('/ended')">Se déconnecter</button>
        <button onclick="this.after('seen')">Voir</button>"""
    crawl(tmp_path, site.url, fetch="browser", explore=5)
    assert site.paths() == ["/"]


@pytest.mark.parametrize("way", ["browser", "auto"])
def test_a_step_is_for_pages_of_a_type(site: Site, tmp_path: Path, way: str) -> None:
    """Pages that no pattern can tell apart: one is followed as a list, the other as an item."""
    shown = """<!doctype html><body><button class=more>more</button><script>document.querySelector(".more").onclick =
        () => document.body.insertAdjacentHTML("beforeend", `<a href=${location.pathname}.pdf>x</a>`);</script>"""
    site.pages |= {"/": "<main><a href=/1>1</a></main><p><a href=/2>2</a></p>", "/1": shown, "/2": shown}
    found = crawl_by(
        tmp_path,
        follow(site.url, "base>list", tag="main"),
        follow(site.url, "base>item", tag="p"),
        keep(site.url, "list", r"\.pdf$"),
        keep(site.url, "item", r"\.pdf$"),
        fetch=way,
        step=["type:list => click .more"],
    )
    assert kept(found) == ["/1.pdf"]
    assert not found.troubles, "it had its effect"
