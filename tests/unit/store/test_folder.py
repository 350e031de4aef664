"""The lock of a folder: who has it, and who only looks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from dowse.store.folder import is_running, take_over


def test_those_who_look_at_the_same_time_do_not_take_each_other_for_a_run(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as lookers:
        assert not any(lookers.map(lambda _: is_running(tmp_path), range(400)))
        with closing(take_over(tmp_path)):
            assert all(lookers.map(lambda _: is_running(tmp_path), range(16)))
