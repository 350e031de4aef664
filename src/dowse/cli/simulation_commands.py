"""The commands that measure: rankers tried out on stored pages, and a crawl held against labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from dowse.cli.crawl_commands import DIRECTORY, JSON, echo_lines, output_file, to_json
from dowse.cli.exits import EPILOG, Unfulfilled
from dowse.cli.options import JobCommand, given
from dowse.cli.terminal import say
from dowse.cli.wording import counted
from dowse.core.phrasing import span_text
from dowse.modes.mode import PAGES, Mode

if TYPE_CHECKING:
    from dowse.workflows.evaluate import Evaluation
    from dowse.workflows.simulate import Simulated

TRUTH = "Labels: CSV with a column url (or path) and, where there is one, relevant; or one URL a line."
_SEEN = 0.0005
"""The smallest margin that three digits show."""

HEADS = ("harvest rate", "area", "found", "precision", "recall")


@click.command(cls=JobCommand, groups=("options",), epilog=EPILOG)
@click.argument("place", metavar="DIR")
@click.option("--mode", default="", metavar="MODE", help="Mode to simulate.  [default: the one with rankers]")
@click.option("--by", default="breadth,keywords,learned", metavar="NAMES", help="Rankers, with commas between them.")
@click.option("--truth", metavar="FILE", help=TRUTH)
@click.option("--seeds", multiple=True, metavar="PAGE", help="URL or path to start from; a run for each.")
@click.option("--max-pages", type=int, default=300, metavar="N", help="Pages of each run.  [default: 300]")
@click.option(
    "--robots",
    type=click.Choice(["obey", "ignore"]),
    default="ignore",
    help="Whether the robots.txt files of the crawl are obeyed.  [default: ignore]",
)
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
    robots: str,
    plot: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Replay a stored crawl, or a folder of pages, under several rankers and compare them. Nothing is fetched."""
    from dowse.cli import progress
    from dowse.workflows import simulate

    if max_pages < 1:
        raise click.UsageError(f"--max-pages: must be at least 1, got {max_pages}")
    asked: dict[str, Any] = {**given(), "max_pages": max_pages, "robots": robots}
    with progress.counting("simulating", quiet=quiet) as told:
        results = simulate.simulate(place, [by], mode=mode, seeds=seeds, truth=truth, told=told, **asked)
    if plot is not None:
        subject = f"{asked['topic']}: " if "topic" in asked else ""
        _draw(results, f"{subject}rankers over {Path(place).resolve().name}", plot)
    if as_json:
        rankers = [{**to_builtins(each), "runs": len(each.runs)} for each in results]
        say(to_json({**asked, "rankers": rankers}))
    elif not quiet:
        echo_lines([*_lines(results), *_measure_text(results[0], truth)])
        if plot is not None:
            say(f"The curves are in {plot}")


@click.command(epilog=EPILOG)
@DIRECTORY
@click.option("--truth", required=True, metavar="FILE", help=TRUTH)
@JSON
def evaluate(directory: str, truth: str, as_json: bool) -> None:
    """Measure a crawl against labels: useful of saved, found of wanted, pages and time.

    What counts are the results of its mode: kept links, files, or pages. For pages it prints the harvest rate, too.
    """
    from dowse import app
    from dowse.workflows.evaluate import evaluate

    crawl = app.read(directory)
    found = evaluate(crawl, truth)
    if not found.relevant:
        raise Unfulfilled(
            f"of {counted(found.wanted, 'URL')} in {truth} none is among the {crawl.mode.finds} of this crawl"
        )
    if as_json:
        say(to_json(found))
    else:
        echo_lines(_evaluation_lines(found, crawl.mode))


def _evaluation_lines(found: Evaluation, mode: Mode[Any]) -> Iterator[str]:
    if mode.finds == PAGES:
        yield f"{mode.visits:<28}{found.pages:>10,}"
        yield f"{'  relevant':<28}{found.relevant:>10,}   harvest rate {found.harvest:.3f}, {found.found:.3f} of all"
        yield f"{'matched':<28}{found.saved:>10,}   precision {found.precision:.3f}, recall {found.recall:.3f}"
        yield f"{'area under the curve':<28}{found.area:>10.3f}"
    else:
        shares = f"{found.precision:.3f} of those, {found.recall:.3f} of {found.wanted:,} wanted"
        yield f"{mode.finds:<28}{found.saved:>10,}"
        yield f"{'  useful':<28}{found.useful:>10,}   {shares}"
        yield f"{mode.visits:<28}{found.pages:>10,}"
    yield f"{'time':<28}{span_text(found.seconds):>10}"


def _lines(results: list[Simulated]) -> list[str]:
    rows = [("by", *HEADS), *((each.by, *_cells(each)) for each in results)]
    lines = [f"{by:<10}{''.join(f'{cell:<14}' for cell in cells)}".rstrip() for by, *cells in rows]
    if results and len(results[0].runs) > 1:
        lines.append(f"means of {counted(len(results[0].runs), 'run')} with 95 % confidence intervals")
    return lines


def _measure_text(result: Simulated, truth: str | None) -> list[str]:
    """What counted as relevant. Without labels that is a makeshift, which nobody should take for a verdict."""
    if truth is not None:
        lost = result.relevant - result.stored
        missing = f", {lost:,} of which {'is' if lost == 1 else 'are'} not among the pages" if lost else ""
        return [f"relevant: {counted(result.relevant, 'URL')} of {truth}{missing}"]
    return [
        f"relevant: {counted(result.relevant, 'page')} with most of the keywords, for want of labels (--truth FILE);",
        "  it compares orders by those words, and does not tell which pages are on topic",
    ]


def _cells(result: Simulated) -> list[str]:
    means = (result.harvest, result.area, result.found, result.precision, result.recall)
    return [f"{each.value:.3f}" + (f" ±{each.margin:.3f}" if each.margin >= _SEEN else "") for each in means]


def _draw(results: list[Simulated], title: str, file: str) -> None:
    from dowse.export.atomic_file import as_text
    from dowse.export.report.curves import Curve, write_curves

    curves = [Curve(each.by, each.curve, _cells(each)) for each in results]
    with output_file(file) as stream, as_text(stream) as text:
        write_curves(title, HEADS, curves, text)
