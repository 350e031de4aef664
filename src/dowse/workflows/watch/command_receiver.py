"""A command that is run when something changed.

No shell reads it, and nothing of what strangers wrote is among its words or in its environment: that comes as JSON
lines on its standard input.
"""

from __future__ import annotations

import os
import shlex
import subprocess

from msgspec import json

from dowse.core.errors import JobError
from dowse.core.revisits.changes import KINDS
from dowse.workflows.watch.notification import Answer, Message

PATIENCE = 300.0
"""Seconds that a command may take."""


class CommandReceiver:
    """Runs a command. Its exit status says whether it has taken the changes: any but 0 means that it has not."""

    name = "command"

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise JobError(f"notify_command: {command!r} cannot be read: {str(error).lower()}") from None
        if not self._words:
            raise JobError("notify_command: expected a command, got an empty text")

    def send(self, message: Message, now: float) -> Answer:
        counts = {f"DOWSE_{kind.upper()}": str(message.counts.get(kind, 0)) for kind in KINDS}
        total = str(sum(message.counts.values()))
        told = {"DOWSE_NOTIFICATION": message.id, "DOWSE_CRAWL": message.crawl, "DOWSE_CHANGES": total, **counts}
        lines = b"".join(json.encode(change) + b"\n" for change in message.changes)
        try:
            # In a session of its own: Ctrl-C is meant for the watch, which waits for the command.
            done = subprocess.run(
                self._words,
                input=lines,
                env={**os.environ, **told},
                timeout=PATIENCE,
                check=False,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            return Answer("unclear", f"{self._words[0]} took longer than {PATIENCE:.0f} s and was ended")
        except (OSError, ValueError) as error:
            return Answer("later", f"{self._words[0]} cannot be run: {error}")
        return Answer("later", f"{self._words[0]} ended with {done.returncode}") if done.returncode else Answer("sent")
