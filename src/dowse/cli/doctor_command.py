"""The command doctor: what this machine has, and how to get the rest."""

from __future__ import annotations

import click

from dowse.cli.crawl_commands import JSON, to_json
from dowse.cli.exits import EPILOG
from dowse.cli.terminal import say
from dowse.cli.wording import wrapped


@click.command(epilog=EPILOG)
@JSON
def doctor(as_json: bool) -> None:
    """Show what this machine has of what dowse can use, and how to get the rest."""
    from dowse.workflows.doctor import examine

    findings = examine()
    if as_json:
        say(to_json({"parts": findings}))
        return
    width = max(len(finding.name) for finding in findings) + 2
    for finding in findings:
        text = "; ".join(filter(None, (finding.found or "not there", finding.cure)))
        say(f"{finding.name:<{width}}{wrapped(text, width)}")
