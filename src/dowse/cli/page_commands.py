"""The commands for one page, without a crawl: fetch, and login."""

from __future__ import annotations

from pathlib import Path

import click

from dowse.cli.crawl_commands import output_file
from dowse.cli.exits import EPILOG, Unfulfilled
from dowse.cli.options import JobCommand, given
from dowse.cli.page_output import SHOWN, facts_of_page
from dowse.cli.terminal import say, standard_output
from dowse.cli.wording import printable, size_text, wrapped
from dowse.settings import PAGE_GROUPS


@click.command(cls=JobCommand, groups=PAGE_GROUPS, epilog=EPILOG)
@click.argument("url", metavar="URL")
@click.option("-f", "--file", metavar="FILE", default="-", help="File to write the page to; standard output without.")
@click.option("--screenshot", metavar="FILE.png", help="Save a picture of the whole page, made by the browser.")
@click.option(
    "--show",
    type=click.Choice([*SHOWN]),
    help="Print in place of the page: its links (all, those to its own host, to others, with parameters), its charset,"
    " the rules of robots.txt, its SimHash, or the normal form and the parameters of the URL.",
)
@click.option(
    "--to", type=click.Choice(["markdown"]), help="Print the main content of the page as Markdown in place of the page."
)
@click.option("--compare", metavar="URL", help="Print in how many of 64 bits the SimHash of another page differs.")
def fetch(url: str, file: str, screenshot: str | None, show: str | None, to: str | None, compare: str | None) -> None:
    """Fetch one page and print it; with --fetch browser, as it stands when its scripts have run.

    With --extract, --article and the like, what they take from the page is printed, as JSON. Redirects are followed.
    robots.txt is obeyed.
    """
    from dowse.core.job import ExtractOptions
    from dowse.workflows import fetch_page

    if to and show:
        raise click.UsageError("--to and --show each print something in place of the page; leave out one of them")
    show = show or to
    # Only a browser can make a picture.
    options = {**given(), "fetch": "browser"} if screenshot else given()
    job = fetch_page.job_of_page(url, **options)
    if show or compare or job.extract != ExtractOptions():
        if screenshot:
            raise click.UsageError("--screenshot is for the page itself, without --show, --to, --compare or --extract")
        lines = facts_of_page(
            url, given(), show or ("" if job.extract == ExtractOptions() else "records"), compare or ""
        )
        with output_file(file) as stream:
            stream.writelines(f"{line}\n".encode("utf-8", "replace") for line in lines)
        return
    page = fetch_page.fetch_page(job, picture=bool(screenshot))
    answer = page.response
    for notice in answer.rendered.notices if answer.rendered is not None else ():
        say(wrapped(notice, 0), err=True)
    if answer.status >= 400:
        raise Unfulfilled(f"{printable(page.url)}: status {answer.status}")
    if screenshot and not page.picture:
        raise Unfulfilled(f"{printable(page.url)} is no page that a browser shows")
    if screenshot:
        Path(screenshot).write_bytes(page.picture)
        say(f"{screenshot}: {size_text(len(page.picture))}", err=True)
    if file != "-":
        Path(file).write_bytes(answer.body)
    elif not screenshot:
        stream = standard_output()
        stream.write(answer.body)
        stream.flush()
    if answer.rendered is not None and answer.rendered.missed:
        raise Unfulfilled(f"{printable(page.url)} has nothing for: {printable(', '.join(answer.rendered.missed))}")


@click.command(cls=JobCommand, groups=("fetch",), epilog=EPILOG)
@click.argument("url", metavar="URL")
@click.argument("file", metavar="FILE")
def login(url: str, file: str) -> None:
    """Log in on a page by steps, and keep cookies and storage in a file for --profile.

    Secrets are best named by an environment variable: --step 'type #password = env:PASSWORD'.
    """
    from dowse.workflows import fetch_page

    options = {**given(), "fetch": "browser"}
    if not options.get("step"):
        raise click.UsageError("name at least one --step, such as --step 'type #user = me' --step 'click button'")
    fetch_page.log_in(fetch_page.job_of_page(url, **options), file)
    say(f"{file}: logged in; use it with --profile {file}", err=True)
