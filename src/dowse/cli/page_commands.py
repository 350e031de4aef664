"""The commands for one page, without a crawl: fetch, and login."""

from __future__ import annotations

from pathlib import Path

import click

from dowse.cli.exits import EPILOG, Unfulfilled
from dowse.cli.options import JobCommand, given
from dowse.cli.terminal import say, standard_output
from dowse.cli.wording import printable, size_text, wrapped


@click.command(cls=JobCommand, group="fetch", epilog=EPILOG)
@click.argument("url", metavar="URL")
@click.option("-f", "--file", metavar="FILE", default="-", help="File to write the page to; standard output without.")
@click.option("--screenshot", metavar="FILE.png", help="Save a picture of the whole page, made by the browser.")
def fetch(url: str, file: str, screenshot: str | None) -> None:
    """Fetch one page and print it; with --fetch browser, as it stands when its scripts have run.

    Redirects are followed. robots.txt is obeyed.
    """
    from dowse.config import make_job
    from dowse.workflows import fetch_page

    # Only a browser can make a picture.
    options = {**given(), "fetch": "browser"} if screenshot else given()
    page = fetch_page.fetch_page(make_job("site", url, **options), picture=bool(screenshot))
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


@click.command(cls=JobCommand, group="fetch", epilog=EPILOG)
@click.argument("url", metavar="URL")
@click.argument("file", metavar="FILE")
def login(url: str, file: str) -> None:
    """Log in on a page by steps, and keep cookies and storage in a file for --profile.

    Secrets are best named by an environment variable: --step 'type #password = env:PASSWORD'.
    """
    from dowse.config import make_job
    from dowse.workflows import fetch_page

    options = {**given(), "fetch": "browser"}
    if not options.get("step"):
        raise click.UsageError("name at least one --step, such as --step 'type #user = me' --step 'click button'")
    fetch_page.log_in(make_job("site", url, **options), file)
    say(f"{file}: logged in; use it with --profile {file}", err=True)
