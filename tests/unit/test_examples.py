"""The examples in docstrings are true. Those that crawl find the sample site at https://example.org/."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import shutil
from collections.abc import Iterator
from contextlib import chdir
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

import dowse
from dowse import extending, page_tools
from dowse.demo import DemoSite

MODULES = [module.name for module in pkgutil.walk_packages(dowse.__path__, "dowse.") if "__main__" not in module.name]
ADDRESS = "https://example.org/"
CRAWLED = "example"
"""The folder with a crawl of the sample site that each example has."""


class Place:
    """The sample site, and a crawl of it."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with DemoSite() as site:
        folder = tmp_path_factory.mktemp("examples") / CRAWLED
        dowse.site(site.url, output=str(folder), max_pages=60, delay=0.0, per_host=1, tables=True)
        yield Place(site.url, folder)


def attribute_docs(module: ModuleType) -> dict[str, str]:
    """The texts below names that are given a type or a value at the top of a module."""
    file = Path(str(module.__file__))
    body = ast.parse(file.read_text(encoding="utf-8") if file.suffix == ".py" else "").body
    found = {}
    for statement, following in pairwise(body):
        target = statement.target if isinstance(statement, ast.AnnAssign) else getattr(statement, "targets", [None])[0]
        value = following.value if isinstance(following, ast.Expr) else None
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
            found[target.id] = value.value
    return found


def examples(module: ModuleType) -> list[doctest.DocTest]:
    names = {name: getattr(extending, name) for name in extending.__all__} | {"dowse": dowse}
    names |= vars(module) if module is not dowse else {}  # whose `open` is not the one that an example means
    names.pop("annotations", None)  # doctest would compile the examples with this import of the module
    found = doctest.DocTestFinder().find(module, globs=names)
    texts = {f"{module.__name__}.{name}": text for name, text in attribute_docs(module).items()}
    found += [doctest.DocTestParser().get_doctest(text, names, name, None, None) for name, text in texts.items()]
    return [each for each in found if each.examples]


def has_failed(example: doctest.DocTest, place: Place, folder: Path) -> bool:
    """Run one docstring in a folder of its own."""
    folder.mkdir()
    text = "".join(each.source for each in example.examples)
    if "crawl" in text or f'"{CRAWLED}"' in text:
        shutil.copytree(place.folder, folder / CRAWLED)
        example.globs["crawl"] = dowse.open(str(folder / CRAWLED))
    for each in example.examples:
        each.source = each.source.replace(ADDRESS, place.url)
        each.want = each.want.replace(ADDRESS, place.url)
    with chdir(folder):
        return doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed > 0


@pytest.mark.parametrize("name", ["dowse", *MODULES])
def test_examples(name: str, place: Place, tmp_path: Path) -> None:
    found = examples(importlib.import_module(name))
    assert [each.name for number, each in enumerate(found) if has_failed(each, place, tmp_path / str(number))] == []


PUBLIC = [(module, name) for module in (dowse, extending, page_tools) for name in module.__all__]


@pytest.mark.parametrize(("module", "name"), PUBLIC, ids=lambda part: getattr(part, "__name__", part))
def test_every_public_name_has_an_example(module: ModuleType, name: str) -> None:
    home = importlib.import_module(extending.PLACES[name]) if module is extending else module
    assert ">>> " in (attribute_docs(home).get(name) or str(getattr(home, name).__doc__))


def test_public_names_are_found_where_they_are_said_to_be() -> None:
    assert sorted(extending.PLACES) == extending.__all__
    assert all(getattr(extending, name).__module__ == extending.PLACES[name] for name in ("Page", "Mode", "Record"))
    with pytest.raises(AttributeError, match="has no attribute 'Nobody'"):
        _ = extending.Nobody
