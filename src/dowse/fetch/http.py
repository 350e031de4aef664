"""HTTP by libcurl: one request in, one response or failure out. Redirects are answers, not followed here."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import pycurl

from dowse.core.job import FetchOptions
from dowse.core.model import Failure, Request, Response
from dowse.core.protocols import Sink
from dowse.core.urls import origin_of
from dowse.core.user_agent import sender
from dowse.fetch.curl_loop import CurlLoop
from dowse.fetch.curl_transfer import Sending, Transfer
from dowse.fetch.guard import guard_of

if TYPE_CHECKING:
    from dowse.fetch.request_signing import RequestSigner

_ACCEPT = b"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
# Headers of the user's that say nothing about them, and so go to every host.
_HARMLESS_HEADERS = ("accept", "accept-language", "cache-control", "dnt", "pragma", "upgrade-insecure-requests")

_SECRET_HEADERS = (b"authorization", b"cookie", b"proxy-authorization")


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
        self._trusted = frozenset(origin for seed in seeds for origin in _trusted_origins(seed))
        self._wanted = wanted
        self.guard = guard_of(options, (seed.host for seed in seeds))
        harmless = [_line(header) for header in options.header if _is_harmless(header)]
        private = [_line(header) for header in options.header if not _is_harmless(header)]
        if mail := sender(options):
            harmless.append(_line(f"From: {mail}"))
        self._headers = Sending([_ACCEPT, *harmless])
        self.shown_headers = [header.decode("latin-1") for header in self._headers.lines]
        has_secrets = bool(private or options.auth)
        self._private_headers = Sending([*self._headers.lines, *private]) if has_secrets else self._headers
        names = map(_name, private)
        self._secret_names = frozenset({*_SECRET_HEADERS, *names})
        self._has_cookies = False
        self._signer: RequestSigner | None = None
        if options.sign_key:
            from dowse.fetch.request_signing import signer_of  # few crawls need the library for it

            self._signer = signer_of(options)
        self._share = pycurl.CurlShare()
        if options.cookies:
            self._share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        self._curl_loop: CurlLoop | None = None
        self._idle: list[Transfer] = []
        self._cookie_jar: pycurl.Curl | None = None
        self.cookie_version = 0

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        if self._options.proxy and not self.guard.allows_literal(request.host):
            return self.guard.refusal(request.host)
        if self._curl_loop is None:
            self._curl_loop = CurlLoop(self._options.concurrency)
        transfer = self._idle.pop() if self._idle else self._new_transfer()
        sending = self._headers_for(request)
        listen = self._options.bodies and (self._has_cookies or not sending.sent or not request.is_plain)
        transfer.prepare(request, sink, sending, listen=listen)
        started = time.time()
        try:
            number = await self._curl_loop.perform(transfer.curl)
            if transfer.met_leftovers(number):
                if self._signer is not None:
                    sending = self._headers_for(request)  # a signature is good once
                transfer.prepare(request, sink, sending, listen=listen)
                with transfer.on_new_connection():
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
        sending = self._private_headers if origin_of(url) in self._trusted else self._headers
        secrets = [_pair(line) for line in sending.lines if line is not _ACCEPT]
        if self._options.auth and origin_of(url) in self._trusted:
            secrets.append(("Authorization", f"Basic {b64encode(self._options.auth.encode()).decode()}"))
        return secrets

    def signature_for(self, url: str) -> list[tuple[str, str]]:
        """The headers that prove to the server of this address whose request it is; none if nothing is signed."""
        return self._signer.headers(url) if self._signer is not None else []

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
        headers = self._private_headers if origin_of(request.url) in self._trusted else self._headers
        if not request.headers and self._signer is None:
            return headers
        own = [_line(f"{name}: {value}") for name, value in (*request.headers, *self.signature_for(request.url))]
        names = {_name(line) for line in own}
        return Sending([*(line for line in headers.lines if _name(line) not in names), *own])

    def _new_transfer(self) -> Transfer:
        options = self._options
        transfer = Transfer(self.guard, self._wanted, options.max_body, self._secret_names, options.cut_body)
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
