"""Documents are read in another process: it is used again, replaced when it fails, and gone when nobody needs it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dowse.documents import document_reader
from dowse.documents.child import MOST_MEMORY
from dowse.documents.document_reader import DocumentReader
from tests.office_files import DOCX_TYPE, docx, paragraph
from tests.pdf_files import PDF_TYPE, letter

SLOW = docx("<w:p/>" * 12_000_000)
"""It takes several seconds to read."""


@pytest.fixture
def reader() -> Iterator[DocumentReader]:
    with DocumentReader() as made:
        yield made


def children() -> list[int]:
    """The processes that read documents for this one."""
    started = [
        int(number) for task in Path("/proc/self/task").glob("*/children") for number in task.read_text().split()
    ]
    return [number for number in started if b"dowse.documents.child" in Path(f"/proc/{number}/cmdline").read_bytes()]


def addresses_of_the_child() -> list[str]:
    """How many addresses it may have, and how many it could ask for."""
    (child,) = children()
    limits = Path(f"/proc/{child}/limits").read_text()
    (addresses,) = [line.split() for line in limits.splitlines() if line.startswith("Max address space")]
    return addresses[3:5]


def eventually(is_so: Callable[[], bool]) -> bool:
    until = time.monotonic() + 30
    while not is_so() and time.monotonic() < until:
        time.sleep(0.02)
    return is_so()


def test_one_process_reads_one_document_after_the_other(reader: DocumentReader) -> None:
    assert not children()
    assert b"first" in reader.read(PDF_TYPE, letter("first")).html
    (child,) = children()
    assert b"second" in reader.read(DOCX_TYPE, docx(paragraph("second"))).html
    assert children() == [child]
    reader.close()
    assert not children()


def test_a_document_larger_than_a_pipe_goes_through(reader: DocumentReader) -> None:
    text = "".join(paragraph(f"paragraph {number}") for number in range(20_000))
    assert b"paragraph 19999" in reader.read(DOCX_TYPE, docx(text)).html


def test_one_that_takes_too_long_is_a_note() -> None:
    with DocumentReader(longest=0.3) as reader:
        assert reader.read(DOCX_TYPE, SLOW).note == "its text was not read: it took more than 0.3 s"
    assert not children()


def test_the_end_of_the_process_is_a_note_and_the_next_document_is_read(reader: DocumentReader) -> None:
    notes: list[str] = []
    reading = threading.Thread(target=lambda: notes.append(reader.read(DOCX_TYPE, SLOW).note))
    reading.start()
    assert eventually(lambda: bool(children()))
    os.kill(children()[0], signal.SIGSEGV)
    reading.join()
    assert notes == ["its text was not read: the process that read it came to an end"]
    assert b"second" in reader.read(PDF_TYPE, letter("second")).html


def test_a_document_has_no_part_in_the_end_of_a_process_that_had_read_others(reader: DocumentReader) -> None:
    reader.read(PDF_TYPE, letter("first"))
    (child,) = children()
    os.kill(child, signal.SIGKILL)
    assert eventually(lambda: not children())
    assert b"second" in reader.read(PDF_TYPE, letter("second")).html


def test_memory_is_bounded(reader: DocumentReader) -> None:
    reader.read(PDF_TYPE, letter("first"))
    assert addresses_of_the_child() == [str(MOST_MEMORY)] * 2


def test_a_lower_limit_of_the_user_holds() -> None:
    """As after `ulimit -v`. No process may raise it again."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (900_000_000, 900_000_000))\n"
        "from tests.unit.documents.test_reader import *\n"
        "reader = DocumentReader(); found = reader.read(PDF_TYPE, letter('text'))\n"
        "print(b'text' in found.html, found.note, *addresses_of_the_child()); reader.close()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stdout.split() == ["True", "900000000", "900000000"]


def test_a_limit_that_is_refused_is_done_without() -> None:
    """As macOS does at times."""
    code = (
        "import resource\n"
        "def refuse(kind, limits): raise ValueError('current limit exceeds maximum limit')\n"
        "resource.setrlimit = refuse\n"
        "from dowse.documents.child import main; main()"
    )
    ended = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=False)
    assert ended.returncode == 0


def test_a_process_that_cannot_be_started_is_a_note(reader: DocumentReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    note = "its text was not read: no process could be started for it: No such file or directory"
    assert reader.read(PDF_TYPE, letter("text")).note == note
    monkeypatch.undo()
    assert b"text" in reader.read(PDF_TYPE, letter("text")).html


def test_an_answer_that_is_too_large_is_not_taken(reader: DocumentReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a process that was taken over by a file, and does not keep to the limits any more."""
    monkeypatch.setattr(document_reader, "MOST_ANSWER", 100)
    found = reader.read(PDF_TYPE, letter("text"))
    assert (found.html, found.note) == (b"", "its text was not read: what became of it is too large")
    assert not children()


def test_the_loop_goes_on_while_documents_are_read(reader: DocumentReader) -> None:
    async def read() -> int:
        turns = 0
        reading = asyncio.ensure_future(reader.read_aside(PDF_TYPE, letter("text")))
        while not reading.done():
            turns += 1
            await asyncio.sleep(0)
        assert b"text" in reading.result().html
        return turns

    assert asyncio.run(read()) > 10


def test_closing_ends_a_process_that_is_reading(reader: DocumentReader) -> None:
    async def read() -> str:
        reading = asyncio.ensure_future(reader.read_aside(DOCX_TYPE, SLOW))
        while not children():
            await asyncio.sleep(0.01)
        await asyncio.to_thread(reader.close)
        return (await reading).note

    assert "came to an end" in asyncio.run(read())
    assert not children()


def test_the_process_ends_with_its_parent() -> None:
    code = (
        "import os, signal; from dowse.documents.document_reader import DocumentReader; from tests.pdf_files import *\n"
        "reader = DocumentReader(); reader.read(PDF_TYPE, letter('x'))\n"
        "print(reader._idle[0]._process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert eventually(lambda: not Path(f"/proc/{int(ended.stdout)}").exists())


def test_files_in_the_folder_of_the_user_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit('this is not the library')")
    monkeypatch.chdir(tmp_path)
    with DocumentReader() as made:
        assert b"text" in made.read(PDF_TYPE, letter("text")).html


def test_what_cannot_be_read_is_not_asked_for(reader: DocumentReader) -> None:
    assert reader.reads("application/pdf")
    assert not reader.reads("text/html")
    assert not reader.reads("application/msword")
