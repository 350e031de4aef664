"""The schedule of a watch in the words of systemd and cron."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dowse.core.errors import JobError
from dowse.core.options.watch_options import WatchOptions
from dowse.workflows.watch.own_scheduler import calendar_dates, command_of, cron_lines, cron_of_interval, systemd_units
from dowse.workflows.watch.schedule import Schedule
from tests.commands import invoke
from tests.crawling import crawl
from tests.servers import Site

ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="there is no systemd here")
BERLIN = ZoneInfo("Europe/Berlin")


def analyzed(*words: str) -> str:
    done = subprocess.run([str(ANALYZE), *words], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def write_units(text: str, folder: Path) -> list[Path]:
    """The units as a user would put them into files."""
    parts = re.split(r"^# \S+/(\S+\.(?:service|timer))$", text, flags=re.MULTILINE)
    paths = []
    for name, unit in zip(parts[1::2], parts[2::2], strict=True):
        paths.append(folder / name)
        paths[-1].write_text(unit, encoding="utf-8")
    return paths


@needs_systemd
@pytest.mark.parametrize(
    "options",
    [
        {"every": "6h", "jitter": "5m"},
        {"cron": "0 6 * * *", "timezone": "Europe/Berlin"},
        {"cron": "*/15 8-18 1,15 * MON-FRI"},
    ],
)
def test_systemd_takes_the_units(options: dict[str, Any], tmp_path: Path) -> None:
    command = [str(shutil.which("true")), "watch", "a 100% $HOME crawl", "--once", "--only-urls", 'a"b\\.c']
    text = systemd_units("a 100% crawl", command, tmp_path, WatchOptions(**options))
    service, timer = write_units(text, tmp_path)
    assert (service.name, timer.name) == ("dowse-a-100-crawl.service", "dowse-a-100-crawl.timer")
    assert "Unknown" not in analyzed("verify", "--man=no", str(service), str(timer))


@needs_systemd
@pytest.mark.parametrize(
    "cron",
    ["0 6 * * *", "*/20 8-18 * * MON-FRI", "30 4 1,15 * *", "30 4 1,15 * 5", "0 0 * * 7", "5 0 29 2 *", "30 2 * * *"],
)
def test_dates_of_systemd_are_those_of_the_expression(cron: str) -> None:
    schedule = Schedule(cron=cron, zone=BERLIN)
    begin = datetime(2026, 3, 20, 10, 7, tzinfo=UTC)
    moment, ours = begin.timestamp(), []
    for _ in range(8):
        moment = schedule.after(moment)
        ours.append(moment)
    theirs = []
    for date in calendar_dates(schedule):
        out = analyzed("calendar", "--iterations=8", f"--base-time={begin:%Y-%m-%d %H:%M:%S} UTC", date)
        theirs += [
            datetime.strptime(found, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC).timestamp()
            for found in re.findall(r"\(in UTC\): \w+ ([\d-]+ [\d:]+) UTC", out)
            or re.findall(r"(?:Next elapse|Iteration #\d+|Iter\. #\d+): \w+ ([\d-]+ [\d:]+) UTC", out)
        ]
    gap = datetime(2026, 3, 29, 1, 0, tzinfo=UTC).timestamp()
    ours = [date for date in ours if date != gap]  # the night without 02:30: systemd leaves it out
    assert sorted(set(theirs))[: len(ours)] == ours


def test_lines_for_cron() -> None:
    command = ["dowse", "watch", "out", "--once", "--only-urls", "50%"]
    lines = cron_lines(command, Path("/a b"), WatchOptions(cron="0 6 * * 1", timezone="Europe/Berlin"))
    assert lines.splitlines() == [
        "CRON_TZ=Europe/Berlin",
        r"0 6 * * 1 cd '/a b' && dowse watch out --once --only-urls 50\%",
    ]
    assert cron_lines(command[:4], Path("/a"), WatchOptions(every="15m")) == (
        "*/15 * * * * cd /a && dowse watch out --once"
    )


@pytest.mark.parametrize(
    ("every", "expression"),
    [(60, "* * * * *"), (300, "*/5 * * * *"), (3600, "0 * * * *"), (6 * 3600, "0 */6 * * *"), (86_400, "0 0 * * *")],
)
def test_intervals_that_cron_can_say(every: int, expression: str) -> None:
    assert cron_of_interval(every) == expression


@pytest.mark.parametrize("every", [30, 7 * 60, 7 * 3600, 90 * 60, 2 * 86_400])
def test_intervals_that_cron_cannot_say(every: int) -> None:
    with pytest.raises(JobError, match="cron cannot say this interval"):
        cron_of_interval(every)


def test_what_neither_can_say_is_refused() -> None:
    with pytest.raises(JobError, match="more than cron can do"):
        cron_lines(["dowse"], Path("/"), WatchOptions(cron="0 0 L * *"))
    with pytest.raises(JobError, match="cannot be said to systemd"):
        calendar_dates(Schedule(cron="0 0 * * 1#2", zone=BERLIN))


def test_the_command_has_all_but_the_schedule() -> None:
    given = {"every": "6h", "jitter": "5m", "budget": 20, "only_kinds": ("added", "removed")}
    words = ["dowse", "watch", "out", "--once", "--budget", "20", "--only-kinds", "added", "--only-kinds", "removed"]
    assert command_of("dowse", ["out"], given, keeps_jitter=False) == words  # type: ignore[arg-type]


def test_printing_runs_nothing(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/"] = "<p>Fish"
    crawl(tmp_path / "out", site.url)
    asked = len(site.log)
    printed = invoke(capsys, "watch", tmp_path / "out", "--every", "6h", "--budget", "20", "--print-systemd")
    assert printed.code == 0
    assert f"watch {tmp_path / 'out'} --once --budget 20\n" in printed.out
    assert "OnUnitActiveSec=21600s" in printed.out
    printed = invoke(capsys, "watch", tmp_path / "out", "--every", "6h", "--print-cron")
    assert printed.out.startswith("0 */6 * * * cd ")
    assert len(site.log) == asked
    assert not (tmp_path / "out" / "watch.db").exists()
