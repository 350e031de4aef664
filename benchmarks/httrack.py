"""The table of the smart-crawler paper again: running time beside HTTrack on five real sites."""

from __future__ import annotations

from benchmarks.cache import Unavailable
from benchmarks.crawlers import HTTRACK, dowse
from benchmarks.runs import Run, compare
from benchmarks.sites import MANUALS, one_manual
from benchmarks.tables import Aim, Bars, Cell, Column, Table, at_most


def run(repeats: int) -> Table:
    if HTTRACK.missing():
        raise Unavailable(HTTRACK.missing())
    rows: list[list[Cell]] = []
    aims: list[Aim] = []
    for name in MANUALS:
        site = one_manual(name)
        ours, theirs = compare(site, (dowse(), HTTRACK), repeats)
        assert isinstance(ours, Run)
        assert isinstance(theirs, Run)
        ratio = ours.seconds / theirs.seconds
        rows.append([name, len(site.reachable), ours.pages, theirs.pages, ours.seconds, theirs.seconds, ratio])
        aims.append(at_most(f"{name}: time, times HTTrack's", ratio, 0.5))
    return Table(
        name="httrack",
        title="Running time beside HTTrack, one core",
        columns=[
            Column("site"),
            Column("reachable", "{:,}"),
            Column("pages, dowse", "{:,}"),
            Column("pages, HTTrack", "{:,}"),
            Column("dowse s", "{:.2f}"),
            Column("HTTrack s", "{:.2f}"),
            Column("ratio", "{:.2f}"),
        ],
        rows=rows,
        aims=aims,
        bars=Bars(6, "running time as a part of HTTrack's; a full bar would be as slow", full=1.0),
        highlight="",
    )
