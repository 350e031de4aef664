"""The program `dowse`: what is around its commands, so that an interrupt is never a traceback."""

from __future__ import annotations

import signal

_INTERRUPTED = 130


def main() -> int:
    """Load the commands and run one; the answer is the exit status."""
    try:
        # Loading takes a tenth of a second, in which someone may think better of it.
        from dowse.cli.main import main as run

        status = run()
        # All is said and written. Python would die of an interrupt while it takes itself apart.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status
