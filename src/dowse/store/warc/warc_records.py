"""WARC records as bytes: a response becomes an answer record and a request record, and a record is read again.

The body that is kept is the one that was parsed, without its content and transfer encoding, which libcurl took off.
Headers that would not be true of it any more go by another name, as in the archives of Common Crawl:

    Content-Encoding: gzip          X-Crawl-Content-Encoding: gzip
    Transfer-Encoding: chunked      X-Crawl-Transfer-Encoding: chunked
    Content-Length: 1234            X-Crawl-Content-Length: 1234, and Content-Length with the true one

All else is as it came, letter by letter: the status line, the spelling and the order of the headers. So is the request,
but for the values of headers that are secret (core/secret.py), which say `redacted`: a WARC file is made to be handed
on, and nobody needs them to read it. In a crawl that was made with secrets the cookies that servers set are secret too.

(`X-Archive-Orig-` is what replay software puts before the names of archived headers; it would do so twice.)
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha1
from http import HTTPStatus
from itertools import product
from typing import NamedTuple
from urllib.parse import quote

from dowse.core.http_heads import in_http_1, whole, without_cookies
from dowse.core.job import Job
from dowse.core.model import Request, Response
from dowse.core.private_jobs import is_private
from dowse.version import VERSION

_END = b"\r\n\r\n"
_VERSION = "WARC/1.1"
_SPECIFICATION = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_SECRETS = frozenset({"authorization", "cookie", "proxy-authorization"})
_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_OF_THE_WIRE = re.compile(rb"(?im)^(?=(?:content-encoding|transfer-encoding|content-length)[ \t]*:)")
_AS_RECEIVED = {f"x-crawl-{name}": name for name in ("content-encoding", "transfer-encoding", "content-length")}
_OF_ORIGINAL = tuple(
    f"\r\n{name}: " for name in ("WARC-Record-ID", "WARC-Target-URI", "WARC-Date", "WARC-Payload-Digest")
)
_PHRASES = {int(status): status.phrase for status in HTTPStatus}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_URL_CHARACTERS = "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}"  # and what `quote` never touches: letters, digits, - . _ ~
# Base 32 two characters at a time, ten bits of a sha1: 2 microseconds where base64.b32encode takes 7.
_BASE32 = tuple(map("".join, product("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", repeat=2)))
_SHIFTS = range(150, -1, -10)
# Cookies come joined by commas, which dates have too; what follows a comma between two cookies is a name and "=".
_COOKIE = re.compile(r", (?=[\w!#$%&'*+.^`|~-]+=)")


class Original(NamedTuple):
    """The record that has the body of a revisit."""

    identity: str
    url: str
    date: str
    digest: str


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
        self._is_private = is_private(job)
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
            *([f"operator: {_clean(contact)}"] if (contact := self._job.fetch.contact) else []),
        )
        block = "".join(f"{line}\r\n" for line in lines).encode()
        fields = f"WARC-Filename: {file}\r\nContent-Type: application/warc-fields\r\n"
        return _record("warcinfo", _identity(os.urandom(16)), _date(int(now)), fields, block)

    def visit(self, response: Response, digest: str, original: Original | None) -> tuple[bytes, bytes]:
        """The answer, as a response or (if its body is that of an `original`) a revisit, and the request.

        A server that has nothing new to say (304) is a revisit too; the digest is that of the original then.
        """
        url = _ascii(response.request.url)
        random = os.urandom(32)
        identity, when = _identity(random[:16]), _date(int(response.fetched_at))
        head, protocol = in_http_1(_head(response))
        if self._is_private and "set-cookie" in response.headers:
            head = without_cookies(head)
        spoken = f"WARC-Protocol: {protocol}\r\n" if protocol else ""
        fields = f"WARC-Target-URI: {url}\r\nWARC-Payload-Digest: {digest}\r\n{spoken}"
        if response.address and not self._through_proxy:  # else it is the address of the proxy
            fields += f"WARC-IP-Address: {response.address}\r\n"
        kind, body = "response", response.body
        if original is not None:
            kind, body = "revisit", b""
            fields += (
                f"WARC-Profile: {_NOT_MODIFIED if response.status == 304 else _SAME_PAYLOAD}\r\n"
                f"WARC-Refers-To: {original.identity}\r\n"
                f"WARC-Refers-To-Target-URI: {original.url}\r\n"
                f"WARC-Refers-To-Date: {original.date}\r\n"
            )
        if response.is_cut:
            fields += "WARC-Truncated: length\r\n"
        fields += "Content-Type: application/http; msgtype=response\r\n"
        answer = _record(kind, identity, when, fields, head + b"\r\n", body)
        fields = (
            f"WARC-Target-URI: {url}\r\nWARC-Concurrent-To: {identity}\r\n{spoken}"
            "Content-Type: application/http; msgtype=request\r\n"
        )
        asked = self._question(response.request, url, response.sent)
        return answer, _record("request", _identity(random[16:]), when, fields, asked)

    def _question(self, request: Request, url: str, sent: bytes) -> bytes:
        """What was asked, without passwords and cookies. Where nobody noted it, what is asked of every server."""
        target = url[url.index("/", url.index("://") + 3) :] if url.count("/") > 2 else "/"
        if sent:
            return b"%b %b HTTP/1.1\r\n%b\r\n%b" % (request.method.encode(), target.encode(), sent, request.body)
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
        status=int(status_line.split(None, 2)[1]),
        headers=_as_received(headers),
        body=data[headers_end + 4 : block_end],
    )


def read_original(data: bytes) -> Original | None:
    """What a revisit says of the answer at the beginning of the data: 1 microsecond where `read_record` takes 10. None
    if its fields are not whole, or not spelled as they are here."""
    end = data.find(_END)
    head = data[: end + 2].decode("utf-8", "replace") if end >= 0 else ""
    found = []
    for name in _OF_ORIGINAL:
        begin = head.find(name)
        if begin < 0:
            return None
        begin += len(name)
        found.append(head[begin : head.index("\r\n", begin)])
    return Original(*found)


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


def with_block_digest(record: bytes) -> bytes:
    """A whole record with the digest of its block; the same one if it has it.

    Records get it when they are exported. While a crawl runs, it would be the second sha1 of each page: 25 microseconds
    or 4 % of what a page takes in all. The digest of its body is always there.
    """
    end = record.find(_END) + 2
    if b"\r\nWARC-Block-Digest:" in record[:end]:
        return record
    line = f"WARC-Block-Digest: {sha1_name(record[end + 2 : -len(_END)])}\r\n"
    return record[:end] + line.encode() + record[end:]


def sha1_name(data: bytes) -> str:
    """The sha1 of data as archives write it."""
    return digest_name(int.from_bytes(sha1(data, usedforsecurity=False).digest(), "big"))


def digest_name(digest: int) -> str:
    """A sha1, as a number, as archives write it."""
    return "sha1:" + "".join([_BASE32[digest >> shift & 1023] for shift in _SHIFTS])


def _head(response: Response) -> bytes:
    """Status line and headers as they came, or as far as they are known, made true of the body as it is kept."""
    head = whole(response.head) if response.head else _composed(response)
    length = len(response.body)
    headers = response.headers
    if response.status == 304 or (
        headers.get("content-length") == str(length)
        and "content-encoding" not in headers
        and "transfer-encoding" not in headers
    ):
        return head  # of what was not sent, the server knows the length
    return _OF_THE_WIRE.sub(b"X-Crawl-", head) + b"Content-Length: %d\r\n" % length


def _composed(response: Response) -> bytes:
    """The head of an answer that nobody kept as it came: one that was rendered anew, or made up for a test."""
    lines = [f"HTTP/1.1 {response.status} {_PHRASES.get(response.status, '')}"]
    for name, value in response.headers.items():
        if name == "set-cookie":
            lines += [f"{name}: {_clean(cookie)}" for cookie in _COOKIE.split(value)]
        elif name:
            lines.append(_clean(f"{name}: {value}"))
    return "\r\n".join([*lines, ""]).encode("latin-1", "replace")


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
