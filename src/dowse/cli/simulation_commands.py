"""The commands that measure: rankers tried out on stored pages, and a crawl held against labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from dowse.cli.crawl_commands import DIRECTORY, JSON, echo_lines, output_file, to_json
from dowse.cli.exits import EPILOG, Unfulfilled
from dowse.cli.options import JobCommand, given
from dowse.cli.terminal import say
from dowse.cli.wording import counted

if TYPE_CHECKING:
    from dowse.workflows.simulate import Simulated

TRUTH = "Labels: CSV with a column url (or path) and, where there is one, relevant; or one URL a line."
_SEEN = 0.0005
"""The smallest margin that three digits show."""

HEADS = ("harvest rate", "area", "found", "precision", "recall")


@click.command(cls=JobCommand, group="options", epilog=EPILOG)
@click.argument("place", metavar="DIR")
@click.option("--mode", default="", metavar="MODE", help="Mode to simulate.  [default: the one with rankers]")
@click.option("--by", default="breadth,keywords,learned", metavar="NAMES", help="Rankers, with commas between them.")
@click.option("--truth", metavar="FILE", help=TRUTH)
@click.option("--seeds", multiple=True, metavar="PAGE", help="URL or path to start from; a run for each.")
@click.option("--max-pages", type=int, default=300, metavar="N", help="Pages of each run.  [default: 300]")
@click.option("--plot", metavar="FILE", help="Draw the curves as an HTML page.")
@JSON
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def simulate(
    place: str,
    mode: str,
    by: str,
    truth: str | None,
    seeds: tuple[str, ...],
    max_pages: int,
    plot: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Replay a stored crawl, or a folder of pages, under several rankers and compare them. Nothing is fetched."""
    from dowse.cli import progress
    from dowse.workflows import simulate

    if max_pages < 1:
        raise click.UsageError(f"--max-pages: must be at least 1, got {max_pages}")
    asked: dict[str, Any] = {**given(), "max_pages": max_pages}
    with progress.counting("simulating", quiet=quiet) as told:
        results = simulate.simulate(place, [by], mode=mode, seeds=seeds, truth=truth, told=told, **asked)
    if plot is not None:
        subject = f"{asked['topic']}: " if "topic" in asked else ""
        _draw(results, f"{subject}rankers over {Path(place).resolve().name}", plot)
    if as_json:
        rankers = [{**to_builtins(each), "runs": len(each.runs)} for each in results]
        say(to_json({**asked, "rankers": rankers}))
    elif not quiet:
        echo_lines(_lines(results))
        if plot is not None:
            say(f"The curves are in {plot}")


@click.command(epilog=EPILOG)
@DIRECTORY
@click.option("--truth", required=True, metavar="FILE", help=TRUTH)
@JSON
def evaluate(directory: str, truth: str, as_json: bool) -> None:
    """Measure a crawl against labels: harvest rate, precision and recall."""
    from dowse import app
    from dowse.core.metrics import score
    from dowse.core.urls import resolve
    from dowse.workflows.labels import read_labels

    crawl = app.read(directory)
    pages, threshold = crawl.mode.measured(crawl)

    def address(text: str) -> str:
        """A path is one of the first seed's host."""
        return text if "://" in text else resolve(crawl.job.seeds[0], f"/{text.lstrip('/')}") or text

    labelled = read_labels(Path(truth), address)
    if labelled.isdisjoint(url for url, _ in pages):
        raise Unfulfilled(f"of {counted(len(labelled), 'relevant page')} in {truth} none was fetched by this crawl")
    found = score(pages, labelled, threshold)
    if as_json:
        say(to_json({**to_builtins(found), "threshold": threshold}))
        return
    echo_lines([
        f"{'pages fetched':<28}{found.pages:>10,}",
        f"{'  relevant':<28}{found.relevant:>10,}   harvest rate {found.harvest:.3f}, {found.found:.3f} of all",
        f"{'matched':<28}{'':>10}   precision {found.precision:.3f}, recall {found.recall:.3f}",
        f"{'area under the curve':<28}{found.area:>10.3f}",
    ])  # fmt: skip


def _lines(results: list[Simulated]) -> list[str]:
    rows = [("by", *HEADS), *((each.by, *_cells(each)) for each in results)]
    lines = [f"{by:<10}{''.join(f'{cell:<14}' for cell in cells)}".rstrip() for by, *cells in rows]
    if results and len(results[0].runs) > 1:
        lines.append(f"means of {counted(len(results[0].runs), 'run')} with 95 % confidence intervals")
    return lines


def _cells(result: Simulated) -> list[str]:
    means = (result.harvest, result.area, result.found, result.precision, result.recall)
    return [f"{each.value:.3f}" + (f" ±{each.margin:.3f}" if each.margin >= _SEEN else "") for each in means]


def _draw(results: list[Simulated], title: str, file: str) -> None:
    from dowse.export.atomic_file import as_text
    from dowse.export.report.curves import Curve, write_curves

    curves = [Curve(each.by, each.curve, _cells(each)) for each in results]
    with output_file(file) as stream, as_text(stream) as text:
        write_curves(title, HEADS, curves, text)
