"""Every mode: what a crawl found is one value that all faces show, and `why` has something to say of every URL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dowse import app
from dowse.app import Crawl
from dowse.cli.results_output import results_text
from dowse.cli.story_output import story_json
from dowse.cli.wording import state_text
from dowse.core.errors import JobError
from dowse.core.exhibits import Exhibit
from dowse.core.model import State
from dowse.core.results import Found, Number, Results
from dowse.modes.registry import find_mode
from dowse.store.folder import BODIES
from tests.commands import invoke
from tests.contract.mode_jobs import JOBS, MODES, Runs, mode_of
from tests.crawling import check_ledger, opened
from tests.htmlpages import check_inert, read_page
from tests.processes import Ended

Capture = pytest.CaptureFixture[str]

STATES = {state.name.lower() for state in State} - {"out"}
"""All that a URL can be in when nothing runs; what waits is not reached in a crawl that has stopped."""

TOLD = ("ledger", "records", "fields", "troubles")
"""What `--json` has besides the summary of a crawl."""

SENTINEL = Results(
    best=(Found("97", "the best of all", "its second line"),),
    more="and 4 more of a kind",
    numbers=(Number("things of a kind", 1234, "a note on them"), Number("left", "about 5")),
    notes=("a word on the whole",),
    facts={"kind": 1234, "rows": [{"deep": None}]},
)


def stopped(runs: Runs, case: str, folder: Path) -> Crawl:
    """The same crawl when a limit has ended it: some URLs are not reached."""
    return runs.crawl(case, folder, max_pages=4)


# Results


@pytest.mark.parametrize("case", JOBS)
def test_what_a_mode_shows_are_values_and_chapters_of_the_report(case: str, runs: Runs, tmp_path: Path) -> None:
    crawl = runs.undisturbed(case)
    shown = tuple(crawl.mode.exhibits(crawl))
    again = msgspec.json.decode(msgspec.json.encode(shown), type=tuple[Exhibit, ...])
    assert [each.title for each in again] == [each.title for each in shown]
    page = read_page(crawl.report(tmp_path / "report.html").read_text(encoding="utf-8"))
    check_inert(page)
    assert page.chapters[1 : len(shown) + 1] == [each.name for each in shown]
    assert len(set(page.chapters)) == len(page.chapters)


@pytest.mark.parametrize("case", JOBS)
def test_results_stories_and_tables_are_values_for_json(case: str, runs: Runs, tmp_path: Path) -> None:
    for crawl in (runs.undisturbed(case), stopped(runs, case, tmp_path / "out")):
        results = crawl.results()
        assert msgspec.json.decode(msgspec.json.encode(results), type=Results) == results
        for row in crawl.ledger:
            same_in_json(story_json(story_of(crawl, row["url"])))
        for name in ("pages", "ledger", "links", "nodes", "edges", *crawl.mode.tables):
            frame = crawl.frame(name)
            assert len(list(frame)) == len(frame)
            same_in_json(list(frame))


@pytest.mark.parametrize("case", JOBS)
def test_a_mode_names_all_that_it_writes_into_the_folder(case: str, runs: Runs) -> None:
    """By these names a crawl that is replaced is removed."""
    crawl = runs.undisturbed(case)
    written = {path.name for path in crawl.directory.iterdir()} - {BODIES, app.REPORT}
    assert {name for name in written if not name.startswith("crawl.")} <= set(crawl.mode.outputs)


@pytest.mark.parametrize("case", JOBS)
def test_facts_have_names_of_their_own(case: str, runs: Runs) -> None:
    """They stand beside what every crawl tells, and beside what is told of every URL."""
    crawl = runs.undisturbed(case)
    assert set(crawl.results().facts).isdisjoint({*app.Summary.__struct_fields__, *TOLD})
    for row in crawl.ledger:
        assert set(story_of(crawl, row["url"]).facts).isdisjoint(app.Story.__struct_fields__)


@pytest.mark.parametrize("case", MODES)
def test_the_urls_of_every_table_can_be_had_as_a_list(case: str, runs: Runs, tmp_path: Path) -> None:
    crawl = runs.undisturbed(case)
    for name in ("pages", "links", "ledger", *crawl.mode.tables):
        file = tmp_path / f"{name}.txt"
        if "url" not in crawl.frame(name).columns:
            with pytest.raises(JobError, match="txt is a list of URLs, and this table has none; it has "):
                crawl.export(name, file)
            continue
        number = crawl.export(name, file)
        column = "target" if name == "links" else "url"
        urls = list(dict.fromkeys(row[column] for row in crawl.frame(name)))
        assert file.read_text().splitlines() == urls
        assert number == len(urls)


def same_in_json(value: Any) -> None:
    """Nothing of it is lost: texts, numbers, lists and tables by name."""
    assert json.loads(msgspec.json.encode(value)) == as_json(value)


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(msgspec.to_builtins(value)))


@pytest.mark.parametrize("case", JOBS)
def test_terminal_and_json_show_the_same_results(case: str, runs: Runs, capsys: Capture, tmp_path: Path) -> None:
    out = runs.copied(case, tmp_path / "out")
    results = opened(out).results()
    lines = list(results_text(results))
    for verb in ("status", "resume"):
        text = ended_well(invoke(capsys, verb, out))
        assert "\n".join(lines) in text
        told = json.loads(ended_well(invoke(capsys, verb, out, "--json")))
        assert {name: told[name] for name in results.facts} == msgspec.to_builtins(results.facts)
    numbers = {number.value for number in results.numbers if isinstance(number.value, int)}
    assert not results.facts or numbers & set(counts_in(results.facts)), "a number that both show"


@pytest.mark.parametrize("name", MODES)
def test_whatever_a_mode_says_is_shown_by_every_face(
    name: str, runs: Runs, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = runs.copied(name, tmp_path / "out")
    monkeypatch.setattr(type(find_mode(name)), "results", lambda mode, crawl: SENTINEL)
    assert app.read(out).results() is SENTINEL
    for verb in ("status", "resume"):
        assert "\n".join(results_text(SENTINEL)) in ended_well(invoke(capsys, verb, out))
        assert SENTINEL.facts.items() <= json.loads(ended_well(invoke(capsys, verb, out, "--json"))).items()


@pytest.mark.parametrize("name", MODES)
def test_trouble_is_told_and_is_the_exit_status(
    name: str, runs: Runs, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = runs.copied(name, tmp_path / "out")
    monkeypatch.setattr(type(find_mode(name)), "results", lambda mode, crawl: Results(trouble="nothing of a kind"))
    ended = invoke(capsys, "resume", out, "--quiet")
    assert (ended.code, ended.err) == (1, "dowse: error: nothing of a kind\n")


def ended_well(ended: Ended) -> str:
    assert ended.code == 0, ended.err
    return ended.out


def counts_in(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from counts_in(inner)
    elif isinstance(value, int):
        yield value


@pytest.mark.parametrize("case", JOBS)
def test_a_table_of_its_own_is_a_name_of_the_crawl_and_a_file(case: str, runs: Runs, tmp_path: Path) -> None:
    crawl = runs.undisturbed(case)
    for name in {*crawl.mode.tables, crawl.mode.result_table}:
        rows = list(crawl.frame(name))
        assert list(getattr(crawl, name)) == rows
        file = tmp_path / f"{name}.jsonl"
        assert crawl.export(name, file) == len(rows)
        written = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        first = crawl.frame(name).columns[0]
        assert [row[first] for row in written] == [row[first] for row in rows]


# The ledger, and why


@pytest.mark.parametrize("case", JOBS)
def test_the_ledger_balances(case: str, runs: Runs, tmp_path: Path) -> None:
    for crawl in (runs.undisturbed(case), stopped(runs, case, tmp_path / "out")):
        check_ledger(crawl)
        counts = crawl.status().counts
        assert counts.get("fetched", 0) + counts.get("duplicate", 0) >= crawl.status().pages > 0


@pytest.mark.parametrize("case", JOBS)
def test_why_tells_something_of_every_url(case: str, runs: Runs, capsys: Capture, tmp_path: Path) -> None:
    for crawl in (runs.undisturbed(case), stopped(runs, case, tmp_path / "out")):
        samples = {}
        for row in crawl.ledger:
            story = story_of(crawl, row["url"])
            lines = str(story).splitlines()
            assert lines[0] == row["url"]
            assert lines[1].startswith(f"  {'state':<17}{state_text(row['state'])}") or story.others
            assert len(lines) > 2, "more than its state"
            if row["depth"]:
                assert story.parents or story.redirected_from or story.asked.why, row["url"]
            samples[row["state"]] = row["url"]
        for url in samples.values():
            story = story_of(crawl, url)
            shown = ended_well(invoke(capsys, "why", crawl.directory, url))
            assert shown == f"{story}\n"
            told = json.loads(ended_well(invoke(capsys, "why", crawl.directory, url, "--json")))
            assert told == as_json(story_json(story))
            assert story.facts.keys() <= told.keys()


def story_of(crawl: Crawl, url: str) -> app.Story:
    story = crawl.why(url)
    assert story is not None, f"{url} is in the ledger and has no story"
    return story


def test_the_small_jobs_show_every_state(runs: Runs, tmp_path: Path) -> None:
    """Or what is said above of every state would be said of some."""
    whole = {row["state"] for case in JOBS for row in runs.undisturbed(case).ledger}
    cut = {row["state"] for row in stopped(runs, mode_of("site"), tmp_path / "out").ledger}
    assert whole | cut == STATES - {"waiting"}
