"""Folders of pages as webs."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.workflows.replay_sources import HOST, FolderWeb


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<title>A</title>")
    (tmp_path / "secret.html").write_text("<title>Not of the folder</title>")
    return tmp_path / "pages"


def test_a_folder_may_be_named_by_a_way_around(folder: Path) -> None:
    web = FolderWeb(folder / ".." / "pages")
    assert web.has(f"{HOST}a.html")
    assert list(web.urls()) == [f"{HOST}a.html"]


@pytest.mark.parametrize("name", ["../secret.html", "%2e%2e/secret.html", "x/../../secret.html"])
def test_what_is_outside_of_it_is_not_found(folder: Path, name: str) -> None:
    assert not FolderWeb(folder).has(HOST + name)
