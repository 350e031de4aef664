"""Searches over real crawls: `crawl.search` and `dowse search`."""

from __future__ import annotations

import json
import os
import stat
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlError, ExtraMissing, JobError
from dowse.crawl import remove
from dowse.crawls import stored_search
from dowse.crawls.crawl_search import _meaning_order
from dowse.score.semantic import is_installed
from dowse.store.search.fts5_index import Fts5Index
from dowse.store.search.index_file import SEARCH
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.servers import Reply, Site

AGAIN: dict[str, Any] = {**FAST, "retries": 0}
MENU = "<nav><a href='/'>Home</a> zeppelin</nav>"

PAGES = {
    "/en": f"<html lang=en><title>Heat pump subsidies</title>{MENU}<p>The city pays for heat pumps that are not new.",
    "/oil": "<title>Oil</title><p>Heating with oil gets no subsidy, and a pump is not a part of that.",
    "/de": "<html lang=de><title>Förderung</title><p>Die Förderung von Wärmepumpen ist für alle Häuser der Stadt.",
    "/ru": "<title>Субсидии</title><p>Город выдаёт субсидии на тепловые насосы для всех домов.",
    "/zh": "<html lang=zh><title>补贴</title><p>本市为所有住宅提供热泵补贴。最高可达百分之三十。",
    "/ar": "<html lang=ar dir=rtl><title>الدعم</title><p>تقدم المدينة دعماً للمضخات الحرارية في جميع المنازل",
    "/th": "<html lang=th><title>เงิน</title><p>เมืองนี้ให้เงินอุดหนุนปั๊มความร้อนสำหรับบ้านทุกหลัง",
    "/ja": "<html lang=ja><title>補助</title><p>市はすべての住宅のヒートポンプに補助金を出します。",
}


def served(site: Site) -> Site:
    site.pages |= PAGES | {"/": "<title>Start</title><p>Welcome" + links(*PAGES)}
    return site


@pytest.fixture
def found(site: Site, tmp_path: Path) -> app.Crawl:
    return crawl(tmp_path / "out", served(site).url)


def urls(found: Any) -> list[str]:
    return [path_of(row["url"]) for row in found]


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("heat pump subsidies", ["/en", "/oil"]),
        ("subsidy", ["/en", "/oil"]),
        ('"heat pumps"', ["/en"]),
        ("pump -oil", ["/en"]),
        ("heati*", ["/en", "/oil"]),
        ("subsid*", ["/en", "/oil"]),
        ("Wärmepumpe", ["/de"]),
        ("warmepumpe", ["/de"]),
        ("Haus", ["/de"]),
        ("тепловой насос", ["/ru"]),
        ("热泵", ["/zh"]),
        ("热泵补贴", ["/zh"]),
        ("泵", ["/zh"]),
        ("泵热", []),
        ("الحرارية", ["/ar"]),
        ("مدينة", ["/ar"]),
        ("ความร้อน", ["/th"]),
        ("ヒートポンプ", ["/ja"]),
        ("gets OR 热泵", ["/oil", "/zh"]),
        ("zeppelin", []),
        ("the", ["/en"]),
    ],
)
def test_words_are_found_in_all_their_forms_and_in_every_script(found: app.Crawl, words: str, pages: list[str]) -> None:
    assert sorted(urls(found.search(words))) == sorted(pages)


def test_a_row_says_where_and_why_with_the_words_marked(found: app.Crawl) -> None:
    result = found.search("subsidies pump", limit=1)
    (row,) = result
    assert row["title"] == "Heat pump subsidies"
    assert row["snippet"] == "The city pays for heat **pumps** that are not new."
    assert row["site"] == "127.0.0.1"
    assert (row["type"], row["language"]) == ("html", "english")
    assert (result.total, result.understood) == (2, "subsidies and pump")
    assert [result.found[0].snippet[first:last] for first, last in result.found[0].marks] == ["pumps"]
    assert list(result.to_pandas().columns) == result.columns


