"""A plain client for tests, of the standard library alone, so that no test measures the crawler with itself."""

from __future__ import annotations

import http.client
import socket
from typing import NamedTuple
from urllib.parse import urlsplit


class Answer(NamedTuple):
    """Header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask(url: str, path: str = "/", headers: dict[str, str] | None = None, method: str = "GET") -> Answer:
    """One request to a site, on a connection of its own."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=5)
    try:
        connection.request(method, path, headers=headers or {})
        response = connection.getresponse()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
    finally:
        connection.close()


def raw(url: str, path: str, limit: int = 1 << 20) -> bytes:
    """Whatever bytes come back, up to a limit, until the server closes; "<reset>" at the end if it did so rudely."""
    received = bytearray()
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=5) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        try:
            while len(received) < limit and (data := connection.recv(1 << 16)):
                received += data
        except ConnectionResetError:
            received += b"<reset>"
    return bytes(received)
