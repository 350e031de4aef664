"""The browser extension: its own files, and the panel and the picker of the web page, put together and packed.

python -m dowse.web.extension_pack FOLDER     writes FOLDER/dowse-extension/ (to be loaded unpacked) and a zip of it
"""

from __future__ import annotations

import io
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

from dowse.version import VERSION

NAME = "dowse-extension"
SHARED = (
    "api.js",
    "builder.css",
    "builder_choices.js",
    "builder_fields.js",
    "builder_outcome.js",
    "builder_panel.js",
    "builder_table.js",
    "page.css",
    "picker.js",
)
"""Files of the web page that the extension has too. There is one source of each."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file, so that a pack of the same files has the same bytes."""


def extension_files() -> dict[str, bytes]:
    """The files of the extension by their names."""
    web = files("dowse.web")
    own = {file.name: file.read_bytes() for file in (web / "extension").iterdir() if file.is_file()}
    shared = {name: (web / "assets" / name).read_bytes() for name in SHARED}
    shared["colours.css"] = (files("dowse.export.pages") / "styles" / "colours.css").read_bytes()
    # A browser takes numbers and dots alone.
    number = ".".join(part for part in VERSION.split(".")[:3] if part.isdecimal()).encode()
    own["manifest.json"] = own["manifest.json"].replace(b"{version}", number)
    return dict(sorted({**shared, **own}.items()))


def packed() -> bytes:
    """The extension as a zip file, in a folder of its own."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in extension_files().items():
            archive.writestr(zipfile.ZipInfo(f"{NAME}/{name}", _EPOCH), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def write(folder: Path) -> list[Path]:
    """Write the extension into a folder, to be loaded as it is, and as a zip file beside it."""
    unpacked, archive = folder / NAME, folder / f"{NAME}-{VERSION}.zip"
    unpacked.mkdir(parents=True, exist_ok=True)
    for name, content in extension_files().items():
        (unpacked / name).write_bytes(content)
    archive.write_bytes(packed())
    return [unpacked, archive]


if __name__ == "__main__":
    sys.stdout.writelines(f"{path}\n" for path in write(Path(sys.argv[1])))
