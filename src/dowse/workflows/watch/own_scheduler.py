"""The same schedule in the words of systemd and cron, for those who have their own scheduler.

What these run is `dowse watch --once`: one run, its notifications, and the end.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from cronsim import CronSim

from dowse.core.errors import JobError
from dowse.core.options.watch_options import WatchOptions
from dowse.settings import Value
from dowse.workflows.watch.schedule import Schedule, make_schedule

_DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60
_SCHEDULING = ("every", "cron", "timezone")


def systemd_units(name: str, command: Sequence[str], folder: Path, options: WatchOptions) -> str:
    """A service and a timer."""
    schedule = make_schedule(options, "")
    jitter = [f"RandomizedDelaySec={schedule.jitter}s"] if schedule.jitter else []
    words = [_for_systemd(word) for word in command]
    service = [
        "[Unit]",
        f"Description=dowse watch {_for_systemd(name, quoted=False)}",
        "Wants=network-online.target",
        "After=network-online.target",
        "",
        "[Service]",
        "Type=oneshot",
        f"WorkingDirectory={_for_systemd(str(folder), quoted=False)}",
        f"ExecStart={' '.join(words)}",
    ]
    timer = [
        "[Unit]",
        f"Description=dates of dowse watch {_for_systemd(name, quoted=False)}",
        "",
        "[Timer]",
        *_timer_dates(schedule),
        *jitter,
        "",
        "[Install]",
        "WantedBy=timers.target",
    ]
    unit = f"dowse-{re.sub(r'[^A-Za-z0-9_.-]+', '-', name).strip('-.') or 'watch'}"
    place = "~/.config/systemd/user"
    return "\n".join(
        (
            f"# {place}/{unit}.service",
            *service,
            "",
            f"# {place}/{unit}.timer",
            *timer,
            "",
            f"# then: systemctl --user daemon-reload && systemctl --user enable --now {unit}.timer",
        )
    )


def _timer_dates(schedule: Schedule) -> list[str]:
    if schedule.every:
        return ["OnActiveSec=1s", f"OnUnitActiveSec={schedule.every}s", "AccuracySec=1s"]
    return [*(f"OnCalendar={date}" for date in calendar_dates(schedule)), "Persistent=true"]


def calendar_dates(schedule: Schedule) -> list[str]:
    """A cron expression as systemd writes dates; two where cron has day of month or day of week."""
    cron = _parsed(schedule)
    if any(not isinstance(day, int) or day < 0 for day in [*cron.days, *cron.weekdays]):
        raise JobError(f"cron: {schedule.cron!r} cannot be said to systemd; let dowse watch run as a service instead")
    days = {int(str(day)) for day in cron.weekdays}
    weekdays = {day % 7 for day in days}
    week = "" if len(weekdays) == 7 else ",".join(_DAYS[day] for day in sorted(weekdays)) + " "
    month, day = _field(cron.months, 12), _field(cron.days, 31)
    seconds = _field(cron.seconds, 60)
    clock = f"{_field(cron.hours, 24)}:{_field(cron.minutes, 60)}:{seconds}"
    zone = f" {schedule.zone.key}" if schedule.zone is not None and schedule.zone.key else ""
    if week and day != "*" and not cron.day_and:
        return [f"*-{month}-{day} {clock}{zone}", f"{week}*-{month}-* {clock}{zone}"]
    return [f"{week}*-{month}-{day} {clock}{zone}"]


def _field(numbers: Iterable[int], whole: int) -> str:
    found = sorted(numbers)
    return "*" if len(found) == whole else ",".join(f"{number:02}" for number in found)


def _parsed(schedule: Schedule) -> CronSim:
    return CronSim(schedule.cron, datetime(2026, 1, 1, tzinfo=UTC))


def _for_systemd(word: str, *, quoted: bool = True) -> str:
    """A word of a unit file: % and $ are its own signs, and a word with others stands in quotes."""
    text = word.replace("%", "%%")
    if not quoted:
        return text
    text = text.replace("$", "$$")
    if re.fullmatch(r"[\w@%+=:,./$~-]+", text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def cron_lines(command: Sequence[str], folder: Path, options: WatchOptions) -> str:
    """Lines for crontab -e."""
    schedule = make_schedule(options, "")
    expression = cron_of_interval(schedule.every) if schedule.every else schedule.cron
    if len(expression.split()) != 5 or re.search("[L#]", expression):
        raise JobError(f"cron: {expression!r} is more than cron can do; it takes five fields of numbers")
    act = f"cd {shlex.quote(str(folder))} && {shlex.join(command)}".replace("%", r"\%")
    zone = [f"CRON_TZ={options.timezone}"] if options.timezone else []
    return "\n".join((*zone, f"{expression} {act}"))


def cron_of_interval(every: int) -> str:
    """An interval as a cron expression; it must part an hour or a day evenly.

    >>> cron_of_interval(900), cron_of_interval(6 * 3600), cron_of_interval(7 * 86400)
    ('*/15 * * * *', '0 */6 * * *', '0 0 * * 0')
    """
    if every == 7 * _DAY:
        return "0 0 * * 0"
    if every == _DAY:
        return "0 0 * * *"
    if every < _HOUR and every % _MINUTE == 0 and _HOUR % every == 0:
        return f"*/{every // _MINUTE} * * * *" if every > _MINUTE else "* * * * *"
    if every < _DAY and every % _HOUR == 0 and _DAY % every == 0:
        return f"0 */{every // _HOUR} * * *" if every > _HOUR else "0 * * * *"
    raise JobError("every: cron cannot say this interval; give cron = '0 6 * * *', or take --print-systemd")


def command_of(program: str, places: Sequence[str], given: dict[str, Value], *, keeps_jitter: bool) -> list[str]:
    """The command that a scheduler runs: the same without the schedule."""
    words = [program, "watch", *places, "--once"]
    for name, value in given.items():
        if name in _SCHEDULING or (name == "jitter" and not keeps_jitter):
            continue
        for item in value if isinstance(value, tuple) else (value,):
            words += [f"--{name.replace('_', '-')}", str(item)]
    return words
