"""WARC records as bytes: a response becomes an answer record and a request record, and a record is read again.

The body that is kept is the one that was parsed, without its content and transfer encoding, which libcurl took off.
Headers that would not be true of it any more go by another name, as in the archives of Common Crawl:

    Content-Encoding: gzip          X-Crawl-Content-Encoding: gzip
    Transfer-Encoding: chunked      X-Crawl-Transfer-Encoding: chunked
    Content-Length: 1234            X-Crawl-Content-Length: 1234, and Content-Length with the true one

(`X-Archive-Orig-` is what replay software puts before the names of archived headers; it would do so twice.)
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote

from dowse.core.job import Job
from dowse.core.model import Request, Response
from dowse.version import VERSION

_END = b"\r\n\r\n"
_VERSION = "WARC/1.1"
_SPECIFICATION = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_SECRETS = frozenset({"authorization", "cookie", "proxy-authorization"})
_OF_THE_WIRE = {
    "content-encoding": "X-Crawl-Content-Encoding",
    "transfer-encoding": "X-Crawl-Transfer-Encoding",
    "content-length": "X-Crawl-Content-Length",
}
_AS_RECEIVED = {moved.lower(): name for name, moved in _OF_THE_WIRE.items()}
_PHRASES = {int(status): status.phrase for status in HTTPStatus}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_URL_CHARACTERS = "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}"  # and what `quote` never touches: letters, digits, - . _ ~
# Cookies come joined by commas, which dates have too; what follows a comma between two cookies is a name and "=".
_COOKIE = re.compile(r", (?=[\w!#$%&'*+.^`|~-]+=)")


class Original(NamedTuple):
    """The record that has the body of a revisit."""

    identity: str
    url: str
    date: str


class Record(NamedTuple):
    """An answer as read, its headers under the names they came by."""

    kind: str
    identity: str
    url: str
    date: str
    digest: str
    address: str
    status: int
    headers: dict[str, str]
    body: bytes


class RecordWriter:
    """Makes the records of one crawl. `sent` are the headers that go with every request."""

    def __init__(self, job: Job, sent: Iterable[str] = ()) -> None:
        self._job = job
        self._through_proxy = bool(job.fetch.proxy)
        headers = (f"User-Agent: {job.fetch.user_agent}", *(line for line in sent if not _is_secret(line)))
        self._sent = "".join(f"{_clean(line)}\r\n" for line in headers)

    def information(self, file: str, now: float) -> bytes:
        """The record at the head of a file."""
        lines = (
            f"software: dowse/{VERSION}",
            "format: WARC File Format 1.1",
            f"conformsTo: {_SPECIFICATION}",
            f"robots: {self._job.politeness.robots}",
            f"http-header-user-agent: {_clean(self._job.fetch.user_agent)}",
        )
        block = "".join(f"{line}\r\n" for line in lines).encode()
        fields = f"WARC-Filename: {file}\r\nContent-Type: application/warc-fields\r\n"
        return _record("warcinfo", _identity(os.urandom(16)), _date(int(now)), fields, block)

    def visit(self, response: Response, digest: str, original: Original | None) -> tuple[bytes, bytes]:
        """The answer, as a response or (if its body is that of an `original`) a revisit, and the request."""
        url = _ascii(response.request.url)
        random = os.urandom(32)
        identity, when = _identity(random[:16]), _date(int(response.fetched_at))
        fields = f"WARC-Target-URI: {url}\r\nWARC-Payload-Digest: {digest}\r\n"
        if response.address and not self._through_proxy:  # else it is the address of the proxy
            fields += f"WARC-IP-Address: {response.address}\r\n"
        kind, body = "response", response.body
        if original is not None:
            kind, body = "revisit", b""
            fields += (
                f"WARC-Profile: {_SAME_PAYLOAD}\r\n"
                f"WARC-Refers-To: {original.identity}\r\n"
                f"WARC-Refers-To-Target-URI: {original.url}\r\n"
                f"WARC-Refers-To-Date: {original.date}\r\n"
            )
        fields += "Content-Type: application/http; msgtype=response\r\n"
        answer = _record(kind, identity, when, fields, _answer(response), body)
        fields = (
            f"WARC-Target-URI: {url}\r\nWARC-Concurrent-To: {identity}\r\n"
            "Content-Type: application/http; msgtype=request\r\n"
        )
        asked = self._question(response.request, url)
        return answer, _record("request", _identity(random[16:]), when, fields, asked)

    def _question(self, request: Request, url: str) -> bytes:
        """What was asked, without passwords and cookies."""
        target = url[url.index("/", url.index("://") + 3) :] if url.count("/") > 2 else "/"
        lines = [f"{request.method} {target} HTTP/1.1\r\nHost: {_clean(request.host)}\r\n{self._sent}"]
        for name, value in request.headers:
            if name.lower() not in _SECRETS:
                lines.append(f"{_clean(name)}: {_clean(value)}\r\n")
        lines.append(f"Content-Length: {len(request.body)}\r\n\r\n" if request.body else "\r\n")
        return "".join(lines).encode("latin-1", "replace") + request.body


def read_record(data: bytes) -> Record | None:
    """The answer at the beginning of the data, with what there is of its body; None if not even its headers are whole.

    Other records lack fields or a status, and raise a LookupError or a ValueError.
    """
    fields_end = data.find(_END)
    headers_end = data.find(_END, fields_end + 4)
    if fields_end < 0 or headers_end < 0:
        return None
    _version, fields = _read_lines(data[:fields_end].decode("utf-8", "replace"))
    status_line, headers = _read_lines(data[fields_end + 4 : headers_end].decode("latin-1"))
    block_end = fields_end + 4 + int(fields["content-length"])
    return Record(
        kind=fields["warc-type"],
        identity=fields["warc-record-id"],
        url=fields["warc-target-uri"],
        date=fields["warc-date"],
        digest=fields["warc-payload-digest"],
        address=fields.get("warc-ip-address", ""),
        status=int(status_line.split(" ", 2)[1]),
        headers=_as_received(headers),
        body=data[headers_end + 4 : block_end],
    )


def _read_lines(text: str) -> tuple[str, dict[str, str]]:
    first, *lines = text.split("\r\n")
    found: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        name, value = name.lower(), value.strip()
        found[name] = f"{found[name]}, {value}" if name in found else value
    return first, found


def _as_received(headers: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in headers.items() if name not in _AS_RECEIVED}
    return kept | {name: headers[moved] for moved, name in _AS_RECEIVED.items() if moved in headers}


def _record(kind: str, identity: str, date: str, fields: str, block: bytes, body: bytes = b"") -> bytes:
    """A record whose block is `block` and `body`; `fields` are whole lines."""
    head = (
        f"{_VERSION}\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {identity}\r\nWARC-Date: {date}\r\n{fields}"
        f"Content-Length: {len(block) + len(body)}\r\n\r\n"
    )
    return b"".join((head.encode(), block, body, _END))


def _answer(response: Response) -> bytes:
    """Status line and headers, as far as they are known, made true of the body as it is kept."""
    lines = [f"HTTP/1.1 {response.status} {_PHRASES.get(response.status, '')}"]
    length = str(len(response.body))
    for name, value in response.headers.items():
        if name in _OF_THE_WIRE:
            if value != length or name != "content-length":
                lines.append(f"{_OF_THE_WIRE[name]}: {_clean(value)}")
        elif name == "set-cookie":
            lines += [f"{name}: {_clean(cookie)}" for cookie in _COOKIE.split(value)]
        elif name:
            lines.append(_clean(f"{name}: {value}"))
    lines.append(f"Content-Length: {length}\r\n\r\n")
    return "\r\n".join(lines).encode("latin-1", "replace")


def _clean(text: str) -> str:
    """One line, whatever a server or a user put in it."""
    return text if text.isprintable() else _CONTROL.sub(" ", text)


def _is_secret(line: str) -> bool:
    return line.partition(":")[0].strip().lower() in _SECRETS


def _ascii(url: str) -> str:
    """A URL as the standard wants it; replay software cannot look up others."""
    return url if url.isascii() and url.isprintable() and " " not in url else quote(url, safe=_URL_CHARACTERS)


@lru_cache(maxsize=256)
def _date(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))


def _identity(random: bytes) -> str:
    """A random UUID; the module of that name takes four times as long, and a page has two."""
    text = random.hex()
    return f"<urn:uuid:{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}>"
