"""A crawl of any mode held against labels: what counts are the results of the mode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dowse import app
from dowse.config import make_job
from tests.commands import invoke
from tests.crawling import FAST
from tests.ruling import crawl_by, follow, keep
from tests.servers import Reply, Site

PAPERS = ("/1.pdf", "/2.pdf", "/other.pdf")


@pytest.fixture
def labels(site: Site, tmp_path: Path) -> str:
    """Three papers are wanted; the site has two of them, and one that nobody wants."""
    site.pages |= {
        "/": "<a href=/list>List</a> <a href=/about>About</a>",
        "/list": "<a href=/1.pdf>1</a> <a href=/2.pdf>2</a> <a href=/other.pdf>other</a>",
        "/about": "<title>About</title>",
        **{path: Reply(f"%PDF-1.4 {path}", headers={"Content-Type": "application/pdf"}) for path in PAPERS},
    }
    file = tmp_path / "labels.csv"
    file.write_text(f"url,relevant\n{site.url}1.pdf#page=2,1\n/2.pdf,1\n{site.url}3.pdf,1\n{site.url}about,0\n")
    return str(file)


def test_rules_are_measured_by_kept_links(
    site: Site, tmp_path: Path, labels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl_by(tmp_path, follow(site.url, "base>list", "/list"), keep(site.url, "list", r"\.pdf$"))
    found = json.loads(invoke(capsys, "evaluate", tmp_path / "out", "--truth", labels, "--json").out)
    assert (found["saved"], found["useful"], found["wanted"], found["pages"]) == (3, 2, 3, 2)
    assert (found["precision"], found["recall"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert found["seconds"] > 0
    lines = invoke(capsys, "evaluate", tmp_path / "out", "--truth", labels).out.splitlines()
    assert [line[:38].split() for line in lines[:3]] == [["kept", "links", "3"], ["useful", "2"], ["instructions", "2"]]
    assert lines[1].endswith("0.667 of those, 0.667 of 3 wanted")
    assert lines[3].startswith("time ")


def test_files_are_measured_by_files(
    site: Site, tmp_path: Path, labels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app.start(make_job("files", site.url, type=["pdf"], output=str(tmp_path / "out"), **FAST))
    found = json.loads(invoke(capsys, "evaluate", tmp_path / "out", "--truth", labels, "--json").out)
    assert (found["saved"], found["useful"], found["recall"]) == (3, 2, pytest.approx(2 / 3))
    assert invoke(capsys, "evaluate", tmp_path / "out", "--truth", labels).out.startswith("files  ")


def test_a_site_is_measured_by_pages(
    site: Site, tmp_path: Path, labels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app.start(make_job("site", site.url, output=str(tmp_path / "out"), **FAST))
    (tmp_path / "pages.txt").write_text(f"{site.url}about\n{site.url}list\n")
    found = json.loads(invoke(capsys, "evaluate", tmp_path / "out", "--truth", tmp_path / "pages.txt", "--json").out)
    assert (found["pages"], found["relevant"], found["found"]) == (3, 2, 1.0)
    assert found["harvest"] == pytest.approx(2 / 3)


def test_labels_of_another_site_are_refused(
    site: Site, tmp_path: Path, labels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl_by(tmp_path, keep(site.url, "base", "/list"))
    result = invoke(capsys, "evaluate", tmp_path / "out", "--truth", labels)
    assert result.code == 1
    assert "3 URLs" in result.err
    assert "none is among the kept links of this crawl" in " ".join(result.err.split())
