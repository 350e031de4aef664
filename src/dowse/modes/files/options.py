"""The options of a crawl for files."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from dowse.core.job import Option

IS_FILE = 0.5
"""The relevance from which an answer is a file; files have 1, pages 0."""

FIRST = 100.0
"""What is added to the worth of files, which go before all pages, and taken from what is neither."""


class FilesOptions(Struct, frozen=True, kw_only=True):
    """Which files."""

    type: Annotated[
        tuple[str, ...],
        Option(
            "Types of files, with commas between them: extensions (pdf, csv), media types (application/pdf, image/*)"
            " or the groups documents, data, archives, images and media.",
            "TYPES",
        ),
    ] = ()
    pattern: Annotated[
        tuple[str, ...],
        Option("Only files whose URL matches one of these; without --type, whatever matches.", "REGEX"),
    ] = ()
    patience: Annotated[
        int,
        Meta(ge=0),
        Option("Stop when so many pages brought next to no more files, or fewer if few can be left; 0 goes on.", "N"),
    ] = 500
