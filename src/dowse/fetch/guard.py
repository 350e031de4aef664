"""Which network addresses may be connected to.

A host the user named is trusted, whatever it resolves to. Any other host, met in a link or a redirect, must
resolve to a public address: otherwise a crawled page could make us read the services of the user's own
machine or network. The test is made on the address that is about to be connected to, so a name that
resolves differently a second time (DNS rebinding) does not pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

# IPv6 networks whose last four bytes are an IPv4 address: NAT64, its local twin, stateless translation, "compatible".
_EMBEDDING = [ip_network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "::ffff:0:0:0/96", "::/96")]

# Public by number, but inside the machines of a cloud a service of the platform.
_PLATFORM = [ip_network(text) for text in ("168.63.129.16/32", "192.0.0.0/24")]


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for, if it does."""
    if any(address in network for network in _EMBEDDING):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)


@lru_cache(maxsize=4096)
def is_public(text: str) -> bool:
    """Whether an address is on the public internet: not loopback, private, link-local, reserved or multicast.

    >>> is_public("93.184.216.34"), is_public("169.254.169.254"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and (inner := _embedded(address)) is not None:
        address = inner
    if any(address in network for network in _PLATFORM) or getattr(address, "is_site_local", False):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


class AddressGuard:
    """Answers, at the moment of connecting, whether a host may be reached at an address."""

    def __init__(self, named_hosts: Iterable[str], *, allow_private: bool = False) -> None:
        self._named = frozenset(named_hosts)
        self._allow_private = allow_private

    def allows(self, host: str, address: str) -> bool:
        return self._allow_private or host in self._named or is_public(address)

    def allows_literal(self, host: str) -> bool:
        """The same for a host that is itself an address; needed behind a proxy, where the proxy connects."""
        name = host.rpartition(":")[0] if host.count(":") == 1 else host
        name = name.partition("]")[0].lstrip("[")
        name = name.rstrip(".")
        if name == "localhost" or name.endswith(".localhost"):
            return self.allows(host, "127.0.0.1")
        try:
            ip_address(name)
        except ValueError:
            return True
        return self.allows(host, name)
