"""`dowse serve`: the web page of the crawls in some folders."""

from __future__ import annotations

import sys

import click

from dowse.cli.terminal import say
from dowse.core.errors import JobError


@click.command()
@click.argument("folders", metavar="[DIR...]", nargs=-1)
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), help="Port.  [default: 8717, or any that is free]")
@click.option("--no-open", is_flag=True, help="Open no browser.")
@click.option(
    "--host", metavar="ADDRESS", default="127.0.0.1", help="Serve at this address.  [default: 127.0.0.1, this machine]"
)
@click.option("--name", "names", metavar="NAME", multiple=True, help="A name that people reach the page by.")
@click.option(
    "--password", metavar="REFERENCE", help="Where the password of the page is kept: env:NAME, file:PATH or ask:."
)
@click.option("--allow-private", is_flag=True, help="Let crawls that are started here take --allow-private.")
def serve(
    folders: tuple[str, ...],
    port: int | None,
    no_open: bool,
    host: str,
    names: tuple[str, ...],
    password: str | None,
    allow_private: bool,
) -> None:
    """Serve a web page on which crawls are started, watched and looked into.

    It shows the crawls in the folders that are named, or in this one. Only this machine can reach it, by the link that
    is printed. A page for other machines (--host) needs a password.
    """
    from dowse.core.secret import is_reference
    from dowse.machine.credentials import value_of
    from dowse.web.serving import Served, serve

    if password and not is_reference(password):  # others can read the words of a command
        raise JobError("password: expected where it is kept: env:NAME, file:PATH, keyring:SERVICE/USER or ask:")

    def tell(line: str) -> None:
        say(line)
        sys.stdout.flush()  # whoever waits for the link may read it through a pipe

    secret = value_of(password, "the password of the page") if password else ""
    serve(Served(folders or (".",), host, port, secret, names, allow_private, not no_open), tell)
