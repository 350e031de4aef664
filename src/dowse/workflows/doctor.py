"""What this machine has of what dowse can use, and how to get the rest."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from dowse.core.errors import CrawlError
from dowse.core.optional_libraries import DISTRIBUTION, install_command
from dowse.store.sqlite import LIBRARY_VERSION
from dowse.version import VERSION

_REQUIREMENT = re.compile(r"([\w.-]+).*;.*extra == ['\"]([\w-]+)['\"]")
# Extras for those who work on dowse itself.
_NOT_FOR_USERS = frozenset({"test", "check", "docs", "bench", "training"})
_PATIENCE = 10.0


class Finding(Struct, frozen=True):
    """One part: which version is there, or what to do to have it; both where a part of it is there."""

    name: str
    found: str = ""
    cure: str = ""


def examine() -> list[Finding]:
    """All parts, those that are always there first."""
    return [*_built_in(), *_compiled(), *_extras(), _sentence_models(), _wordnet(), _browser(), *_sandbox()]


def _built_in() -> Iterator[Finding]:
    import pycurl

    yield Finding("dowse", VERSION)
    yield Finding("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield Finding("libcurl", pycurl.version.removeprefix("PycURL/"))
    yield Finding("SQLite", LIBRARY_VERSION)


def _compiled() -> Iterator[Finding]:
    from dowse.parse import scan
    from dowse.score import tokens

    cure = "install a C compiler, then dowse again (pip --no-cache-dir): crawls are faster with it"
    for name, is_there in (("scan", scan.IS_COMPILED), ("words", tokens.IS_COMPILED)):
        yield Finding(f"compiled {name}", "yes" if is_there else "", "" if is_there else cure)


def _extras() -> Iterator[Finding]:
    """Every extra with its packages, as the installed dowse declares them."""
    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:  # run from its sources
        return
    packages: dict[str, list[str]] = {}
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match and match[2] not in _NOT_FOR_USERS:
            packages.setdefault(match[2], []).append(match[1])
    for extra, names in sorted(packages.items()):
        versions = {name: _version(name) for name in names}
        there = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
        missing = [name for name, version in versions.items() if not version]
        cure = f"{' and '.join(missing)} missing: {install_command(extra)}" if missing and there else ""
        yield Finding(f"[{extra}]", there, cure or (install_command(extra) if missing else ""))


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _sentence_models() -> Finding:
    from dowse.score.local_models import NoModel
    from dowse.score.page_reader import page_reader
    from dowse.score.sentences import NAME, sentence_model

    try:
        sentence_model()
        page_reader()
    except NoModel as error:
        return Finding("models of the extra context", cure=str(error))
    return Finding("models of the extra context", f"{NAME}, and the one that judges pages")


def _wordnet() -> Finding:
    from dowse.machine.wordnet import HOW_TO_INSTALL, find_wordnet

    folder = find_wordnet()
    return Finding("WordNet", str(folder or ""), "" if folder else HOW_TO_INSTALL)


def _browser() -> Finding:
    from dowse.fetch.chromium import HOW_TO_INSTALL, check_browser, find_chromium

    path = find_chromium()
    if path is None:
        return Finding("browser", cure=HOW_TO_INSTALL)
    try:
        check_browser()
    except CrawlError as trouble:
        return Finding("browser", cure=str(trouble))
    return _described(path)


def _sandbox() -> Iterator[Finding]:
    """Told where it is missing; whether others than root can have it shows when the browser starts."""
    from dowse.fetch.chromium import NO_SANDBOX_FOR_ROOT, find_chromium

    if find_chromium() is not None and os.geteuid() == 0:
        yield Finding("sandbox", cure=NO_SANDBOX_FOR_ROOT)


def _described(path: Path) -> Finding:
    """A browser that is there and starts."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("browser", cure=f"{path} does not start: {str(error).splitlines()[0]}")
    return Finding("browser", f"{answer.stdout.strip() or 'Chromium'} ({path})")
