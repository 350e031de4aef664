"""The command signing: the public part of the key that requests are signed with, to be put on a server."""

from __future__ import annotations

import click

from dowse.cli.crawl_commands import output_file
from dowse.cli.exits import EPILOG
from dowse.cli.terminal import say
from dowse.cli.wording import wrapped


@click.command(epilog=EPILOG)
@click.argument("key", metavar="REFERENCE")
@click.option("--new", is_flag=True, help="Make the key first, in a file that is not there yet.")
@click.option("-f", "--file", metavar="FILE", default="-", help="File to write it to; standard output without.")
def signing(key: str, new: bool, file: str) -> None:
    """Print the directory of public keys that servers check signed requests with.

    REFERENCE says where the private key is: file:crawler.pem, env:NAME or keyring:SERVICE/USER. Put what is printed on
    a server of yours; then crawl with --sign-key and --signature-agent.
    """
    from dowse.fetch.signing_keys import MEDIA_TYPE, WELL_KNOWN
    from dowse.workflows.signing_directory import key_directory, make_key

    if new:
        make_key(key)
    listed = key_directory(key)
    with output_file(file) as stream:
        stream.write(listed + b"\n")
    say(wrapped(f"serve it at https://YOUR-HOST{WELL_KNOWN}", 0), err=True)
    say(f"as {MEDIA_TYPE}", err=True)
    say(wrapped(f"then crawl with: --sign-key {key} --signature-agent https://YOUR-HOST", 0), err=True)