def test_a_word_is_as_rare_as_in_all_its_forms_whatever_the_language_of_a_page(site: Site, tmp_path: Path) -> None:
    english = "<html lang=en><p>The directives of the server are for all of you. A directive is for the directory.</p>"
    turkish = "<html lang=tr><p>Bu sunucu için yönergeler ve ayarlar bir dosyada durur: directives. Hepsi bu kadar.</p>"
    others = {
        f"/{number}": f"<html lang=en><p>This is the page {number} that is about other things.</p>"
        for number in range(30)
    }
    named = {f"/en{number}": english for number in range(6)}
    site.pages |= {**others, **named, "/tr": turkish, "/": links("/tr", *named, *others)}
    found = crawl(tmp_path / "out", site.url, dedup="off").search("directives", limit=20)
    assert urls(found)[-1] == "/tr"
    assert len(urls(found)) == 7


def test_of_very_many_pages_those_with_the_words_in_their_titles_are_ranked(
    found: app.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_search, "MANY", 1)
    assert urls(found.search("subsidy", limit=1)) == ["/en"]
    assert urls(found.search("subsidy", limit=1))[0] == urls(found.search("subsidy"))[0]
    assert sorted(urls(found.search("subsidy"))) == ["/en", "/oil"]


def test_a_page_of_few_words_is_in_the_language_of_most(site: Site, tmp_path: Path) -> None:
    text = "<p>The city pays for all of the heat that we have, and it is not for others but for you.</p>"
    site.pages |= {
        "/": text + links("/brief", "/a", "/b"),
        "/a": text + "a",
        "/b": text + "b",
        "/brief": "<p>Pumps</p>",
    }
    found = crawl(tmp_path / "out", site.url)
    assert urls(found.search("pump")) == ["/brief"]
    site.pages["/brief"] = "<p>Valves</p>"
    app.recrawl(found.directory, **AGAIN)
    assert urls(found.search("valve")) == ["/brief"]


def test_where_no_page_has_all_words_those_with_some_are_found_and_it_is_said(found: app.Crawl) -> None:
    result = found.search("wärmepumpen unicorn")
    assert urls(result) == ["/de"]
    assert "no page has all of that" in result.notes[0]


def test_nothing_that_is_typed_is_an_error(found: app.Crawl) -> None:
    for words in (
        "",
        "-",
        '"',
        "* OR",
        "NEAR(a b",
        "title:heat",
        "a AND",
        "^heat",
        "{x} : y",
        "\\",
        "💧",
        "-oil",
        "' OR 1",
    ):
        assert found.search(words).total >= 0


def test_filters(found: app.Crawl) -> None:
    assert urls(found.search("heat", site="127.0.0.1")) != []
    assert urls(found.search("heat", site="example.org")) == []
    assert urls(found.search("heat", type="pdf")) == []
    assert urls(found.search("heat", type=["pdf", "html"])) != []
    assert urls(found.search("heat", since="2020-01-01", until="2900-01-01")) != []
    assert urls(found.search("heat", until="2020-01-01")) == []
    assert urls(found.search("heat", relevance=0.1)) == []
    with pytest.raises(JobError, match="since"):
        found.search("heat", since="soon")
    with pytest.raises(JobError, match="limit"):
        found.search("heat", limit=0)


