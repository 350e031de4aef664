"""Changes as people read them: a page to look at, a text for mail, a feed to follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from dowse.core.revisits.changes import AboutChanges, Change
from dowse.export.change_faces.change_feed import write_feed
from dowse.export.change_faces.change_mail import write_mail
from dowse.export.change_faces.change_page import write_page

FACES: dict[str, Callable[[AboutChanges, Iterable[Change], TextIO], int]] = {
    "html": write_page,
    "markdown": write_mail,
    "atom": write_feed,
}
"""What writes each format; the answer is the number of changes."""
