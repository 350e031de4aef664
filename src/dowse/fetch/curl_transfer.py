"""One transfer by libcurl: the request as it is sent, the answer as it comes, and what goes wrong with either.

libcurl calls back while it runs: with each address before it connects, each header line and each piece of a body. A
transfer that is refused there ends at once, and the refusal is its answer.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pycurl

from dowse.core.http_heads import redacted, whole
from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.protocols import Sink
from dowse.core.urls import origin_of
from dowse.fetch.guard import AddressGuard
from dowse.fetch.out_of_files import EXHAUSTED, descriptors_are_left, out_of_descriptors

_STREAM_LIMIT = 64_000_000
_HEADER_LIMIT = 256_000

_PAGES = frozenset({"text/html", "application/xhtml+xml"})
"""What the first part of is worth something: not half a PDF, half a sitemap or half a robots.txt."""

# Headers that libcurl sends with some requests and not with others.
_SELDOM = re.compile(rb"(?im)^(?:cookie|proxy-[a-z]+|content-[a-z]+|expect):")

_FAILURE_KINDS: dict[int, FailureKind] = {
    pycurl.E_COULDNT_RESOLVE_PROXY: FailureKind.DNS,
    pycurl.E_COULDNT_RESOLVE_HOST: FailureKind.DNS,
    pycurl.E_COULDNT_CONNECT: FailureKind.CONNECT,
    pycurl.E_OPERATION_TIMEDOUT: FailureKind.TIMEOUT,
    pycurl.E_FILESIZE_EXCEEDED: FailureKind.TOO_LARGE,
    pycurl.E_SSL_CONNECT_ERROR: FailureKind.TLS,
    pycurl.E_PEER_FAILED_VERIFICATION: FailureKind.TLS,
    pycurl.E_SSL_ENGINE_NOTFOUND: FailureKind.TLS,
    pycurl.E_SSL_CERTPROBLEM: FailureKind.TLS,
    pycurl.E_SSL_CIPHER: FailureKind.TLS,
    pycurl.E_SSL_CACERT_BADFILE: FailureKind.TLS,
    pycurl.E_SSL_ISSUER_ERROR: FailureKind.TLS,
    pycurl.E_SSL_INVALIDCERTSTATUS: FailureKind.TLS,
}

# What it looks like when libcurl, or the resolver, cannot open a socket or a file.
_WITHOUT_DESCRIPTORS = frozenset({FailureKind.DNS, FailureKind.CONNECT, FailureKind.TLS, FailureKind.PROTOCOL})


class Sending:
    """Headers to send, and what libcurl makes of them: all that follows the line with the host, without secrets.

    To hear that from libcurl takes 13 microseconds a request. So it is asked once, and again only where requests have
    more than these headers: cookies.
    """

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.sent = b""


class Transfer:
    """A reused libcurl handle with the state of the one transfer it is running."""

    def __init__(
        self,
        guard: AddressGuard,
        wanted: Callable[[str], bool],
        max_body: int,
        secret_names: frozenset[bytes],
        cut_body: int = 0,
    ) -> None:
        """`cut_body`: of a page only so many bytes are read, and those are its body; 0 is all of it."""
        self.curl = pycurl.Curl()
        self.auth = ""
        self.auth_origins: frozenset[str] = frozenset()
        self._guard = guard
        self._wanted = wanted
        self._max_body = max_body
        self._cut_body = cut_body
        self._secret_names = secret_names
        self._sending: Sending | None = None
        self._listening = False
        self._heard = b""
        self._is_plain = True
        self._opened: list[socket.socket] = []
        self.curl.setopt(pycurl.WRITEFUNCTION, self._on_body)
        self.curl.setopt(pycurl.HEADERFUNCTION, self._on_header)
        self.curl.setopt(pycurl.DEBUGFUNCTION, self._on_talk)

    def prepare(self, request: Request, sink: Sink | None, sending: Sending, *, listen: bool) -> None:
        self._request = request
        self._sink = sink
        self._chunks: list[bytes] = []
        self._size = 0
        self._lines: list[bytes] = []
        self._header_size = 0
        self._parsed: dict[str, str] | None = None
        self._refusal: Failure | None = None
        self._limit = _STREAM_LIMIT if sink else self._max_body
        self._may_cut = self._is_cut = False
        curl = self.curl
        curl.setopt(pycurl.URL, request.url)
        is_bounded = not self._cut_body and request.method != "HEAD"  # of which no body comes, whatever its length
        curl.setopt(pycurl.MAXFILESIZE_LARGE, self._limit if is_bounded else 0)
        if sending is not self._sending:
            curl.setopt(pycurl.HTTPHEADER, sending.lines)
            self._sending = sending
        if listen or self._listening:
            self._heard = b""
            curl.setopt(pycurl.VERBOSE, int(listen))
            self._listening = listen
        if self.auth:
            curl.setopt(pycurl.USERPWD, self.auth if origin_of(request.url) in self.auth_origins else "")
        is_plain = request.is_plain
        if not (is_plain and self._is_plain):
            self._prepare_method(request)
        self._is_plain = is_plain

    def _prepare_method(self, request: Request) -> None:
        curl = self.curl
        curl.unsetopt(pycurl.CUSTOMREQUEST)
        curl.setopt(pycurl.HTTPGET, 1)
        if request.method == "HEAD":
            curl.setopt(pycurl.NOBODY, 1)
        elif not request.is_plain:
            curl.setopt(pycurl.POSTFIELDSIZE_LARGE, len(request.body))
            curl.setopt(pycurl.COPYPOSTFIELDS, request.body)
            curl.setopt(pycurl.CUSTOMREQUEST, request.method)

    def open_socket(self, _purpose: int, address: tuple[int, int, int, tuple[str, int]]) -> socket.socket | int:
        family, kind, protocol, where = address
        if not self._guard.allows(self._request.host, where[0]):
            self._refusal = self._guard.refusal(self._request.host, where[0])
            return int(pycurl.SOCKET_BAD)
        try:
            opened = socket.socket(family, kind, protocol)
        except OSError as error:  # an exception here would be printed, and taken for the server's
            if error.errno in EXHAUSTED:
                self._refusal = out_of_descriptors()
            return int(pycurl.SOCKET_BAD)
        self._opened.append(opened)
        return opened

    def _on_talk(self, kind: int, data: bytes) -> None:
        if kind == pycurl.INFOTYPE_HEADER_OUT:
            self._heard = data  # the last that was sent: before it a proxy or a closed connection may have had one

    def _sent(self) -> bytes:
        """The headers of the request, without secrets."""
        host = b"Host: %b\r\n" % self._request.host.encode("latin-1", "replace")
        if self._sending is None or not self._heard:
            return host + self._sending.sent if self._sending is not None and self._sending.sent else b""
        head = redacted(whole(self._heard).partition(b"\r\n")[2], self._secret_names)
        if head.startswith(host) and not _SELDOM.search(head):
            self._sending.sent = head[len(host) :]
        return head

    def _on_header(self, line: bytes) -> int | None:
        if line.startswith(b"HTTP/"):
            self._lines.clear()  # an interim answer (100, 103) came before
        self._lines.append(line)
        self._header_size += len(line)
        if self._header_size > _HEADER_LIMIT:
            self._refusal = Failure(FailureKind.TOO_LARGE, f"headers over {_HEADER_LIMIT:,} bytes")
            return -1
        return None

    def _on_body(self, chunk: bytes) -> int | None:
        if self._size == 0 and not self._body_is_wanted():
            return -1
        self._size += len(chunk)
        if self._size > self._limit:
            if self._may_cut:
                self._chunks.append(chunk[: len(chunk) - (self._size - self._limit)])
                self._size, self._is_cut = self._limit, True
                return -1
            self._refusal = Failure(FailureKind.TOO_LARGE, f"body over {self._limit:,} bytes")
            return -1
        if self._sink is not None and self._status() < 300:
            self._sink(chunk)
        else:
            self._chunks.append(chunk)
        return None

    def _body_is_wanted(self) -> bool:
        if self._status() >= 300:
            return True
        media_type = self._headers().get("content-type", "").partition(";")[0].strip().lower()
        if self._sink is not None or self._request.is_requisite or self._wanted(media_type):
            if self._cut_body and self._sink is None and media_type in _PAGES:
                self._may_cut, self._limit = True, min(self._cut_body, self._limit)
            return True
        self._refusal = Failure(FailureKind.MEDIA_TYPE, media_type)
        return False

    def _status(self) -> int:
        """From the status line, because libcurl answers no questions while it runs our callbacks; 0 if it has none."""
        code = self._lines[0].split(None, 2)[1] if self._lines else b""
        return int(code) if len(code) == 3 and code.isdigit() else 0

    def _headers(self) -> dict[str, str]:
        if self._parsed is None:
            self._parsed = {}
            for line in self._lines:
                name, colon, value = line.decode("latin-1").partition(":")
                if colon:
                    key, value = name.strip().lower(), value.strip()
                    before = self._parsed.get(key)
                    self._parsed[key] = f"{before}, {value}" if before else value
        return self._parsed

    def met_leftovers(self, number: int) -> bool:
        """Whether no answer came but the rest of another one: a server had sent more than it announced, and libcurl
        takes such connections for free ones. Where that may do something, the request is not made twice."""
        is_safe = self._request.method in ("GET", "HEAD")
        return number == pycurl.E_FTP_WEIRD_SERVER_REPLY and is_safe and not self.curl.getinfo(pycurl.NUM_CONNECTS)

    @contextmanager
    def on_new_connection(self) -> Iterator[None]:
        self._close_sockets()
        self.curl.setopt(pycurl.FRESH_CONNECT, 1)
        try:
            yield
        finally:
            self.curl.setopt(pycurl.FRESH_CONNECT, 0)

    def close(self) -> None:
        self.curl.close()
        self._close_sockets()

    def _close_sockets(self) -> None:
        while self._opened:
            self._opened.pop().close()  # libcurl works on a duplicate of its own

    def answer(self, number: int, started: float) -> Response | Failure:
        trouble = self._trouble(number) if number and not self._is_cut else None
        self._close_sockets()
        if trouble is not None:
            return trouble
        status = self._status()
        if not status:  # libcurl takes any number, and one of thirty digits fits no column
            return Failure(FailureKind.PROTOCOL, "the status line has no status of three digits")
        curl = self.curl
        return Response(
            request=self._request,
            status=status,
            headers=self._headers(),
            body=self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks),
            fetched_at=started,
            elapsed=curl.getinfo(pycurl.TOTAL_TIME),
            address=curl.getinfo(pycurl.PRIMARY_IP),
            size=self._size,
            head=b"".join(self._lines),
            sent=self._sent(),
            is_cut=self._is_cut,
        )

    def _trouble(self, number: int) -> Failure:
        if self._refusal is not None:
            return self._refusal
        kind = _FAILURE_KINDS.get(number, FailureKind.PROTOCOL)
        if kind in _WITHOUT_DESCRIPTORS and (
            self.curl.getinfo(pycurl.OS_ERRNO) in EXHAUSTED or not descriptors_are_left()
        ):
            return out_of_descriptors()
        return Failure(kind, self.curl.errstr() or f"libcurl error {number}")
