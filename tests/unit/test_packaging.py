"""What is installed, under which name, and what the source archive holds."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from dowse.core.optional_libraries import DISTRIBUTION, install_command
from dowse.workflows import doctor
from tests.floors import PROJECT, floors

ROOT = PROJECT.parent

# Of another project, in every way to write it.
_A_STRANGERS_PACKAGE = re.compile(
    r"(?:pip|pipx|uv|uvx) +(?:add|install|run|tool install)? *(?:-\S+ +)*['\"]?dowse(?![\w-])"
)
_A_STRANGERS_EXTRA = re.compile(r"(?<![\w-])dowse\[[a-z]")

TEXTS = sorted(
    path
    for folder in ("src", "docs", "examples", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".md", ".ipynb", ".toml", ".csv", ".yml"} and path != Path(__file__)
) + [path for path in ROOT.iterdir() if path.suffix in {".md", ".toml"} or path.name == "Makefile"]


def test_nothing_tells_anybody_to_install_the_package_of_another_project() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in TEXTS
        if path.name != "CHANGELOG.md"
        for pattern in (_A_STRANGERS_PACKAGE, _A_STRANGERS_EXTRA)
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text", ["pip install 'dowse[data]'", "pip install dowse", "uv add dowse", "the extra dowse[data]"]
)
def test_such_a_text_would_be_found(text: str) -> None:
    assert _A_STRANGERS_PACKAGE.search(text) or _A_STRANGERS_EXTRA.search(text)


def test_the_project_has_the_name_that_messages_say() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    assert project["name"] == DISTRIBUTION
    assert project["scripts"] == {"dowse": "dowse.cli.program:main"}
    for extra in re.findall(r"dowse-crawler\[([\w,]+)\]", "".join(path.read_text(encoding="utf-8") for path in TEXTS)):
        assert set(extra.split(",")) <= project["optional-dependencies"].keys()


def test_one_place_makes_the_command_that_installs_an_extra() -> None:
    source = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
    assert [path.name for path, text in source.items() if DISTRIBUTION in text] == ["optional_libraries.py"]


def test_every_requirement_has_a_floor() -> None:
    assert len(list(floors())) > 20


def test_the_doctor_names_what_is_missing_of_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"networkx": "3.2", "pandas": "2.2.3"}
    monkeypatch.setattr(doctor, "_version", lambda name: there.get(name, ""))
    [found] = [finding for finding in doctor.examine() if finding.name == "[data]"]
    assert found.found == "networkx 3.2, pandas 2.2.3"
    assert found.cure == f"polars and pyarrow missing: {install_command('data')}"


def test_the_doctor_says_how_to_get_an_extra_of_which_nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda _name: "")
    [found] = [finding for finding in doctor.examine() if finding.name == "[data]"]
    assert (found.found, found.cure) == ("", install_command("data"))


def test_the_source_archive_has_the_manual_and_the_examples(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", minversion="80")
    command = [
        sys.executable,
        "-c",
        "from setuptools import build_meta; import sys; build_meta.build_sdist(sys.argv[1])",
    ]
    done = subprocess.run([*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=55, check=False)
    assert done.returncode == 0, done.stderr
    [archive] = tmp_path.glob("dowse_crawler-*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"docs/index.md", "docs/ways/site.md", "examples/site_as_data.ipynb", "src/dowse/parse/_scan.c"} <= names
    assert {"src/dowse/score/page_reader.onnx", "src/dowse/score/word_pieces.txt"} <= names
    assert not [name for name in names if name.endswith(".so")]
