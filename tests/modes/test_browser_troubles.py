"""What a browser was asked for and could not do is told: in words, to programs, in Python, and by the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dowse
from tests.commands import invoke
from tests.crawling import links
from tests.servers import Reply, Site

FAST = ("--delay", "0", "--per-host", "8", "--page-time", "1")
# A page for people, and one whose quotes are there after a while.
LATE = """<!doctype html><body><h1>Late</h1><ul id=list></ul><script>
setTimeout(() => { list.innerHTML = '<li class=quote>one</li><li class=quote>two</li>' }, DELAY);
</script>"""


@pytest.fixture
def pages(site: Site) -> Site:
    site.pages |= {"/": links(*(f"/page/{number}" for number in range(3))), "/page/*": lambda request: request.path}
    site.pages["/page/1"] = "<p class=some>some</p>"
    return site


def told(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, list[dict[str, object]]]:
    """The exit status, what was said to people and what to programs."""
    *command, folder = words
    ended = invoke(capsys, *command, "-o", folder, *FAST)
    again = invoke(capsys, *command, "-o", f"{folder}-json", "--json", *FAST)
    assert again.code == ended.code
    return ended.code, " ".join((ended.out + ended.err).split()), json.loads(again.out)["troubles"]


def test_a_condition_that_never_holds_is_told(pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("site", pages.url, "--fetch", "browser", "--ready", ".quote")
    code, said, (trouble,) = told(capsys, *command, tmp_path / "out")
    assert code == 1
    assert "--ready .quote never appeared (4 of 4 pages)" in said
    assert f"look at {pages.url}" in said
    assert (trouble["pages"], trouble["url"], trouble["fatal"]) == (4, pages.url, True)
    with pytest.warns(UserWarning, match="^ready .quote never appeared"):
        found = dowse.site(pages.url, fetch="browser", ready=".quote", page_time=0.5, output=tmp_path / "py", delay=0.0)
    assert [each.fatal for each in found.troubles] == [True]


def test_a_condition_that_holds_somewhere_is_no_failure(
    pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, troubles = told(capsys, "site", pages.url, "--fetch", "browser", "--ready", ".some", tmp_path / "out")
    assert code == 0
    assert "--ready .some did not appear on 3 of 4 pages" in said
    assert not any(trouble["fatal"] for trouble in troubles)


def test_steps_without_effect_are_told(pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = ["click .nosuch", "click .some", "/nowhere => click .some", "wait .never"]
    command = [word for step in steps for word in ("--step", step)]
    code, said, troubles = told(capsys, "site", pages.url, "--fetch", "browser", *command, tmp_path / "out")
    assert code == 1
    assert "--step 'click .nosuch' found nothing (4 of 4 pages)" in said
    assert "--step 'wait .never'" in said
    assert "--step '/nowhere => click .some' had no effect: it was for no rendered page" in said
    assert [trouble["pages"] for trouble in troubles] == [4, 0, 4]
    status = invoke(capsys, "status", tmp_path / "out")
    assert "click .nosuch" in status.out


@pytest.mark.parametrize(
    "words",
    [("--step", "click .some"), ("--ready", ".some"), ("--explore", "3"), ("--capture", "json"), ("--images",),
     ("--tabs", "2"), ("--page-time", "9"), ("--fetch", "browser", "--ready", ".bad["),
     ("--fetch", "auto", "--step", "click .bad[")],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_before_anything_is_fetched(
    pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    for command in (("site", pages.url, "-o", tmp_path / "out"), ("fetch", pages.url)):
        ended = invoke(capsys, *command, *words)
        assert ended.code == 2
        assert words[-2 if len(words) > 1 else 0].lstrip("-").replace("-", "_") in ended.err.replace("-", "_")
        assert ("--fetch browser" in ended.err) != (words[0] == "--fetch")
    assert not (tmp_path / "out").exists()
    assert pages.paths() == []


def test_a_picture_is_made_by_a_browser_that_takes_its_options(
    pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--screenshot", tmp_path / "page.png", "--ready", "a", "--page-time", "9")
    ended = invoke(capsys, "fetch", pages.url, *words)
    assert ended.code == 0, ended.err
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_one_page_whose_steps_had_no_effect(pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended = invoke(capsys, "fetch", pages.url, "--fetch", "browser", "--step", "click .nosuch")
    assert ended.code == 1
    assert "has nothing for: click .nosuch" in ended.err
    login = invoke(capsys, "login", pages.url, tmp_path / "me.json", "--step", "click .nosuch")
    assert login.code == 3
    assert "has nothing for the step 'click .nosuch'" in login.err
    assert not (tmp_path / "me.json").exists()


def test_data_that_a_timer_brings_is_waited_for_or_missed_aloud(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/"] = LATE.replace("DELAY", "2500")
    command = ("site", site.url, "--fetch", "browser", "--extract", "quotes[]=css:.quote")
    code, said, (trouble,) = told(capsys, *command, tmp_path / "short")
    assert code == 1
    assert "not ready within 1 s" in said
    assert (trouble["pages"], trouble["url"]) == (1, site.url)
    found = dowse.site(site.url, fetch="browser", page_time=10, extract="quotes[]=css:.quote", output=tmp_path / "long")
    assert [row["quotes"] for row in found.records] == [["one", "two"]]
    assert found.troubles == []
    (page,) = found.pages
    assert page["rendered"] < 8


def test_pages_without_fields_are_not_waited_for_again_and_again(site: Site, tmp_path: Path) -> None:
    paths = [f"/page/{number}" for number in range(12)]
    site.pages["/"] = links(*paths)
    site.pages["/page/*"] = lambda request: f"<p>{request.path}<script>setTimeout(() => 0, 1500)</script>"
    found = dowse.site(
        site.url, output=tmp_path / "out", fetch="browser", page_time=30, extract="quote=css:.quote", delay=0.0, tabs=1
    )
    assert len([row for row in found.pages if row["rendered"] >= 1.5]) <= 6
    assert found.troubles == []


def test_what_a_stream_brings_is_waited_for(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = """<!doctype html><body><ul id=list></ul><script>
        new EventSource('/events').onmessage = event => { list.innerHTML += `<li><a href=${event.data}>x</a>` };
        </script>"""
    events = [step for number in range(6) for step in (0.15, f"data: /item/{number}\n\n".encode())]
    site.pages["/events"] = Reply([0.3, *events, 30.0], headers={"Content-Type": "text/event-stream"})
    found = dowse.site(site.url, fetch="browser", page_time=20, depth=0, output=tmp_path / "out", delay=0.0)
    assert {f"/item/{number}" for number in range(6)} <= {f"/{row['url'].split('/', 3)[3]}" for row in found.ledger}
    (page,) = found.pages
    assert page["rendered"] < 15
