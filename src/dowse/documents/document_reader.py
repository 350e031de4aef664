"""Reads documents in other processes, so that none of them can hang, bloat or end this one.

PDFium is written in C++, and has had its share of files that end it. The processes are started when the first document
comes and used again. One that takes too long or ends is replaced, and its document has a note.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import IO, Self

import msgspec

from dowse.core.document_kinds import DOCUMENT_TYPES, DocumentText
from dowse.documents.child import ANSWER, MOST_ANSWER, QUESTION
from dowse.documents.conversion import unread
from dowse.documents.installed import readable_kinds

LONGEST = 20.0
"""Seconds for one document. Before that it is asked to come to an end (documents/growing_html.py)."""
MOST_PROCESSES = 4
ENDED = "the process that read it came to an end"
_CHUNK = 1 << 20


class DocumentReader:
    """Reads one document after the other, or several at once where several ask."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._idle: list[_Child] = []
        self._children: set[_Child] = set()
        self._lock = threading.Lock()
        self._is_closed = False
        self._kinds = readable_kinds()
        self._threads: ThreadPoolExecutor | None = None

    def reads(self, media_type: str) -> bool:
        return DOCUMENT_TYPES.get(media_type) in self._kinds

    def read(self, media_type: str, body: bytes) -> DocumentText:
        """A document as HTML, or why there is none.

        A process that had read others before may have come to its end by them, so it is tried in a new one.
        """
        was_idle = bool(self._idle)
        answer = self._ask(media_type, body)
        if answer == ENDED and was_idle:
            answer = self._ask(media_type, body)
        return DocumentText(note=unread(answer)) if isinstance(answer, str) else answer

    def _ask(self, media_type: str, body: bytes) -> DocumentText | str:
        with self._lock:  # so that none is started that `close` does not know of
            if self._is_closed:
                return ENDED
            try:
                child = self._idle.pop() if self._idle else _Child()
            except OSError as error:
                return f"no process could be started for it: {error.strerror}"
            self._children.add(child)
        is_well = False
        try:
            answer = child.ask(media_type, body, self._longest)
            is_well = isinstance(answer, DocumentText)
        finally:
            if not is_well:  # also where this thread is interrupted: half an answer is in the pipe
                child.end()
            with self._lock:
                self._idle += [child] if is_well else []
                self._children -= set() if is_well else {child}
        return answer

    async def read_aside(self, media_type: str, body: bytes) -> DocumentText:
        """The same, while the loop goes on with other pages."""
        if self._threads is None:
            number = min(MOST_PROCESSES, os.cpu_count() or 1)
            self._threads = ThreadPoolExecutor(number, thread_name_prefix="documents")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.read, media_type, body)

    def close(self) -> None:
        """End the processes, also one that is reading."""
        with self._lock:
            self._is_closed = True
            children, self._idle = list(self._children), []
            self._children.clear()
        for child in children:
            child.kill()
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None
        for child in children:
            child.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class _Child:
    """One process, and the pipes to and from it."""

    def __init__(self) -> None:
        # The other process finds what this one finds, and nothing that lies in the folder a crawl is started from.
        code = f"import sys; sys.path[:] = {sys.path!r}; from dowse.documents.child import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C is for the crawl, which says what becomes of its processes
        )
        for stream in (self._input, self._output):
            os.set_blocking(stream.fileno(), False)

    @property
    def _input(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _output(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def ask(self, media_type: str, body: bytes, longest: float) -> DocumentText | str:
        """What it makes of a document; if it does not answer, why."""
        until = time.monotonic() + longest
        kind = media_type.encode()
        try:
            for part in (QUESTION.pack(len(kind), len(body)) + kind, body):
                self._write(memoryview(part), until)
            (size,) = ANSWER.unpack(self._read(ANSWER.size, until))
            if size > MOST_ANSWER:  # the other process keeps to it, unless a file has taken it over
                return "what became of it is too large"
            return msgspec.msgpack.decode(self._read(size, until), type=DocumentText)
        except TimeoutError:
            return f"it took more than {longest:g} s"
        except OSError:
            return ENDED

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> None:
        self.kill()
        for stream in (self._input, self._output):
            with contextlib.suppress(OSError):
                stream.close()
        self._process.wait()

    def _write(self, left: memoryview, until: float) -> None:
        while left:
            self._wait(self._input, until, for_room=True)
            left = left[os.write(self._input.fileno(), left[:_CHUNK]) :]

    def _read(self, size: int, until: float) -> bytes:
        parts = []
        while size:
            self._wait(self._output, until)
            part = os.read(self._output.fileno(), min(size, _CHUNK))
            if not part:
                raise OSError("the other side has gone")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _wait(self, stream: IO[bytes], until: float, *, for_room: bool = False) -> None:
        left = max(0.0, until - time.monotonic())
        waiting: select.poll = select.poll()
        waiting.register(stream.fileno(), select.POLLOUT if for_room else select.POLLIN)
        if not waiting.poll(1000 * left):
            raise TimeoutError
