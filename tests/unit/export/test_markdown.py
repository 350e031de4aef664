"""Pages as Markdown: one text, lines of JSON, a folder."""

from __future__ import annotations

import doctest
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.errors import FileUnwritable
from dowse.export import markdown
from dowse.export.markdown import file_name, write_folder, write_lines, write_markdown


def test_documents_follow_each_other_with_their_front_matter() -> None:
    rows = [
        {"url": "http://a.example/1", "title": 'The "old": bridge', "date": "2024-03-05", "text": "# One\n\nText."},
        {"url": "http://a.example/2", "title": "", "language": "ja", "text": "\n市役所\n"},
        {"url": "http://a.example/3", "title": "Nothing"},
        {"url": "http://a.example/4", "text": " "},
        {"url": "http://a.example/5\n---", "text": "End"},
    ]
    stream = io.StringIO()
    assert write_markdown(rows, stream) == 3
    assert (
        stream.getvalue()
        == """---
url: "http://a.example/1"
title: "The \\"old\\": bridge"
date: "2024-03-05"
---

# One

Text.

---
url: "http://a.example/2"
language: "ja"
---

市役所

---
url: "http://a.example/5\\n---"
---

End
"""
    )


def test_no_rows_no_text() -> None:
    stream = io.StringIO()
    assert write_markdown([], stream) == 0
    assert stream.getvalue() == ""


ROWS = [
    {"url": "http://a.example/t/", "title": "T", "text": "# T"},
    {"url": "http://a.example/t/one.html", "title": "One", "language": "en", "text": "# One ü"},
    {"url": "http://a.example/t/One.htm", "text": "# Other"},
    {"url": "http://a.example/t/%2e%2e%2f%2e%2e%2fetc/x?q=/../../y", "text": "# Far"},
    {"url": "http://a.example/empty"},
]


def test_a_line_of_json_for_each_page() -> None:
    stream = io.StringIO()
    assert write_lines(ROWS, stream) == 4
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[1] == {"url": ROWS[1]["url"], "title": "One", "language": "en", "markdown": "# One ü"}


def test_a_file_for_each_page(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert write_folder(ROWS, folder) == 4
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    assert names[0].startswith("a.example/t/One-")
    assert names[1:] == ["a.example/t/etc/x-q=-..-..-y.md", "a.example/t/index.md", "a.example/t/one.md"]
    one = (folder / "a.example/t/one.md").read_text(encoding="utf-8")
    assert one == f'---\nurl: "{ROWS[1]["url"]}"\ntitle: "One"\nlanguage: "en"\n---\n\n# One ü\n'
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_with_something_in_it_stays(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    with pytest.raises(FileUnwritable, match="has something in it already"):
        write_folder(ROWS, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


def test_a_folder_that_is_not_finished_is_not_there(tmp_path: Path) -> None:
    def rows() -> Iterator[Mapping[str, Any]]:
        yield ROWS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(rows(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@given(st.text(min_size=1), st.text())
def test_files_are_below_the_folder(path: str, query: str) -> None:
    name = PurePosixPath(file_name(f"https://h.example/{path}?{query}", set()))
    assert not name.is_absolute()
    assert ".." not in name.parts
    assert all(len(part) < 130 for part in name.parts)


def test_examples_in_the_texts_are_true() -> None:
    assert doctest.testmod(markdown).failed == 0
