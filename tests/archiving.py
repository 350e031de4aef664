"""Answers to put into an archive, and what other software finds there."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator

from dowse.config import make_job
from dowse.core.job import Job
from dowse.core.model import Request, Response

FETCHED_AT = 1_700_000_000.25  # 2023-11-14T22:13:20Z
TEXT = "<p>A page with words enough to be worth a reference.</p>" * 20


def a_job(**options: Any) -> Job:
    return make_job("site", "http://example.org/", user_agent="tester/1.0", **options)


def answer(
    url: str = "http://example.org/",
    body: bytes | str = TEXT,
    status: int = 200,
    headers: dict[str, str] | None = None,
    request: Request | None = None,
    at: float = FETCHED_AT,
) -> Response:
    content = body.encode() if isinstance(body, str) else body
    return Response(
        request=request or Request(url, 1, url.split("/")[2]),
        status=status,
        headers={"content-type": "text/html; charset=utf-8"} if headers is None else headers,
        body=content,
        fetched_at=at,
        elapsed=0.1,
        address="192.0.2.7",
        size=len(content),
    )


class Found(NamedTuple):
    """A record as warcio has it; `intact` is what it says of the digests, None if there are none to check."""

    kind: str
    fields: dict[str, str]
    status: str
    headers: list[tuple[str, str]]
    body: bytes
    intact: bool | None
    offset: int

    @property
    def url(self) -> str:
        return self.fields["WARC-Target-URI"]


def found_by_warcio(source: Path | bytes) -> list[Found]:
    """Every record of a file, in the eyes of the reference implementation."""
    records = []
    stream = BytesIO(source) if isinstance(source, bytes) else source.open("rb")
    with stream:
        iterator = ArchiveIterator(stream, check_digests=True)
        for record in iterator:
            body = record.content_stream().read()
            http = record.http_headers
            records.append(
                Found(
                    kind=record.rec_type,
                    fields=dict(record.rec_headers.headers),
                    status=http.get_statuscode() if http else "",
                    headers=http.headers if http else [],
                    body=body,
                    intact=record.digest_checker.passed,
                    offset=iterator.get_record_offset(),
                )
            )
        assert not iterator.err_count
    return records
