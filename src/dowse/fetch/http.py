"""HTTP by libcurl: one request in, one response or failure out. Redirects are answers, not followed here."""

from __future__ import annotations

import re
import socket
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator

import pycurl

from dowse.core.heads import redacted, whole
from dowse.core.job import FetchOptions
from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.protocols import Sink
from dowse.fetch.curl import CurlLoop
from dowse.fetch.descriptors import EXHAUSTED, descriptors_are_left, out_of_descriptors
from dowse.fetch.guard import AddressGuard

_ACCEPT = b"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_STREAM_LIMIT = 64_000_000
_HEADER_LIMIT = 256_000
# Headers of the user's that say nothing about them, and so go to every host.
_HARMLESS_HEADERS = ("accept", "accept-language", "cache-control", "dnt", "pragma", "upgrade-insecure-requests")

_SECRET_HEADERS = (b"authorization", b"cookie", b"proxy-authorization")
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


class HttpFetcher:
    """Fetches over HTTP/1.1 and HTTP/2 with kept-alive connections, cookies and enforced limits.

    `wanted` is asked about the media type as soon as the headers are there; a body that is not wanted is not
    downloaded. The password and the headers that the user gave go to the hosts of the `seeds` only, and never over
    http where the seed was https.
    """

    def __init__(
        self,
        options: FetchOptions,
        seeds: Iterable[Request],
        wanted: Callable[[str], bool] = lambda _media_type: True,
    ) -> None:
        self._options = options
        seeds = list(seeds)
        self._trusted = tuple(origin for seed in seeds for origin in _trusted_origins(seed))
        self._wanted = wanted
        self.guard = AddressGuard((seed.host for seed in seeds), allow_private=options.allow_private)
        harmless = [_line(header) for header in options.header if _is_harmless(header)]
        private = [_line(header) for header in options.header if not _is_harmless(header)]
        self._headers = Sending([_ACCEPT, *harmless])
        self.shown_headers = [header.decode("latin-1") for header in self._headers.lines]
        has_secrets = bool(private or options.auth)
        self._private_headers = Sending([*self._headers.lines, *private]) if has_secrets else self._headers
        names = map(_name, private)
        self._secret_names = frozenset({*_SECRET_HEADERS, *names})
        self._has_cookies = False
        self._share = pycurl.CurlShare()
        if options.cookies:
            self._share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        self._curl_loop: CurlLoop | None = None
        self._idle: list[_Transfer] = []
        self._cookie_jar: pycurl.Curl | None = None
        self.cookie_version = 0

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        if self._options.proxy and not self.guard.allows_literal(request.host):
            return _blocked(self.guard.why_not(request.host))
        if self._curl_loop is None:
            self._curl_loop = CurlLoop(self._options.concurrency)
        transfer = self._idle.pop() if self._idle else self._new_transfer()
        sending = self._headers_for(request)
        listen = self._options.bodies and (self._has_cookies or not sending.sent or not request.is_plain)
        transfer.prepare(request, sink, sending, listen=listen)
        started = time.time()
        try:
            number = await self._curl_loop.perform(transfer.curl)
        except BaseException:
            transfer.close()
            raise
        answer = transfer.answer(number, started)
        self._idle.append(transfer)
        if isinstance(answer, Response) and "set-cookie" in answer.headers:
            self.cookie_version += 1
            self._has_cookies = True
        return answer

    def secrets_for(self, url: str) -> list[tuple[str, str]]:
        """The headers that the user entrusts to this address, for those who ask servers by other means."""
        sending = self._private_headers if url.startswith(self._trusted) else self._headers
        secrets = [_pair(line) for line in sending.lines if line is not _ACCEPT]
        if self._options.auth and url.startswith(self._trusted):
            secrets.append(("Authorization", f"Basic {b64encode(self._options.auth.encode()).decode()}"))
        return secrets

    def cookie_lines(self) -> list[str]:
        """Every cookie, one in a line of seven fields."""
        return [_cookie_text(line) for line in self._jar().getinfo_raw(pycurl.INFO_COOKIELIST)]

    def add_cookie_lines(self, lines: Iterable[str]) -> None:
        jar = self._jar()
        self._has_cookies = True
        for line in lines:
            jar.setopt(pycurl.COOKIELIST, line.encode("utf-8", "replace"))

    def _jar(self) -> pycurl.Curl:
        """A handle that is never sent: the cookies that the others share can be asked of it at any time."""
        if self._cookie_jar is None:
            self._cookie_jar = pycurl.Curl()
            self._cookie_jar.setopt(pycurl.SHARE, self._share)
            self._cookie_jar.setopt(pycurl.COOKIEFILE, "")
        return self._cookie_jar

    async def close(self) -> None:
        if self._curl_loop is not None:
            self._curl_loop.close()
        for transfer in self._idle:
            transfer.close()
        self._idle.clear()
        if self._cookie_jar is not None:
            self._cookie_jar.close()
        self._share.close()

    def _headers_for(self, request: Request) -> Sending:
        headers = self._private_headers if request.url.startswith(self._trusted) else self._headers
        if not request.headers:
            return headers
        own = [_line(f"{name}: {value}") for name, value in request.headers]
        names = {_name(line) for line in own}
        return Sending([*(line for line in headers.lines if _name(line) not in names), *own])

    def _new_transfer(self) -> _Transfer:
        options = self._options
        transfer = _Transfer(self.guard, self._wanted, options.max_body, self._secret_names)
        curl = transfer.curl
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.SHARE, self._share)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        curl.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS)
        curl.setopt(pycurl.PIPEWAIT, 1)
        curl.setopt(pycurl.ACCEPT_ENCODING, "")
        curl.setopt(pycurl.USERAGENT, options.user_agent.encode())
        curl.setopt(pycurl.BUFFERSIZE, 256 * 1024)
        curl.setopt(pycurl.TCP_KEEPALIVE, 1)
        curl.setopt(pycurl.CONNECTTIMEOUT_MS, int(options.connect_timeout * 1000))
        curl.setopt(pycurl.TIMEOUT_MS, int(options.timeout * 1000))
        curl.setopt(pycurl.LOW_SPEED_LIMIT, 1)
        curl.setopt(pycurl.LOW_SPEED_TIME, max(1, round(options.read_timeout)))
        if options.cookies:
            curl.setopt(pycurl.COOKIEFILE, "")
        if not options.verify_tls:
            curl.setopt(pycurl.SSL_VERIFYPEER, 0)
            curl.setopt(pycurl.SSL_VERIFYHOST, 0)
        if options.proxy:
            curl.setopt(pycurl.PROXY, options.proxy)
        else:
            # Without this libcurl would read http_proxy from the environment, and the guard would see the proxy.
            curl.setopt(pycurl.PROXY, "")
            curl.setopt(pycurl.OPENSOCKETFUNCTION, transfer.open_socket)
        if options.auth:
            transfer.auth = options.auth
            transfer.auth_origins = self._trusted
        return transfer


