"""The socket that a server of ours listens at, and what its host is called."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_address

from dowse.core.errors import CrawlError, JobError

LOOPBACK = "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what is served at a host."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        raise JobError(f"host: expected an address such as {LOOPBACK} or 0.0.0.0, got {host!r:.60}") from None


def listening(host: str, *ports: int) -> socket.socket:
    """A socket at the first of these ports that is free; 0 is any that is."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in ports:
        try:
            return socket.create_server((host, port), family=family)
        except OSError as error:
            trouble = error.strerror
    raise CrawlError(f"cannot serve at {host} port {ports[0]}: {trouble}; give another --port")


def shown_host(host: str, names: Sequence[str]) -> str:
    """The host as a link has it: by the first name that it was given, if it has one.

    >>> shown_host("0.0.0.0", ()), shown_host("::1", ()), shown_host("0.0.0.0", ["crawls.example.org"])
    ('127.0.0.1', '[::1]', 'crawls.example.org')
    """
    if names:
        return names[0]
    if host in ("0.0.0.0", "::"):
        return LOOPBACK
    return f"[{host}]" if ":" in host else host
