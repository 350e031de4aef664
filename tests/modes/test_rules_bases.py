"""One table for many sites: a crawl of some of its base URLs."""

from __future__ import annotations

from pathlib import Path

import pytest

import dowse
from dowse.modes.rules.rule_places import copy_rules
from tests.commands import invoke
from tests.crawling import FAST
from tests.ruling import checked, crawl_table, keep, kept, write_table
from tests.servers import Site


@pytest.fixture
def table(site: Site, tmp_path: Path) -> str:
    """Rules for three base URLs; those of the last cannot be used."""
    site.pages |= {"/one": "<a href=/1.pdf>1</a><a href=/1.doc>1</a>", "/two": "<a href=/2.pdf>2</a>"}
    return write_table(
        tmp_path / "sites.csv",
        keep(f"{site.url}one", "base", r"\.pdf$"),
        keep(f"{site.url}two", "base", r"\.pdf$"),
        keep(f"{site.url}three", "base", "("),
    )


def test_one_base_url_of_a_table_is_crawled(site: Site, table: str, tmp_path: Path) -> None:
    found = crawl_table(tmp_path / "out", table, base=[f"{site.url}two"])
    assert (site.paths(), kept(found)) == (["/two"], ["/2.pdf"])
    assert found.rules.bases == (f"{site.url}two",)
    assert not found.rules.errors, "what is wrong with rules of other sites is of no concern"
    both = crawl_table(tmp_path / "both", table, base=[f"{site.url}two", f"{site.url}one"])
    assert sorted(kept(both)) == ["/1.pdf", "/2.pdf"]


def test_a_crawl_of_one_base_url_stays_there(site: Site, table: str, tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path}/rules.db#sites"
    write_table(tmp_path / "good.csv", keep(f"{site.url}one", "base"), keep(f"{site.url}two", "base"))
    copy_rules(str(tmp_path / "good.csv"), place, replace=False)
    crawl_table(tmp_path / "out", place, base=[f"{site.url}one"])
    dowse.recrawl(str(tmp_path / "out"), delay=0.0)
    assert set(site.paths()) == {"/one"}
    assert kept(checked(tmp_path / "out")) == ["/1.pdf", "/1.doc"]
    with pytest.raises(dowse.JobError, match="base: cannot be changed in a crawl that has begun"):
        dowse.resume(str(tmp_path / "out"), base=[f"{site.url}two"])


def test_the_command_names_the_base_urls_there_are(
    site: Site, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = invoke(capsys, "rules", "run", table, "--base", f"{site.url}four")
    assert wrong.code == 2
    said = " ".join(wrong.err.split())
    assert (
        f"no rule is for the base URL {site.url}four; there are {site.url}one, {site.url}two, {site.url}three" in said
    )
    assert invoke(capsys, "rules", "run", table, "--base", f"{site.url}one", "--delay", "0", "-q").code == 0
    [folder] = [path.name for path in tmp_path.iterdir() if path.is_dir()]
    assert folder.startswith("sites-127.0.0.1"), "crawls of other base URLs have folders of their own"
    tried = invoke(capsys, "rules", "check", table, "--base", f"{site.url}two")
    assert "1 rule can be used" in tried.out
    assert site.paths().count("/two") == 1


def test_a_job_has_its_base_urls(site: Site, table: str, tmp_path: Path) -> None:
    found = dowse.rules(table, base=[f"{site.url}one"], output=str(tmp_path / "out"), **FAST)
    assert found.job.options.base == (f"{site.url}one",)  # type: ignore[attr-defined]
