"""The commands about rules, as a user meets them: what they print, where results go, and how they end."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dowse.modes.rules.rule_places import read_rules
from tests.commands import invoke
from tests.postgres import Server
from tests.processes import dowse
from tests.ruling import checked, follow, keep, write_table
from tests.servers import Site

QUICKLY = ("--delay", "0", "--per-host", "8")


@pytest.fixture
def table(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    site.pages |= {
        "/": "<main><a href=/a>The A</a><a href=/b>The B</a></main><a href=/c>c</a>",
        "/a": "<title>a</title><a href=/a.pdf>Paper A</a>",
        "/b": "<title>b</title><a href=/b.pdf>Paper B</a><a href=/a.pdf>Paper A</a>",
    }
    write_table(
        tmp_path / "papers.csv",
        follow(site.url, "base>page", tag="main"),
        keep(site.url, "page", r"\.pdf$"),
        keep(site.url, "page", r"\.doc$"),
    )
    return "papers.csv"


def test_run(table: str, site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = invoke(capsys, "rules", "run", table, *QUICKLY)
    assert result.code == 0
    assert "3 pages" in result.out
    assert "kept                                               2   papers/keep.csv" in result.out
    assert "row 3 matched nothing on 2 pages: is it right?" in result.out
    assert "dowse export papers kept --to csv -f kept.csv" in result.out
    checked(tmp_path / "papers")
    exported = invoke(capsys, "export", "papers", "kept").out.splitlines()
    assert (
        exported[0]
        == "url,anchor,found_on,page_type,rule,base,context,title,rel,media_type,size,last_modified,first_seen"
    )
    assert [line.split(",")[1] for line in exported[1:]] == ["Paper A", "Paper B"]
    followed = invoke(capsys, "export", "papers", "followed", "--to", "jsonl").out.splitlines()
    assert [json.loads(line)["to_type"] for line in followed] == ["page", "page"]


def test_why_tells_the_rule(table: str, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    invoke(capsys, "rules", "run", table, "-o", "out", "-q", *QUICKLY)
    kept = invoke(capsys, "why", "out", f"{site.url}a.pdf").out
    assert "state            kept\n" in kept
    assert f"kept by          rule 2, on {site.url}a (page type page)" in kept
    page = invoke(capsys, "why", "out", f"{site.url}a").out
    assert f"page type        page, by rule 1, on {site.url} (page type base)" in page
    assert f'instruction      {{"baseURL":"{site.url}","urlToCrawl":"{site.url}a","keepRules":[' in page
    assert "page type        base, the base URL" in invoke(capsys, "why", "out", site.url).out


def test_instruction(table: str, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    invoke(capsys, "rules", "run", table, "-o", "out", "-q", "--max-pages", "2", *QUICKLY)
    shown = json.loads(invoke(capsys, "rules", "instruction", "out", f"{site.url}a").out)
    assert shown["urlToCrawl"] == f"{site.url}a"
    assert [rule["pattern"] for rule in shown["keepRules"]] == [r"\.pdf$", r"\.doc$"]
    lines = invoke(capsys, "rules", "instruction", "out").out.splitlines()
    assert [json.loads(line)["urlToCrawl"] for line in lines] == [site.url, f"{site.url}a"]
    waiting = invoke(capsys, "rules", "instruction", "out", f"{site.url}b")
    assert json.loads(waiting.out)["urlToCrawl"] == f"{site.url}b"
    assert "not crawled yet" in waiting.err
    result = invoke(capsys, "rules", "instruction", "out", f"{site.url}a.pdf")
    assert (result.code, "no rule leads to it as a page" in result.err) == (1, True)
    assert invoke(capsys, "rules", "instruction", "out", f"{site.url}never").code == 1


def test_a_crawl_of_another_mode_has_no_instruction_for_a_page_either(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/"] = "<title>home</title>"
    out = tmp_path / "out"
    invoke(capsys, "site", site.url, "-o", out, "-q", *QUICKLY)
    of_all = invoke(capsys, "rules", "instruction", out)
    assert (of_all.code, "it was not made by dowse rules run" in of_all.err) == (3, True)
    assert invoke(capsys, "rules", "instruction", out, site.url) == of_all


def test_a_kept_file_that_is_followed_too_is_not_said_to_wait(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages |= {"/": "<a href=/a.pdf>Paper A</a><a href=/gone>gone</a>"}
    table = write_table(tmp_path / "both.csv", keep(site.url, "base", r"\.pdf$"), follow(site.url, "base>any"))
    out = tmp_path / "out"
    invoke(capsys, "rules", "run", table, "-o", out, "-q", *QUICKLY)
    told = " ".join(invoke(capsys, "why", out, f"{site.url}a.pdf").out.split())
    assert "(page type base); it is kept and not fetched, so its rules are not applied" in told
    told = " ".join(invoke(capsys, "why", out, f"{site.url}gone").out.split())
    assert "(page type base); no page came, so its rules are not applied" in told


def test_rows_with_errors_are_named_and_the_others_go_on(
    table: str, site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_table(
        tmp_path / "papers.csv",
        follow(site.url, "base>page", tag="main"),
        keep(site.url, "page", r"\.pdf$"),
        keep(site.url, "page", "("),
        keep("http://127.0.0.1:1/", "elsewhere"),
        keep(site.url, "nowhere"),
    )
    result = invoke(capsys, "rules", "run", table, "-o", "out", "-q", *QUICKLY)
    assert result.code == 1
    assert "error: row 3 (line 4), column pattern: '(' is not a regular expression" in result.err
    assert "error: row 4, column fromType: no rule for http://127.0.0.1:1/ starts there" in result.err
    assert "2 errors in the rule table, whose rows were left out" in result.err
    assert "warning" not in result.err, "quiet"
    assert len(checked(tmp_path / "out").kept) == 2
    loud = invoke(capsys, "rules", "run", table, "-o", "again", "--no-bodies", *QUICKLY)
    assert "warning: row 5, column fromType: nothing leads to pages of type 'nowhere'" in loud.err
    assert "warning: without bodies, a page that gets a second page type is fetched again" in loud.err
    assert "dowse export again kept --to csv -f kept.csv" in loud.out, "the other rows have kept links"


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["rules", "run", "missing.csv"], 2, "missing.csv: No such file"),
        (["rules", "run", "table.txt"], 2, "table.txt: a rule table is a file that ends in .csv"),
        (["rules", "run", "sqlite:///missing.db"], 2, "missing.db: there is no such file"),
        (["rules", "run", "postgresql://127.0.0.1:1/x"], 2, "postgresql://127.0.0.1:1/x: connection failed"),
        (["rules", "check", "missing.csv"], 2, "missing.csv: No such file"),
        (["rules", "import", "missing.csv", "sqlite:///x.db"], 2, "missing.csv: No such file"),
        (["rules", "run"], 2, "Missing argument 'TABLE'"),
        (["rules", "run", "papers.csv", "--table", "x"], 2, "No such option"),
        (["site", "http://127.0.0.1:1/", "--table", "x.csv"], 2, "No such option"),
        (["rules", "instruction", "nothing"], 3, "there is no crawl in nothing"),
    ],
)
def test_wrong_usage(table: str, words: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = invoke(capsys, *words)
    assert result.code == code
    assert says in result.err
    assert not Path("x.db").exists()


def test_check(table: str, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    result = invoke(capsys, "rules", "check", table, *QUICKLY)
    assert result.code == 0
    assert result.out.splitlines()[0] == "papers.csv: 3 rules can be used; 1 page fetched to try them"
    assert "row 1   follow base -> page          tag main\n          2 links\n" in result.out
    assert f"            {site.url}a\n" in result.out
    assert "not tried: no page of type page was fetched; give more --max-pages" in result.out
    assert site.paths() == ["/"], "only the base pages are fetched"
    more = invoke(capsys, "rules", "check", table, "--max-pages", "9", "--json", *QUICKLY)
    found = json.loads(more.out)
    assert [(each["pages"], each["links"]) for each in found["rules"]] == [(1, 2), (2, 3), (2, 0)]
    assert "warning: it matches nothing" in invoke(capsys, "rules", "check", table, "--max-pages", "9", *QUICKLY).out
    assert not Path("papers").exists()


def test_check_says_what_is_wrong(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/"] = "<a href=/a>a</a>"
    down = "http://127.0.0.1:1/"
    bad = write_table(tmp_path / "bad.csv", keep(site.url, "base"), keep(site.url, "base", "("), keep(down, "base"))
    result = invoke(capsys, "rules", "check", bad, "--retries", "0", *QUICKLY)
    assert result.code == 1
    assert "error: row 2 (line 3), column pattern" in result.out
    assert "http://127.0.0.1:1/  could not be fetched: connect" in result.out
    assert "1 error, 1 base URL that could not be fetched" in result.err


def test_import_and_export(table: str, capsys: pytest.CaptureFixture[str], postgres_server: Server) -> None:
    place = postgres_server.database()
    for there in ("sqlite:///rules.db", place, "rules.toml"):
        assert "3 rules written" in invoke(capsys, "rules", "import", table, there).err
        assert "0 rules written" in invoke(capsys, "rules", "import", table, there).err
        assert invoke(capsys, "rules", "import", table, there, "--replace").code == 0
        assert read_rules(there).rules == read_rules(table).rules
    shown = invoke(capsys, "rules", "export", place).out
    assert shown.splitlines()[0] == "baseURL,ruleType,fromType,toType,pattern,id,class,tag,filterField,filterValue"
    assert json.loads(invoke(capsys, "rules", "export", place, "--to", "json").out)[0]["tag"] == "main"
    assert invoke(capsys, "rules", "export", place, "copy.json").code == 0
    refused = invoke(capsys, "rules", "export", place, "copy.json")
    assert (refused.code, "copy.json has rules; --replace overwrites them" in refused.err) == (2, True)
    assert invoke(capsys, "rules", "export", place, "copy.json", "--replace").code == 0
    assert read_rules("copy.json").rules == read_rules(table).rules


def test_a_job_file_of_rules(table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(capsys, "rules", "run", table, "--save", "job.toml", "-o", "out", *QUICKLY).code == 0
    assert 'table = "papers.csv"' in Path("job.toml").read_text()
    assert invoke(capsys, "run", "job.toml", "-q").code == 0
    assert len(checked(tmp_path / "out").kept) == 2


def test_rules_can_be_read_out_of_a_crawl(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    invoke(capsys, "rules", "run", table, "-o", "out", "-q", *QUICKLY)
    assert invoke(capsys, "rules", "export", "sqlite:///out/crawl.db").out.count("\n") == 4
    with closing(sqlite3.connect("out/crawl.db")) as connection:
        assert connection.execute("SELECT count(*) FROM rules").fetchone() == (3,)


def test_the_demo_tells_the_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dowse-demo").mkdir()
    result = dowse("demo")
    assert result.code == 0
    assert "Four rules say how to get there, in dowse-demo-2/rules.csv:" in result.out
    assert "27 documents kept (dowse-demo-2/keep.csv), the first of them:" in result.out
    assert "It took 13 pages.\nA crawl of everything, run just now for comparison, took 163: 13 times" in result.out
    told = result.out.partition("dowse why ")[0]
    assert [line for line in told.splitlines() if len(line) > 80] == []
    assert "kept by          rule 4, on http://127.0.0.1:" in result.out
    found = checked(tmp_path / "dowse-demo-2")
    assert all("international" in row["url"] for row in found.kept)
    refused = dowse("demo", "--table", "mine.csv", "-o", tmp_path / "none")
    assert refused.code == 2
    assert "dowse rules run TABLE" in refused.err
    assert not (tmp_path / "none").exists()
    silent = dowse("demo", "--json", "-o", tmp_path / "other")
    assert json.loads(silent.out)["pages_of_everything"] == 163
