"""Text of PDF files: ours, and three libraries, beside pdftotext; and office files beside the text they were made of.

    python -m benchmarks.documents [FILES]        so many PDF files of each package, 25 without

The PDF files are those of Debian packages. What pdftotext (poppler) finds is taken for the truth. It is not always
right, and it keeps the running titles of pages, which dowse leaves out. Words are compared as they are counted,
whatever their order. `found` is the share of its words that are there too, `right` the share of words that it has too.
pypdf and pdfminer.six are left out where they are not installed.

The office files are made by pandoc of one of Debian's manuals, and by LibreOffice of what pandoc made.

Exit status: 2 if there is nothing to measure with.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.cache import Unavailable, scratch
from benchmarks.sites import unpacked
from dowse.core.document_kinds import usual_type
from dowse.core.model import Request, Response
from dowse.documents.conversion import convert
from dowse.documents.document_reader import DocumentReader
from dowse.extract.markdown.main_markdown import markdown_of
from dowse.parse.page import Page

PACKAGES = ("r-doc-pdf", "debian-policy", "developers-reference", "maint-guide", "bash-doc", "gnuplot-doc",
            "asymptote-doc", "texlive-latex-base-doc")  # fmt: skip
FILES = 25
LARGEST = 6_000_000
WORD = re.compile(r"\w+")
OFFICE = ("docx", "odt", "epub", "rtf", "pptx")
CONVERTED = ("docx", "rtf", "pdf")
Text = Callable[[Path], str]


class Score(NamedTuple):
    """Words that both have, those of the truth, those that were read, seconds, and files that were not read."""

    both: int = 0
    true: int = 0
    read: int = 0
    seconds: float = 0.0
    failed: int = 0

    def plus(self, other: Score) -> Score:
        return Score(*(a + b for a, b in zip(self, other, strict=True)))


def main(arguments: list[str]) -> int:
    most = int(arguments[0]) if arguments else FILES
    try:
        with scratch() as folder, DocumentReader() as reader:
            _measure_pdf(_pdf_files(most), reader)
            _measure_office(folder)
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    return 0


def _measure_pdf(files: list[Path], reader: DocumentReader) -> None:
    ways = dict(_ways(reader))
    scores = dict.fromkeys(ways, Score())
    pages = sum(map(_page_count, files))
    for file in files:
        truth: Counter[str] = Counter()
        for name, read in ways.items():
            score, words = _scored(read, file, truth)
            truth = words if name == "pdftotext" else truth
            scores[name] = scores[name].plus(score)
    print(f"{len(files)} PDF files, {pages:,} pages")
    print(f"{'':26}{'ms a page':>10}{'found':>9}{'right':>9}{'not read':>10}")
    for name, score in scores.items():
        found, right = score.both / max(score.true, 1), score.both / max(score.read, 1)
        if name == "pdftotext":
            found = right = 1.0
        print(f"{name:26}{1000 * score.seconds / pages:10.2f}{found:9.1%}{right:9.1%}{score.failed:10}")


def _scored(read: Text, file: Path, truth: Counter[str]) -> tuple[Score, Counter[str]]:
    started = time.perf_counter()
    try:
        text = read(file)
    except Exception:  # noqa: BLE001 - libraries raise whatever they like at a file
        return Score(true=sum(truth.values()), seconds=time.perf_counter() - started, failed=1), Counter()
    seconds = time.perf_counter() - started
    words = Counter(WORD.findall(text.lower()))
    both = sum((words & truth).values())
    return Score(both, sum(truth.values()), sum(words.values()), seconds, int(not words)), words


def _ways(reader: DocumentReader) -> Iterator[tuple[str, Text]]:
    if shutil.which("pdftotext") is None:
        raise Unavailable("there is no pdftotext to compare with: apt-get install poppler-utils")
    yield "pdftotext", _by_pdftotext
    yield "dowse", lambda file: _page(file).text
    yield "dowse, in its process", lambda file: _page(file, reader).text
    yield "dowse, as Markdown", lambda file: markdown_of(_page(file))
    for name, way in (("pypdfium2", _by_pypdfium2), ("pypdf", _by_pypdf), ("pdfminer.six", _by_pdfminer)):
        try:
            yield name, partial(way, import_module(name.partition(".")[0]))
        except ModuleNotFoundError:
            print(f"{name} is not installed", file=sys.stderr)


def _page(file: Path, reader: DocumentReader | None = None) -> Page:
    media_type, body = usual_type(file.suffix[1:]), file.read_bytes()
    found = reader.read(media_type, body) if reader is not None else convert(media_type, body)
    request = Request(f"https://example.org/{file.name}", 1, "example.org")
    return Page(Response(request, 200, {"content-type": media_type}, body, 0.0, 0.0), html=found.html)


def _by_pdftotext(file: Path) -> str:
    done = subprocess.run(["pdftotext", str(file), "-"], capture_output=True, timeout=120, check=False)
    return done.stdout.decode("utf-8", "replace")


def _by_pypdfium2(library: Any, file: Path) -> str:
    document = library.PdfDocument(file)
    return "\n".join(document[number].get_textpage().get_text_range() for number in range(len(document)))


def _by_pypdf(library: Any, file: Path) -> str:
    return "\n".join(page.extract_text() for page in library.PdfReader(file).pages)


def _by_pdfminer(_library: Any, file: Path) -> str:
    return str(import_module("pdfminer.high_level").extract_text(file))


def _page_count(file: Path) -> int:
    return len(import_module("pypdfium2").PdfDocument(file))


def _pdf_files(most: int) -> list[Path]:
    files: list[Path] = []
    for package in PACKAGES:
        found = [file for file in unpacked((package,)).rglob("*.pdf") if file.is_file() and not file.is_symlink()]
        files += sorted(file for file in found if file.stat().st_size <= LARGEST)[:most]
    return files


def _measure_office(folder: Path) -> None:
    """Each format beside the plain text that pandoc makes of the same source."""
    if shutil.which("pandoc") is None:
        raise Unavailable("there is no pandoc to make office files with: apt-get install pandoc")
    book = next(unpacked(("developers-reference",)).rglob("*.epub"))
    source = _made(folder, book, "md", "markdown-raw_html")  # without its pictures, which are not there
    plain = _made(folder, source, "txt", "plain").read_text()
    truth = Counter(WORD.findall(plain.lower()))
    made = [("pandoc", _made(folder, source, kind, kind)) for kind in OFFICE]
    if shutil.which("soffice"):
        made += [("LibreOffice", _converted(made[0][1], kind)) for kind in CONVERTED]
    print(f"\noffice files of {sum(truth.values()):,} words")
    print(f"{'':26}{'ms':>10}{'found':>9}{'right':>9}{'links':>9}{'headings':>10}")
    for maker, file in made:
        score, _ = _scored(lambda file: _page(file).text, file, truth)
        page = _page(file)
        found, right = score.both / score.true, score.both / max(score.read, 1)
        headings = len(page.tree.select("h1,h2,h3,h4,h5,h6"))
        label = f"{file.suffix[1:]} by {maker}"
        print(f"{label:26}{1000 * score.seconds:10.0f}{found:9.1%}{right:9.1%}{len(page.links):9,}{headings:10,}")


def _made(folder: Path, source: Path, kind: str, to: str) -> Path:
    target = folder / f"made.{kind}"
    command = ["pandoc", "-s", str(source), "-t", to, "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return target


def _converted(source: Path, kind: str) -> Path:
    folder = source.parent / "converted"
    command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", kind]
    subprocess.run([*command, "--outdir", str(folder), str(source)], check=True, capture_output=True, timeout=120)
    return folder / f"{source.stem}.{kind}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
