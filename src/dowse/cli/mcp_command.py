"""`dowse mcp`: crawls for language models."""

from __future__ import annotations

import sys
from typing import Any

import click

from dowse.cli.terminal import say
from dowse.core.errors import JobError
from dowse.core.optional_libraries import load
from dowse.core.secret import is_reference
from dowse.machine.credentials import value_of

DEFAULT_PORT = 8718


@click.command()
@click.argument("folders", metavar="[DIR...]", nargs=-1)
@click.option("--http", is_flag=True, help="Serve by HTTP, not to the program that starts this command.")
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), help="Port, with --http.  [default: 8718]")
@click.option(
    "--host", metavar="ADDRESS", default="127.0.0.1", help="Serve at this address.  [default: 127.0.0.1, this machine]"
)
@click.option("--name", "names", metavar="NAME", multiple=True, help="A name that clients reach the server by.")
@click.option(
    "--token",
    metavar="REFERENCE",
    help="Where the token of --http is kept: env:NAME, file:PATH.  [default: a new one is printed]",
)
@click.option("--max-pages", metavar="N", type=click.IntRange(1), default=1_000, show_default=True,
              help="Most pages of a crawl that is started here.")  # fmt: skip
@click.option("--max-time", metavar="SECONDS", type=click.FloatRange(1), default=3_600, show_default=True,
              help="Longest time of a crawl that is started here.")  # fmt: skip
@click.option("--max-bytes", metavar="N", type=click.IntRange(1), default=1_000_000_000, show_default=True,
              help="Most bytes of a crawl that is started here.")  # fmt: skip
@click.option("--max-crawls", metavar="N", type=click.IntRange(0), default=2, show_default=True,
              help="Most crawls at once; 0 lets none be started.")  # fmt: skip
@click.option("--allow-private", is_flag=True, help="Let crawls that are started here go to private addresses.")
def mcp(
    folders: tuple[str, ...],
    http: bool,
    port: int | None,
    host: str,
    names: tuple[str, ...],
    token: str | None,
    **limits: Any,
) -> None:
    """Serve crawls to language models, by the Model Context Protocol.

    The crawls in the folders that are named, or in this one, can be searched and read; new ones are started within
    limits. Without --http it talks to the program that starts it, such as a chat client, by standard input and output.
    """
    load("mcp", "mcp", "a server for language models")
    from dowse.mcp.allowed_jobs import Allowance
    from dowse.mcp.protocol_server import Offer, serve_stdio
    from dowse.web.served_folders import ServedFolders

    offer = Offer(ServedFolders(folders or (".",)), Allowance(**limits))
    if http:
        from dowse.mcp.http_serving import Address, serve_http

        serve_http(offer, Address(host, DEFAULT_PORT if port is None else port, names, _token(token)), _tell)
        return
    if idle := [flag for flag, value in (("--port", port), ("--token", token), ("--name", names)) if value]:
        raise click.UsageError(f"{' and '.join(idle)}: only with --http")
    if sys.stdin.isatty():
        _tell("A client starts this command and talks to it by its standard input; see the manual. Ctrl-C ends it.")
    serve_stdio(offer)


def _token(reference: str | None) -> str:
    if not reference:
        return ""
    if not is_reference(reference):  # others can read the words of a command
        raise JobError("token: expected where it is kept: env:NAME, file:PATH or keyring:SERVICE/USER")
    return value_of(reference, "the token of the server")


def _tell(line: str) -> None:
    say(line, err=True)
