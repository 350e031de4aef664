"""What a watch must not forget."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.core.errors import CrawlError, CrawlLocked
from dowse.store.watch_book import FILE, WatchBook

BODY = b'{"a":1}'


def test_facts_and_messages_are_there_after_a_restart(tmp_path: Path) -> None:
    with WatchBook(tmp_path) as book:
        assert book.fact("covered") is None
        book.note(covered=5.5, running=1.0)
        book.add(12, 100.0, [("one", "webhook", BODY), ("two", "email", BODY)])
        book.begin("one")
    with WatchBook(tmp_path) as book:
        assert (book.fact("covered"), book.fact("told")) == (5.5, 12)
        assert [each.id for each in book.ready(["webhook", "email"])] == ["two"], "one was on its way"
        assert book.ready(["command"]) == []
        assert book.unclear() == [("one", "webhook")]
        assert book.unclear() == []


def test_a_message_is_ready_again_or_settled_for_good(tmp_path: Path) -> None:
    with WatchBook(tmp_path) as book:
        book.add(1, 100.0, [("one", "webhook", BODY)])
        book.begin("one")
        book.again("one", 130.0)
        assert [each[1:] for each in book.ready(["webhook"])] == [("webhook", 1, 130.0, BODY)]
        book.begin("one")
        book.settle("one", "sent")
        assert book.ready(["webhook"]) == []


def test_a_folder_has_one_watch(tmp_path: Path) -> None:
    with WatchBook(tmp_path), pytest.raises(CrawlLocked, match="another dowse watch has"):
        WatchBook(tmp_path)
    WatchBook(tmp_path).close()


def test_what_it_quotes_is_for_its_owner(tmp_path: Path) -> None:
    with WatchBook(tmp_path / "new", private=True):
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "new" / FILE).stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to have a header" * 100)
    with pytest.raises(CrawlError, match=r"watch\.db: file is not a database; remove the file"):
        WatchBook(tmp_path)
    (tmp_path / FILE).unlink()
    WatchBook(tmp_path).close()


def test_a_file_that_leads_out_of_the_folder_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CrawlError, match="leads out of its folder"):
        WatchBook(tmp_path / "out")
    assert not (tmp_path / "elsewhere").exists()
