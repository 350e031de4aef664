"""Install forum software into environments of its own, start it on loopback, and stop it again.

python -m benchmarks.forum_software.starting NAME ...     install what is named
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.cache import ROOT, Unavailable
from benchmarks.forum_software.content import Content
from benchmarks.search_apps import free_port

_REPOSITORY = Path(__file__).parents[2]
_STARTED = 900.0
"""Seconds for some thousand posts to be loaded, on a busy machine."""


class Software(NamedTuple):
    """Forum software: its name, what pip installs for it, and its part.

    Page types were learned from what is for training. The mode was looked at and changed on what is for development.
    What is for testing was seen by nobody who worked on the mode.
    """

    name: str
    packages: Sequence[str]
    part: str = "testing"


SOFTWARE = (
    Software("machina", ("django-machina==1.3.1", "Django==5.2.19"), part="training"),
    Software(
        "pybbm",
        ("pybbm==0.19.0", "bbcode==1.1.0", "Pillow", "pytz", "Django==2.2.28", "setuptools<81"),
        part="training",
    ),
    Software("mhonarc", (), part="training"),
    Software("spirit", ("django-spirit==0.14.3", "whoosh==2.7.4", "setuptools<81")),
    Software("misago", ("misago==0.39.6",), part="development"),
    Software("hyperkitty", ("hyperkitty==1.3.12", "Django==5.0.14", "setuptools<81")),
    Software("nodebb", ()),
    Software("flaskbb", ("--no-deps", "-r", str(Path(__file__).with_name("flaskbb.txt")))),
    Software("public_inbox", ()),
)


class Running(NamedTuple):
    """A forum that answers: the folder of its data, and the truth of what is in it."""

    folder: Path
    truth: dict[str, object]


def environment(software: Software) -> Path:
    """The Python that has the software; installed at first, once, whoever asks for it at the same time."""
    place = ROOT / "forums"
    place.mkdir(parents=True, exist_ok=True)
    python = place / software.name / "bin" / "python"
    with (place / f"{software.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place / software.name / "installed"
        wanted = "\n".join(software.packages)
        if not done.exists() or done.read_text() != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", place / software.name], check=True)
            command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "waitress"]
            told = subprocess.run([*command, *software.packages], capture_output=True, text=True, check=False)
            if told.returncode:
                raise Unavailable(f"pip cannot install {software.name}: {told.stderr.strip()[-300:]}")
            done.write_text(wanted)
    return python


@contextmanager
def running(software: Software, content: Content, folder: Path, port: int = 0) -> Iterator[Running]:
    """Load the content and serve it as long as it is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    content.write(folder / "content.json")
    port = port or free_port()
    command = [str(environment(software)), "-m", f"benchmarks.forum_software.{software.name}"]
    told = {"FORUM_FOLDER": str(folder.resolve()), "FORUM_PORT": str(port), "PYTHONWARNINGS": "ignore"}
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=_REPOSITORY, stdout=log, stderr=log, env=os.environ | told)
        try:
            _wait(port, process, folder / "server.log")
            yield Running(folder, json.loads((folder / "truth.json").read_text(encoding="utf-8")))
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _STARTED
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    process.kill()
    raise Unavailable(f"{process.args!s} did not start: {log.read_text(errors='replace')[-600:]}")


def named(name: str) -> Software:
    return next(software for software in SOFTWARE if software.name == name)


if __name__ == "__main__":
    for each in sys.argv[1:]:
        environment(named(each))
