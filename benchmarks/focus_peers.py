"""dowse beside other focused crawlers: how many of the pages that each fetches are about the topic.

    DOWSE_DATA=/path/to/data python -m benchmarks.focus_peers [CONTENDER ...] [--case TEXT] [--docs]

Every crawler runs on its own over the webs of benchmarks/focus_peer_cases.py, with the same words, one seed and 300
pages, through the proxy of benchmarks/web_proxy.py, whose log says what was fetched and in which order. What is named
is measured; everything measured so far is kept and printed as one table. Without a name nothing is measured anew.
Peers are installed by pip, each into an environment of its own below the benchmarks' cache.

Exit status: 0 the table was printed, 2 there is nothing to measure with.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import msgspec
from msgspec import Struct

from benchmarks.cache import ROOT, Unavailable, scratch
from benchmarks.focus_harvest import BUDGET, EARLY, Run, counted, means
from benchmarks.focus_peer_cases import Case, cases
from benchmarks.process import environment
from benchmarks.report import Result, now, remember, write_manual
from benchmarks.tables import Cell, Column, Table, as_text
from benchmarks.web_proxy import WebProxy

LONGEST = 600.0
"""Seconds that a crawl may take; then it counts as it is."""

_PROJECT = Path(__file__).parent.parent
_RIVALS = _PROJECT / "benchmarks" / "rivals"
_SAVED = ROOT / "focus-peers"
_DOWSE = (
    *("-m", "dowse", "focus", "{seed}", "--topic", "{words}", "--max-pages", "{budget}", "--scope", "domain"),
    *("--patience", "0", "--delay", "0", "--proxy", "{proxy}", "--allow-private", "-o", "{out}/crawl", "--quiet"),
)
_GIVEN = ("{proxy}", "{seed}", "{domain}", "{budget}", "{each_word}")


class Contender(NamedTuple):
    """A crawler: the package that pip installs ("" for dowse, which is here), and what Python is started with."""

    package: str
    arguments: tuple[str, ...]
    agent: str = ""  # what User-Agent has where pages are asked for, if other things are, too
    needs: str = ""  # another package, which it does not name among its own needs


def _rival(package: str, script: str, *ways: str, agent: str = "", needs: str = "") -> Contender:
    return Contender(package, (str(_RIVALS / script), *ways, *_GIVEN), agent, needs)


CONTENDERS = {
    "dowse": Contender("", _DOWSE),
    "dowse, one page at a time": Contender("", (*_DOWSE, "--concurrency", "1")),
    "dowse, breadth first": Contender("", (*_DOWSE, "--by", "breadth")),
    "Scrapy with priorities": _rival("scrapy", "scrapy_focus.py"),
    "ByteCrawl Shark-Search": _rival("bytecrawl", "bytecrawl_shark.py"),
    "Crawl4AI best first": _rival("crawl4ai", "crawl4ai_focus.py", "best-first"),
    "Crawl4AI adaptive": _rival("crawl4ai", "crawl4ai_focus.py", "adaptive", agent="crawl4ai-page"),
    "minet focus": _rival("minet", "minet_focus.py", needs="lxml_html_clean"),
}


class Measured(Struct):
    """All that was measured of one contender, by web and case; or why it could not be."""

    version: str = ""
    runs: dict[str, dict[str, Run]] = {}
    trouble: str = ""


def run(repeats: int) -> Table:
    """For the index of benchmarks: everybody, once; an order does not get better by being repeated."""
    asked = cases()
    for name in CONTENDERS:
        measure(name, asked)
    return table(_saved(), asked)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.focus_peers", description=__doc__)
    parser.add_argument("contenders", nargs="*", metavar="CONTENDER", help=f"one of: {'; '.join(CONTENDERS)}")
    parser.add_argument("--case", default="", help="measure only cases whose web or name has this")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/benchmarks.md")
    given = parser.parse_args(arguments)
    if unknown := set(given.contenders) - set(CONTENDERS):
        parser.error(f"no such contender: {', '.join(sorted(unknown))}")
    try:
        asked = cases()
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    for name in given.contenders:
        measure(name, [case for case in asked if given.case in f"{case.web}, {case.name}"])
    joined = table(_saved(), asked)
    remember(Result("focus_peers", now(), table=joined, text=as_text(joined)))
    print(as_text(joined))
    if given.docs:
        print("written:", *write_manual(["focus_peers"]))
    return 0


# One contender


def measure(name: str, asked: Sequence[Case]) -> None:
    """Run a contender on these cases and keep each beside those measured before, unless it has another version now."""
    contender = CONTENDERS[name]
    try:
        python, version = _environment(contender)
    except Unavailable as trouble:
        _keep(name, Measured(trouble=str(trouble)))
        return
    for case in asked:
        ran = _once(contender, python, case)
        print(f"  {name}, {case.web}, {case.name}: {ran}", file=sys.stderr, flush=True)
        found = _saved().get(name, Measured())
        if found.version != version:
            found = Measured(version)
        found.runs.setdefault(case.web, {})[case.name] = ran
        _keep(name, found)


def _environment(contender: Contender) -> tuple[str, str]:
    """The Python to start, and the version of what is measured; a peer is installed the first time."""
    if not contender.package:
        return sys.executable, _told(["git", "log", "-1", "--format=%cs (%h)", "--", "src"], cwd=_PROJECT)
    folder = ROOT / "peers" / contender.package
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        _told([sys.executable, "-m", "venv", "--clear", str(folder)])
        _told([str(python), "-m", "pip", "install", "--quiet", contender.package, *contender.needs.split()])
        (folder / "installed").touch()
    asked = f"from importlib.metadata import version; print(version({contender.package!r}))"
    return str(python), _told([str(python), "-c", asked])


def _told(command: list[str], cwd: Path | None = None) -> str:
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise Unavailable(f"{' '.join(command[-3:])} failed: {ended.stderr.strip()[-300:]}")
    return ended.stdout.strip()


def _once(contender: Contender, python: str, case: Case) -> Run:
    with scratch() as out, WebProxy(case.find, contender.agent) as proxy:
        values = {
            "proxy": proxy.url, "seed": case.seed, "domain": case.domain, "budget": str(BUDGET), "words": case.words,
            "out": str(out),
        }  # fmt: skip
        words = [word for part in contender.arguments for word in _filled(part, values)]
        started = time.perf_counter()
        with (out / "output.txt").open("wb") as stream:
            process = subprocess.Popen(
                [python, *words], cwd=out, stdout=stream, stderr=stream, env=_variables(contender, out)
            )
            cpu = _cpu_until_end(process, proxy, started)
        seconds = time.perf_counter() - started
        if not proxy.pages:
            raise RuntimeError(f"nothing was fetched: {(out / 'output.txt').read_text(errors='replace')[-800:]}")
        return counted(proxy.log, case.truth, seconds, cpu)


def _filled(part: str, values: dict[str, str]) -> list[str]:
    return values["words"].split() if part == "{each_word}" else [part.format(**values)]


def _variables(contender: Contender, out: Path) -> dict[str, str]:
    """A peer has a home of its own, to keep what it likes, and sees nothing of this environment's packages."""
    if not contender.package:
        return environment()
    return {"PATH": os.environ["PATH"], "HOME": str(out), "CRAWL4_AI_BASE_DIRECTORY": str(out)}