class Sending:
    """Headers to send, and what libcurl makes of them: all that follows the line with the host, without secrets.

    To hear that from libcurl takes 13 microseconds a request. So it is asked once, and again only where requests have
    more than these headers: cookies.
    """

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.sent = b""


class _Transfer:
    """A reused libcurl handle with the state of the one transfer it is running."""

    def __init__(
        self, guard: AddressGuard, wanted: Callable[[str], bool], max_body: int, secret_names: frozenset[bytes]
    ) -> None:
        self.curl = pycurl.Curl()
        self.auth = ""
        self.auth_origins: tuple[str, ...] = ()
        self._guard = guard
        self._wanted = wanted
        self._max_body = max_body
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
        curl = self.curl
        curl.setopt(pycurl.URL, request.url)
        curl.setopt(pycurl.MAXFILESIZE_LARGE, self._limit)
        if sending is not self._sending:
            curl.setopt(pycurl.HTTPHEADER, sending.lines)
            self._sending = sending
        if listen or self._listening:
            self._heard = b""
            curl.setopt(pycurl.VERBOSE, int(listen))
            self._listening = listen
        if self.auth:
            curl.setopt(pycurl.USERPWD, self.auth if request.url.startswith(self.auth_origins) else "")
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
            self._refusal = _blocked(self._guard.why_not(self._request.host, where[0]))
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
        if self._sink is not None or self._wanted(media_type):
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

    def close(self) -> None:
        self.curl.close()
        self._close_sockets()

    def _close_sockets(self) -> None:
        while self._opened:
            self._opened.pop().close()  # libcurl works on a duplicate of its own

    def answer(self, number: int, started: float) -> Response | Failure:
        trouble = self._trouble(number) if number else None
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


def _trusted_origins(seed: Request) -> Iterator[str]:
    """The origins that may have what the user entrusts to a seed: its own, and its secure twin."""
    yield f"https://{seed.host}/"
    if seed.url.startswith("http://"):
        yield f"http://{seed.host}/"


def _is_harmless(header: str) -> bool:
    return header.partition(":")[0].strip().lower() in _HARMLESS_HEADERS


def _pair(line: bytes) -> tuple[str, str]:
    name, _, value = line.decode("latin-1").partition(":")
    return name.strip(), value.strip()


def _cookie_text(line: bytes) -> str:
    """A cookie may be any bytes. Most are ASCII, some UTF-8; what is neither is taken as one character a byte."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _line(header: str) -> bytes:
    """A header as it goes over the line; servers send, and expect back, what is not ASCII in Latin-1."""
    return header.encode("latin-1", "replace")


def _name(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()


def _blocked(why: str) -> Failure:
    return Failure(FailureKind.BLOCKED_ADDRESS, why)
