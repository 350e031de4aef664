"""Files are written whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from dowse.core.errors import CrawlError, FileUnwritable
from dowse.export.atomic_file import writing


def test_a_file_takes_its_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")
    with writing(str(path)) as stream:
        stream.write(b"after")
        stream.flush()
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert os.listdir(tmp_path) == ["a.csv"]


def fail(stream: BinaryIO, trouble: BaseException) -> None:
    stream.write(b"half")
    raise trouble


@pytest.mark.parametrize("trouble", [ValueError("a mistake"), KeyboardInterrupt(), CrawlError("damaged")])
def test_a_file_that_was_there_survives_trouble(tmp_path: Path, trouble: BaseException) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")
    with pytest.raises(type(trouble)), writing(str(path)) as stream:
        fail(stream, trouble)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_no_room_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(FileUnwritable, match=r"a\.csv cannot be written: No space left"), writing(str(path)):
        raise OSError(28, "No space left on device")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["none/a.csv", "", "a.csv/b.csv"])
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.csv").write_text("a file, no folder")
    path = tmp_path / name
    with pytest.raises(FileUnwritable, match="cannot be written"), writing(str(path)):
        pass
    assert os.listdir(tmp_path) == ["a.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_rights_are_kept_and_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("before")
    (tmp_path / "link.csv").symlink_to("real.csv")
    with writing(str(tmp_path / "link.csv")) as stream:
        stream.write(b"after")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "after"
    plain, private = tmp_path / "plain", tmp_path / "private"
    plain.touch()
    assert (tmp_path / "real.csv").stat().st_mode == plain.stat().st_mode
    private.touch(0o600)
    with writing(str(private)) as stream:
        stream.write(b"secret")
    assert private.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such device")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with writing("/dev/null") as stream:
        stream.write(b"x")
    assert not Path("/dev/null").is_file()
