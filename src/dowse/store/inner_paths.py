"""Places in the folder of a crawl, which may come from a stranger: none that is written to lies outside of it.

Names come from its database, and anything in it may be a symbolic link. Whoever writes to a crawl's folder, or opens
what would be made by opening it, asks here first. A folder that is itself reached by a link is no trouble.
"""

from __future__ import annotations

import os
from pathlib import Path

from dowse.core.errors import CrawlError


def inside(directory: Path, name: str) -> Path:
    """The place of that name in a folder. Raises CrawlError if it lies elsewhere, by its name or by links."""
    path = directory / name
    if "\0" in name:
        raise CrawlError(f"{name!r} cannot be the name of a file")
    root, place = os.path.realpath(directory), os.path.realpath(path)
    if not place.startswith(root + os.sep):
        raise CrawlError(f"{path} leads out of its folder, to {place}, where no crawl writes; remove it, or rename it")
    return path


def make_private(path: Path) -> None:
    """Let a file be for its owner alone, from its first byte on."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
