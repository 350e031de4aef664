"""The process in which documents are read: what comes in is a document, what goes out its text, one after the other.

    in     size of the media type (4 bytes), of the body (8 bytes), both
    out    size (8 bytes), a DocumentText as msgpack

It may use only so much memory. It ends when nothing more can come, and is ended by its parent if it takes too long.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import struct
import sys
from typing import BinaryIO

import msgspec

from dowse.core.document_kinds import DocumentText
from dowse.documents.conversion import convert, unread
from dowse.documents.growing_html import MOST_HTML

QUESTION, ANSWER = struct.Struct("<IQ"), struct.Struct("<Q")
MOST_ANSWER = 4 * MOST_HTML + 100_000
"""Bytes of an answer: no character of the HTML has more than four, and the rest is for the note."""
MOST_MEMORY = 1_000_000_000
"""Bytes of addresses that the process may have; PDFium and Python take 100 MB of them before the first document."""
LAST_RESORT = 60
"""Seconds after which the process ends by itself, if its parent is not there any more to end it."""
_GENTLE = 5


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the other side has gone."""
    while len(head := questions.read(QUESTION.size)) == QUESTION.size:
        lengths = QUESTION.unpack(head)
        media_type, body = questions.read(lengths[0]).decode(), questions.read(lengths[1])
        signal.alarm(LAST_RESORT)
        answer = msgspec.msgpack.encode(_converted(media_type, body))
        signal.alarm(0)
        answers.write(ANSWER.pack(len(answer)) + answer)
        answers.flush()


def _converted(media_type: str, body: bytes) -> DocumentText:
    try:
        return convert(media_type, body)
    except Exception as error:  # noqa: BLE001 - whatever a hostile file finds, the file is what is wrong
        return DocumentText(note=unread(f"{type(error).__name__} while it was read"))


def main() -> None:
    """Take the standard streams away from whatever may write to them, then serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and says what is to be done
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, MOST_MEMORY)
    os.nice(_GENTLE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)


def _limit(kind: int, most: int) -> None:
    """Take no more than this, or than is allowed already. Some systems know no such limit: the others still hold."""
    allowed = [each for each in resource.getrlimit(kind) if each != resource.RLIM_INFINITY]
    least = min([most, *allowed])
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (least, least))