def _cpu_until_end(process: subprocess.Popen[bytes], proxy: WebProxy, started: float) -> float:
    """Wait until it ends, has had its pages, or takes too long; the processor time that it took."""
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_utime + used.ru_stime
        if proxy.pages >= BUDGET or time.perf_counter() - started > LONGEST:
            process.kill()
        time.sleep(0.02)


# What is kept, and the table of it


def _saved() -> dict[str, Measured]:
    """By contender, in the order of the table; each has a file, so that two can be measured at the same time."""
    files = {name: _SAVED / f"{name}.json" for name in CONTENDERS}
    return {
        name: msgspec.json.decode(file.read_bytes(), type=Measured) for name, file in files.items() if file.exists()
    }


def _keep(name: str, found: Measured) -> None:
    _SAVED.mkdir(parents=True, exist_ok=True)
    (_SAVED / f"{name}.json").write_bytes(msgspec.json.encode(found))


def table(saved: dict[str, Measured], asked: Sequence[Case]) -> Table:
    """A row for each web and contender: means over the topics of the web that all of them were measured on."""
    rows: list[list[Cell]] = []
    topics: dict[str, list[str]] = {}
    for web in dict.fromkeys(case.web for case in asked):
        runs = {name: one.runs[web] for name, one in saved.items() if web in one.runs}
        shared = [case for case in asked if case.web == web and all(case.name in each for each in runs.values())]
        if not runs or not shared:
            continue
        topics[web] = [case.name for case in shared]
        rows += [[name, web, *means([each[topic] for topic in topics[web]])] for name, each in runs.items()]
        best = [mean(min(limit, len(case.truth)) / limit for case in shared) for limit in (EARLY, BUDGET)]
        rows.append(["all that is relevant first", web, *best, *best, "", "", "", ""])
    told = {f"{CONTENDERS[name].package or 'dowse'} {one.version}": 0 for name, one in saved.items() if one.version}
    return Table(
        name="focus_peers",
        title=f"Relevant among {EARLY} and {BUDGET} pages and requests, beside other focused crawlers",
        columns=[
            Column("crawler"),
            Column("web"),
            *(Column(f"of {limit} {what}", "{:.3f}") for what in ("pages", "requests") for limit in (EARLY, BUDGET)),
            Column("pages", "{:.0f}"),
            Column("requests", "{:.0f}"),
            Column("seconds", "{:.0f}"),
            Column("CPU seconds", "{:.1f}"),
        ],
        rows=rows,
        notes=[
            f"measured: {', '.join(told)}",
            *(f"{web}: means over {'; '.join(names)}" for web, names in topics.items()),
            *(f"{name} could not be measured: {one.trouble}" for name, one in saved.items() if one.trouble),
        ],
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
