"""The manual keeps its promises: the reference is what the program says, and no command or option is missing."""

from __future__ import annotations

import ast
import importlib.util
import re
import tomllib
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType

import click
import pytest

import dowse
from dowse import extending, page_tools
from dowse.cli.exits import EXIT_CODES
from dowse.cli.main import cli
from dowse.cli.options import SettingOption
from dowse.config import load_job
from dowse.modes.registry import modes
from dowse.parse.lazy_properties import lazy

DOCS = Path(__file__).parents[2] / "docs"
TOY = Path(__file__).parents[1] / "toy"


def load_generator() -> ModuleType:
    specification = importlib.util.spec_from_file_location("generate_reference", DOCS / "generate_reference.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


GENERATED: dict[Path, str] = load_generator().pages()
COMMANDS = GENERATED[DOCS / "reference" / "commands.md"]
JOB_FILE = GENERATED[DOCS / "reference" / "job-file.md"]


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.name)
def test_the_reference_is_up_to_date(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    assert written == GENERATED[path], "run: python docs/generate_reference.py"


def all_commands() -> dict[str, click.Command]:
    found = dict(cli.commands)
    for name, command in cli.commands.items():
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": member for inner, member in command.commands.items()}
    return found


@pytest.mark.parametrize(("name", "command"), all_commands().items(), ids=list(all_commands()))
def test_every_command_and_its_own_options_are_in_the_manual(name: str, command: click.Command) -> None:
    section = COMMANDS.partition(f"\n## dowse {name}\n")[2].partition("\n## ")[0]
    assert " ".join(str(command.help).split()) in section
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not isinstance(parameter, SettingOption):
            assert parameter.opts[-1] in section


@pytest.mark.parametrize("name", [row.name for mode in modes() for row in mode.settings])
def test_every_setting_is_in_the_manual_as_option_and_as_key(name: str) -> None:
    assert f"`--{name.replace('_', '-')}" in COMMANDS
    assert f"\n| `{name}` |" in JOB_FILE


def test_every_exit_status_is_in_the_manual() -> None:
    for code in EXIT_CODES:
        assert f"\n| {code} | " in COMMANDS


def test_the_example_of_a_mode_is_the_one_that_the_tests_run() -> None:
    page = (DOCS / "ways" / "new-mode.md").read_text(encoding="utf-8")
    code, entry = (page.partition(f"```{name}\n")[2].partition("```")[0] for name in ("python", "toml"))
    assert code == (TOY / "toy_mode.py").read_text(encoding="utf-8")
    installed = (TOY / "toy_mode-1.0.dist-info" / "entry_points.txt").read_text(encoding="utf-8")
    (group, points) = next(iter(tomllib.loads(entry)["project"]["entry-points"].items()))
    assert installed == f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())


@pytest.mark.parametrize("file", ["bookkeeping.py", "lease_policy.py"])
def test_the_examples_of_the_seams_of_the_store_are_those_that_the_tests_run(file: str) -> None:
    page = (DOCS / "ways" / "new-mode.md").read_text(encoding="utf-8")
    assert f"```python\n{(TOY / 'counting' / file).read_text(encoding='utf-8')}```" in page


PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (dowse, extending, page_tools)
    for name in module.__all__
}


def test_the_python_reference_has_every_public_name_and_no_other() -> None:
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^::: (\S+)$", page, re.MULTILINE)) == sorted(PUBLIC)


def members_without_text(public: type) -> list[str]:
    """Methods and properties of a class of ours of which the reference could say nothing."""
    own = [each for each in public.__mro__ if each.__module__.startswith("dowse.")]
    members = [(name, member) for each in own for name, member in vars(each).items() if not name.startswith("_")]
    kinds = (FunctionType, property, cached_property, lazy)
    return [name for name, member in members if isinstance(member, kinds) and not member.__doc__]


@pytest.mark.parametrize("name", [name for name, public in PUBLIC.items() if isinstance(public, type)])
def test_every_member_of_a_public_class_is_explained(name: str) -> None:
    assert members_without_text(PUBLIC[name]) == []


