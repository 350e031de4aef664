"""Names of code, and entry points of packages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from dowse.core.errors import JobError
from dowse.machine import plugins
from dowse.machine.plugins import installed, is_lasting, load_installed, reference_of, resolve


class Thing:
    def method(self) -> None: ...

    class Inner: ...


def function() -> None: ...


@pytest.mark.parametrize("thing", [function, Thing, Thing.Inner, Thing.method])
def test_what_is_at_the_top_of_a_module_is_found_by_its_name(thing: object) -> None:
    reference = reference_of(thing)
    assert is_lasting(reference)
    assert resolve("follow", reference) is thing


@pytest.mark.parametrize("thing", [lambda: None, Thing(), Thing().method, partial(function)])
def test_what_is_not_has_a_name_that_says_so(thing: object) -> None:
    assert not is_lasting(reference_of(thing))


def test_what_was_replaced_in_its_module_is_not_taken_for_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    before = function
    monkeypatch.setitem(globals(), "function", lambda: None)
    assert not is_lasting(reference_of(before))


def test_a_file_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from dataclasses import dataclass\n\n@dataclass\nclass A:\n    b: int = 1\n", encoding="utf-8")
    assert resolve("follow", f"{file}:A") is resolve("follow", f"{file}:A")


def test_a_mistake_in_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("a = 1\nb = a / 0\n", encoding="utf-8")
    with pytest.raises(JobError, match=r"cannot be imported: ZeroDivisionError: .* \(broken.py, line 2\)"):
        resolve("follow", f"{file}:a")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    forget()


def forget() -> None:
    plugins.installed.cache_clear()
    plugins._all_entry_points.cache_clear()


def test_packages_are_looked_for_and_nothing_is_imported(packages: Path) -> None:
    forget()
    assert installed("dowse.formats") == {}
    package = packages / "other-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Name: other\nVersion: 1.0\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[dowse.formats]\nbad = no_such_module:Format\n", encoding="utf-8")
    forget()
    assert list(installed("dowse.formats")) == ["bad"]
    assert installed("dowse.extractors") == {}
    with pytest.raises(JobError, match=r"bad of dowse.formats cannot be loaded from no_such_module:Format: ModuleNotF"):
        load_installed("dowse.formats", "bad")
