"""The file of a log-in: whole at every moment, for its owner alone, and renewed by one at a time."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from dowse.fetch.login import MadeBy, locked_profile, read_profile, write_profile

MADE_BY = MadeBy("http://127.0.0.1/login", ("click button",))


def storage(number: int, cookies: int) -> dict[str, object]:
    cookie = {"value": str(number), "domain": "e.org", "path": "/", "expires": -1, "httpOnly": True, "secure": False}
    return {"cookies": [{"name": f"c{each}", **cookie} for each in range(cookies)], "origins": []}


def test_a_log_in_is_whole_whenever_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "me.json"
    path.write_text("{}")
    path.chmod(0o644)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    write_profile(str(link), storage(0, 300), MADE_BY)
    done = threading.Event()

    def write() -> None:
        for number in range(50):
            write_profile(str(link), storage(number, 300), MADE_BY)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while not done.is_set() and writer.is_alive():
            profile = read_profile(str(link))
            assert len(profile.storage["cookies"]) == 300
            assert profile.made_by == MADE_BY
    finally:
        writer.join()
    assert path.stat().st_mode & 0o077 == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.json", "me.json"]
    assert link.is_symlink()


def test_one_at_a_time_renews_a_log_in(tmp_path: Path) -> None:
    path = str(tmp_path / "me.json")
    inside: list[int] = []

    async def renew(number: int) -> None:
        async with locked_profile(path):
            inside.append(number)
            await asyncio.sleep(0.05)
            assert inside[-1] == number

    async def both() -> None:
        await asyncio.gather(renew(1), renew(2))

    asyncio.run(both())
    assert sorted(inside) == [1, 2]