def test_the_public_modules_are_the_only_ones_that_the_manual_imports_from() -> None:
    pages = [DOCS / "extending.md", DOCS / "python.md", DOCS.parent / "README.md", *DOCS.glob("ways/*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for seam in (TOY / "counting").glob("*.py"):  # the seams of the store are not public, and the page says so
        text = text.replace(seam.read_text(encoding="utf-8"), "")
    inside = re.sub(r"if TYPE_CHECKING:\n(?:    .*\n)+", "", text)  # a mode may say what it gets from a crawl's tables
    assert set(re.findall(r"^ *from (dowse[\w.]*) import", inside, re.MULTILINE)) <= {"dowse", "dowse.extending"}


def job_files() -> dict[str, str]:
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    blocks = ((page, re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)) for page in pages)
    return {page.name: block for page, found in blocks for block in found if "\nseeds" in block}


@pytest.mark.parametrize("name", job_files())
def test_job_files_in_the_manual_can_be_run(name: str, tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    # the toy is not installed here; test_toy_mode.py runs such a file
    file.write_text(job_files()[name].replace('"toy"', '"site"').replace('word = "apple"\n', ""), encoding="utf-8")
    assert load_job(str(file)).seeds == ("https://example.org/",)


# One word for one thing. A strategy is a part inside of a mode, which users of the modes never meet.
_OTHER_WORDS = re.compile(
    r"\bways? (?:of crawling|to crawl)\b|\bstrateg(?:y|ies)\b|\bclassic (?:order|ranker)", re.IGNORECASE
)


def test_the_manual_calls_a_mode_a_mode_and_a_ranker_a_ranker() -> None:
    pages = [*DOCS.glob("ways/*.md"), *DOCS.glob("reference/*.md"), DOCS / "index.md", DOCS.parent / "README.md"]
    found = {page.name: _OTHER_WORDS.findall(page.read_text(encoding="utf-8")) for page in pages}
    # for those who write a strategy
    assert {name for name, words in found.items() if words} == {"new-mode.md", "python.md"}


@pytest.mark.parametrize("text", ['strategy = "site"', "works with every way of crawling", "Comparing strategies"])
def test_another_word_would_be_found(text: str) -> None:
    assert _OTHER_WORDS.search(text)


def test_every_page_is_in_the_navigation() -> None:
    navigation = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert [page for page in pages if f": {page}\n" not in navigation] == []


def test_links_between_pages_lead_somewhere() -> None:
    dead = [
        f"{page.relative_to(DOCS)}: {target}"
        for page in DOCS.rglob("*.md")
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert dead == []


def test_tables_have_as_many_cells_as_their_heads() -> None:
    for page in GENERATED.values():
        cells = 0
        for line in page.splitlines():
            bars = line.replace("\\|", "").count("|") if line.startswith("|") else 0
            assert not cells or bars in (0, cells), line
            cells = bars


def source_texts() -> str:
    """All texts of the program, one after the other, with `...` for what is put into them."""
    texts = []
    for file in sorted(Path(dowse.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                texts.append(
                    "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
    return "\n".join(texts)


def messages() -> list[str]:
    page = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    return re.findall(r"^### `(.+)`$", page, re.MULTILINE)


def test_troubleshooting_has_twenty_messages() -> None:
    assert len(set(messages())) >= 20


def test_the_messages_of_troubleshooting_are_those_of_the_program() -> None:
    texts = source_texts()
    parts = {part.strip(" :;,") for message in messages() for part in message.split("...")}
    assert [part for part in sorted(parts) if part not in texts] == []


def shown_commands() -> set[str]:
    """Every command of the manual on a line of its own; the pages on own modes have commands of theirs."""
    pages = {*DOCS.rglob("*.md"), DOCS.parent / "README.md"} - {DOCS / "extending.md", DOCS / "ways" / "new-mode.md"}
    found: set[str] = set()
    for page in pages:
        text = re.sub(r"\\\n\s+", "", page.read_text(encoding="utf-8"))
        found.update(re.findall(r"^(?:    |\$ |    \$ )(dowse [a-z].*)$", text, re.MULTILINE))
    return found


def unknown_options(line: str) -> list[str]:
    """Options in a line that its command does not have; a comment or a pipe ends the command."""
    words = re.split(r"  +#|\s\|\s|   +", line)[0].split()
    command = cli.commands.get(words[1])
    if isinstance(command, click.Group):
        command = command.commands.get(words[2])
    if command is None:
        return [f"no command {words[1]}"]
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return [word for word in words if re.fullmatch(r"--?[a-z][a-z-]*", word) and word not in {*known, "--help"}]


def test_every_command_of_the_manual_exists_with_its_options() -> None:
    wrong = {line: unknown for line in shown_commands() if (unknown := unknown_options(line))}
    assert wrong == {}


def test_the_manual_shows_the_name_that_servers_get() -> None:
    shown = re.findall(r"User-Agent: dowse/(\S+)", (DOCS / "ways" / "manners.md").read_text(encoding="utf-8"))
    assert set(shown) == {dowse.__version__}


def test_a_wrong_option_in_the_manual_would_be_found() -> None:
    assert unknown_options("dowse site https://example.org/ --max-page 3  # stop early") == ["--max-page"]
