"""What `dowse export DIR markdown` does: the pages of a crawl as one file, or as a folder of files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import progress
from dowse.cli.crawl_commands import output_file
from dowse.cli.terminal import say
from dowse.core.phrasing import counted
from dowse.export.formats import FOLDER

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.export.losses import Losses

DEFAULT_FOLDER = "markdown"


def write_pages(found: Crawl, format_: str, file: str, losses: Losses) -> int:
    """Write the pages of a crawl by as many processes as this one may use cores; the answer is how many there were."""
    from dowse.crawls.output_files import export_folder, export_markdown
    from dowse.export.atomic_file import as_text
    from dowse.export.markdown import WRITERS
    from dowse.pools.batches import usable_cores

    cores = usable_cores()
    with progress.counting("writing pages", quiet=False) as told:
        if format_ != FOLDER:
            with output_file(file) as stream, as_text(stream) as text:
                return export_markdown(found, WRITERS[format_](text), losses, cores, told)
        folder = found.directory / DEFAULT_FOLDER if file == "-" else Path(file)
        rows = export_folder(found, folder, losses, cores, told)
    say(f"{folder}: {counted(rows, 'page')}")
    return rows