def test_the_date_that_a_page_states_counts(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<title>News</title><meta property='article:published_time' content='2019-05-06T08:00'><p>Heat"
    found = crawl(tmp_path / "out", site.url)
    assert urls(found.search("heat", since="2019-05-01", until="2019-05-31")) == ["/"]
    assert urls(found.search("heat", since="2020-01-01")) == []


def test_relevance_is_that_of_the_topic(site: Site, tmp_path: Path) -> None:
    served(site)
    app.start(make_job("focus", [site.url], topic="heat pumps", output=str(tmp_path / "out"), **FAST))
    found = opened(tmp_path / "out")
    every = {row["url"]: row["relevance"] for row in found.search("pump")}
    assert all(worth is not None for worth in every.values())
    least = max(every.values())
    assert {row["url"] for row in found.search("pump", relevance=least)} == {
        url for url, worth in every.items() if worth >= least
    }


def test_recrawls_bring_it_up_to_date_and_only_what_changed_is_read(site: Site, found: app.Crawl) -> None:
    assert found.index().read == len(PAGES) + 1
    assert found.index() == (0, 0, (), "")
    site.pages["/en"] = PAGES["/en"].replace("heat pumps", "wind mills")
    site.pages["/new"] = "<title>New</title><p>Tidal power"
    site.pages["/"] = str(site.pages["/"]) + '<p><a href="/new">new</a>'
    site.pages["/oil"] = Reply(status=410)
    app.recrawl(found.directory, **AGAIN)
    again = opened(found.directory)
    done = again.index()
    assert (done.read, done.removed) == (3, 1)
    assert urls(again.search("wind mills")) == ["/en"]
    assert urls(again.search('"pays for heat"')) == []
    assert urls(again.search("tidal")) == ["/new"]
    assert urls(again.search("gets")) == []


def test_a_crawl_that_runs_is_searched_as_far_as_it_is(site: Site, tmp_path: Path) -> None:
    served(site)
    counts: list[int] = []

    def look(event: Any) -> None:
        if type(event).__name__ == "Visited" and not counts:
            with app.read(tmp_path / "out") as running:
                counts.append(running.search("the OR welcome").total)

    app.start(make_job("site", [site.url], output=str(tmp_path / "out"), **FAST), look)
    assert counts
    assert opened(tmp_path / "out").search("热泵").total == 1


def test_pages_that_were_only_crawled_through_are_not_found(site: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "out", served(site).url, store_only=["/de"])
    assert urls(found.search("wärmepumpe OR heat")) == ["/de"]


def test_without_stored_pages_it_says_what_to_do(site: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "out", served(site).url, bodies=False)
    with pytest.raises(CrawlError, match="bodies"):
        found.search("heat")


def test_a_crawl_as_it_was_cannot_be_searched(found: app.Crawl) -> None:
    with pytest.raises(CrawlError, match="as it was"):
        found.at("2900-01-01").search("heat")


def test_a_damaged_index_is_told(found: app.Crawl) -> None:
    found.search("heat")
    file = found.directory / SEARCH
    file.write_bytes(b"no database" * 1000)
    for beside in found.directory.glob(f"{SEARCH}-*"):
        beside.unlink()
    with pytest.raises(CrawlError, match="remove it"):
        found.search("heat")


def test_a_folder_that_cannot_be_written_to_is_told_what_to_do(
    found: app.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_arguments: False)
    with pytest.raises(CrawlError, match="read-only"):
        found.search("heat")


def test_an_index_that_cannot_be_written_any_more_is_searched_as_it_is(
    site: Site, found: app.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    found.search("heat")
    site.pages["/oil"] = "<title>Oil</title><p>A furnace is not a pump, and that is all of it."
    app.recrawl(found.directory, **AGAIN)
    monkeypatch.setattr(os, "access", lambda *_arguments: False)
    search = found.search("furnace")
    assert (search.total, [note for note in search.notes if "read-only" in note]) == (0, [search.notes[0]])
    assert urls(found.search("Wärmepumpe")) == ["/de"]


def test_the_index_of_a_private_crawl_is_private_and_goes_with_it(found: app.Crawl) -> None:
    (found.directory / "crawl.db").chmod(0o600)
    found.search("heat")
    assert stat.S_IMODE((found.directory / SEARCH).stat().st_mode) == 0o600
    found.close()
    remove(found.directory)
    assert not list(found.directory.glob("search*"))


def test_the_index_is_not_written_outside_of_its_folder(found: app.Crawl, tmp_path: Path) -> None:
    (found.directory / SEARCH).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CrawlError, match="leads out"):
        found.search("heat")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.skipif(not is_installed(), reason="the extra semantic is not installed")
def test_with_meaning_pages_that_say_it_in_other_words_come_up(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<title>Start</title><p>Here" + links("/a", "/b"),
        "/a": "<title>Minutes</title><p>The committee met. Car was one word among the letters of the agenda.",
        "/b": "<title>Garage</title><p>Automobiles, engines and tyres: a mechanic repairs your vehicle, or a car.",
    }
    found = crawl(tmp_path / "out", site.url)
    assert urls(found.search("car mechanic repairing vehicles", meaning=True))[0] == "/b"


def test_without_the_extra_it_says_how_to_get_it(found: app.Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    _meaning_order.cache_clear()
    with pytest.raises(ExtraMissing, match="semantic"):
        found.search("heat", meaning=True)


# The command


def test_the_command_shows_pages_with_their_words_in_eighty_columns(
    found: app.Crawl, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = invoke(capsys, "search", found.directory, "heat pump subsidies")
    assert ended.code == 0
    assert ended.out.startswith("2 pages: heat and pump and subsidies\n\n 1. Heat pump subsidies\n    http://127.0.0.1")
    assert "heat *pumps*" in ended.out.replace("*heat*", "heat")
    assert all(len(line) <= 80 for line in ended.out.splitlines())


def test_words_need_no_quotation_marks_and_come_behind_the_folders(
    site: Site, found: app.Crawl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(tmp_path / "other", site.url + "de")
    ended = invoke(capsys, "search", found.directory, tmp_path / "other", "Wärmepumpe", "Stadt", "--json")
    result = json.loads(ended.out)
    assert result["words"] == "Wärmepumpe Stadt"
    assert [(path_of(page["url"]), Path(page["crawl"]).name) for page in result["found"]] == [("/de", "other")]


def test_a_word_to_leave_out_is_no_option(
    found: app.Crawl, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    for words in (["heat", "-fuel"], ["heat", "-oil"], ["heat", "-fuel oil"], ["heat", '-"fuel oil"']):
        ended = invoke(capsys, "search", found.directory, *words)
        assert ended.code == 0, ended.err
        assert "heat, without" in ended.out
    assert set(tmp_path.iterdir()) - before <= {Path(found.directory)}, "-f is no file here"
    assert "-n" in invoke(capsys, "search", found.directory, "heat", "-n0").err


def test_a_word_that_is_the_name_of_a_crawl_is_told(
    site: Site, found: app.Crawl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl(tmp_path / "pumps", site.url + "de")
    assert "pumps is a crawl too" in invoke(capsys, "search", found.directory, tmp_path / "pumps").err


def test_words_without_a_folder_are_told_where_it_comes(capsys: pytest.CaptureFixture[str]) -> None:
    ended = invoke(capsys, "search", "heat pump")
    assert ended.code == 3
    assert "dowse search DIR WORDS" in ended.err


def test_formats_are_those_of_other_tables(
    found: app.Crawl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(capsys, "search", found.directory, "热泵", "--to", "csv").out.startswith("url,title,snippet,score")
    ended = invoke(capsys, "search", found.directory, "热泵", "-f", tmp_path / "found.jsonl")
    assert "found.jsonl: 1 page" in ended.err
    assert "**热泵**" in json.loads((tmp_path / "found.jsonl").read_text())["snippet"]


def test_without_words_the_index_is_made_and_nothing_else(found: app.Crawl, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"{len(PAGES) + 1} pages read" in invoke(capsys, "search", found.directory).out
    assert "up to date" in invoke(capsys, "search", found.directory).out


def test_what_is_not_found_is_told_with_how_it_was_read(found: app.Crawl, capsys: pytest.CaptureFixture[str]) -> None:
    ended = invoke(capsys, "search", found.directory, '"no such words')
    assert ended.code == 1
    assert 'read as: "no such words"' in ended.err
    assert "not closed" in ended.out
    ended = invoke(capsys, "search", found.directory, "gets", "--type", "pdf")
    assert "1 page would be without" in ended.err
    assert invoke(capsys, "search", found.directory.parent / "nowhere", "heat").code == 3


def test_an_archive_that_is_damaged_costs_its_pages_alone(found: app.Crawl, capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = (found.directory / "warc").iterdir()
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    ended = invoke(capsys, "search", found.directory, "welcome")
    assert ended.code == 0
    assert "damaged: " in ended.err


def test_a_page_that_is_taken_out_of_the_index_meanwhile_is_not_found(
    found: app.Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    found.index()
    texts = Fts5Index.texts

    def without_the_first(index: Fts5Index, numbers: list[int]) -> dict[int, bytes]:
        # As the index is when another process has brought it up to date between the two questions.
        rows = texts(index, numbers)
        return {number: text for number, text in rows.items() if b"oil" not in zlib.decompress(text)}

    monkeypatch.setattr(Fts5Index, "texts", without_the_first)
    assert urls(found.search("subsidy")) == ["/en"]
