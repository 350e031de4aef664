"""The tutorials do what they say: each is typed from its first line to its last, beside the sample site."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from dowse.demo import DemoSite
from tests.processes import dowse

PAGES = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("*.md"))
ADDRESS = "http://127.0.0.1:8765/"
"""Where `dowse demo --serve` puts the sample site."""

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$(?:\n\nSave it as `([\w.-]+)`)?", re.DOTALL | re.MULTILINE)


class Desk:
    """A folder, a shell and an interpreter, as a reader has them."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": programs, "COLUMNS": "80", "XDG_STATE_HOME": str(folder)}

    def save(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text.replace(ADDRESS, self.url), encoding="utf-8")

    def type(self, command: str) -> str:
        return self._run(["/bin/sh", "-c", command.replace(ADDRESS, self.url)], command)

    def python(self, code: str) -> None:
        self._run([sys.executable, "-c", f"import dowse\n{code.replace(ADDRESS, self.url)}"], code)

    def _run(self, words: list[str], shown: str) -> str:
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=90, check=False
        )
        assert done.returncode == 0, f"{shown}\n{done.stderr}"
        return (done.stdout or done.stderr).replace(self.url, ADDRESS)


class Typed(NamedTuple):
    """A command of a page and what it is said to print, with `...` for the parts that differ from run to run."""

    command: str
    printed: str


def typed(console: str) -> list[Typed]:
    parts = re.split(r"^\$ ", console.replace("\\\n    ", ""), flags=re.MULTILINE)
    return [Typed(*part.partition("\n")[::2]) for part in parts if part.strip()]


def assert_printed(step: Typed, out: str) -> None:
    parts = [re.escape(" ".join(part.split())) for part in step.printed.split("...")]
    assert re.fullmatch(".*".join(parts), " ".join(out.split())), f"{step.command}\n{out}"


def follow(page: Path, desk: Desk) -> None:
    """Type all of a page."""
    before = ""
    for language, text, name in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if name:
            desk.save(name, text)
        elif language == "python":
            desk.python(before + text)
            before += text if "import" in text else ""
        else:
            assert language == "console", f"nobody can type this:\n{text}"
            for step in typed(text):
                out = desk.type(step.command)
                if step.printed.strip():
                    assert_printed(step, out)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_does_what_it_says(page: Path, tmp_path: Path) -> None:
    with DemoSite() as site:
        follow(page, Desk(tmp_path, site.url))


@pytest.mark.timeout(300)
def test_the_tutorial_about_topics_does_what_it_says_on_a_plain_install(tmp_path: Path) -> None:
    """Every command of it finds the extra `semantic` missing."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'wordllama' else find(name, *more)\n"
    )
    with DemoSite() as site:
        desk = Desk(tmp_path, site.url)
        desk.environment["PYTHONPATH"] = str(tmp_path)
        desk.python("from dowse.score import semantic; assert not semantic.is_installed()")
        follow(next(page for page in PAGES if page.stem == "focus"), desk)


def test_every_tutorial_is_found() -> None:
    assert {page.stem for page in PAGES} == {"files", "first", "focus", "forms", "rules"}


def test_no_tutorial_needs_a_folder_that_another_has_filled() -> None:
    """A reader types them one after the other, in one place."""
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    folders = re.findall(r"^\$ dowse .* -o ([\w-]+)$|output=\"([\w-]+)\"", text, re.MULTILINE)
    assert len(folders) >= 8
    assert len(set(folders)) == len(folders)


def test_the_sample_site_is_served_until_it_is_stopped() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "dowse", "demo", "--serve", "--port", port]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        assert serving.stdout.readline() == f"The sample site is at http://127.0.0.1:{port}/ until Ctrl-C.\n"
        assert dowse("fetch", f"http://127.0.0.1:{port}/", "--show", "links").code == 0
        second = dowse("demo", "--serve", "--port", port)
        assert (second.code, "give another --port" in second.err) == (1, True)
        serving.send_signal(signal.SIGINT)
        assert serving.wait(20) == 0


def test_serving_takes_no_options_of_a_crawl() -> None:
    assert dowse("demo", "--serve", "--max-pages", "3").code == 2
