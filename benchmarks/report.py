"""What was measured, kept from run to run, and written into the manual: docs/benchmarks.md between its markers."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.cache import ROOT
from benchmarks.charts import chart
from benchmarks.tables import Table, as_markdown

_PROJECT = Path(__file__).parent.parent
_MANUAL = _PROJECT / "docs" / "benchmarks.md"
_PICTURES = _PROJECT / "docs" / "img"
_RESULTS = ROOT / "results.json"


class Result(Struct):
    """What one topic said last: a table, or the lines it printed, or why it did not run; `missed` if aims were."""

    topic: str
    measured: str
    table: Table | None = None
    text: str = ""
    skipped: str = ""
    missed: bool = False
    repeats: int = 0


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def remember(result: Result) -> None:
    """Keep a result. One that was skipped does not replace one that was measured."""
    results = _remembered()
    if not result.skipped or result.topic not in results:
        results[result.topic] = result
    _RESULTS.parent.mkdir(parents=True, exist_ok=True)
    _RESULTS.write_bytes(msgspec.json.encode(results))


def write_manual(topics: Collection[str] = ()) -> list[Path]:
    """Put the remembered results into the manual, those of some topics or of all; the answer is the files written."""
    text = _filled(_MANUAL.read_text(), "machine", _machine())
    written = [_MANUAL]
    for topic, result in _remembered().items():
        if topics and topic not in topics:
            continue
        text = _filled(text, topic, _section(result))
        if result.table is not None and (drawn := chart(result.table)):
            _PICTURES.mkdir(parents=True, exist_ok=True)
            picture = _PICTURES / f"{result.table.name}.svg"
            picture.write_text(drawn)
            written.append(picture)
    _MANUAL.write_text(text)
    return written


def _remembered() -> dict[str, Result]:
    if not _RESULTS.exists():
        return {}
    return msgspec.json.decode(_RESULTS.read_bytes(), type=dict[str, Result])


def _section(result: Result) -> str:
    if result.skipped:
        return f"Not run: {result.skipped}.\n"
    body = as_markdown(result.table) if result.table is not None else f"```text\n{result.text.rstrip()}\n```\n"
    repeats = f" --repeats {result.repeats}" if result.repeats else ""
    return f"{body}\n`python -m benchmarks {result.topic}{repeats}`, {result.measured}\n"


def _filled(text: str, name: str, section: str) -> str:
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{_MANUAL} has no place for {name}: add {start} and {end}")
    return pattern.sub(lambda _: f"{start}\n\n{section}\n{end}", text)


def _machine() -> str:
    model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    processor = f"{model[1] if model else platform.machine()}, {len(os.sched_getaffinity(0))} cores"
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    return f"{processor}, {memory:.0f} GB of memory, {system}.\n"
