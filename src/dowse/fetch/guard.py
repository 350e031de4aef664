"""Which network addresses may be connected to.

A host the user named is trusted, whatever it resolves to, unless they asked for public addresses only. Any other host,
met in a link or a redirect, must resolve to a public address: otherwise a crawled page could make us read the services
of the user's own machine or network. The test is made on the address that is about to be connected to, so a name that
resolves differently a second time (DNS rebinding) does not pass.

Ports of other services (mail, X11, IRC) are refused as browsers refuse them: what a page can put into a request may be
an order to a service that speaks something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from socket import inet_aton, inet_ntoa

from dowse.core.job import FetchOptions
from dowse.core.model import Failure, FailureKind

# The registries of special addresses (IANA, as of 2025-10), and what is reserved besides. Python has such lists too,
# but each version another one.
_NOT_PUBLIC_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  # private
        "100.64.0.0/10",  # behind the provider's translation
        "127.0.0.0/8",  # this machine
        "169.254.0.0/16",  # this link, and the metadata of clouds
        "192.0.0.0/24",  # of protocols, and the metadata of a cloud
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  # for examples
        "192.88.99.0/24",  # relays of 6to4, given up
        "198.18.0.0/15",  # for measurements
        "224.0.0.0/4", "240.0.0.0/4",  # for groups; for later, and all
        "168.63.129.16/32",  # public by number, but inside the machines of a cloud a service of the platform
    )
)  # fmt: skip
_PUBLIC_6 = IPv6Network("2000::/3")
"""The only addresses of version 6 that are given to anybody; others are of this machine, link or site, or of none."""

_NOT_PUBLIC_6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # of protocols; Teredo is 2001::/32: tunnels to an address of version 4 that it holds
        "2001:db8::/32", "3fff::/20",  # for examples
        "2002::/16",  # 6to4: a tunnel to the address of version 4 that it holds
    )
)  # fmt: skip
# What is translated to the address of version 4 in the last four bytes: by the system, and by NAT64. The local twin of
# NAT64, 64:ff9b:1::/48, has it elsewhere for each length of prefix, and is private anyway.
_TRANSLATED = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))

BAD_PORTS = frozenset(
    (0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
     110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
     532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
     5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080)
)  # fmt: skip
"""The bad ports of the Fetch Standard (https://fetch.spec.whatwg.org/#bad-port)."""


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
    if isinstance(address, IPv6Address):
        if not any(address in network for network in _TRANSLATED):
            return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    return not any(address in network for network in _NOT_PUBLIC_4)


def has_bad_port(host: str) -> bool:
    """
    >>> has_bad_port("example.org:25"), has_bad_port("example.org:8080"), has_bad_port("[2606:2800::1]")
    (True, False, False)
    """
    _name, colon, port = host.rpartition(":")
    return bool(colon) and port.isdecimal() and int(port) in BAD_PORTS


class AddressGuard:
    """Answers, at the moment of connecting, whether a host may be reached at an address."""

    def __init__(
        self,
        named_hosts: Iterable[str],
        *,
        allow_private: bool = False,
        cure: str = "--allow-private lets links lead there",
    ) -> None:
        """`cure` is what a refusal says can be done about it."""
        self._named = frozenset(named_hosts)
        self._allow_private = allow_private
        self._cure = cure

    def allows(self, host: str, address: str) -> bool:
        return host in self._named or (not has_bad_port(host) and (self._allow_private or is_public(address)))

    def refusal(self, host: str, address: str = "") -> Failure:
        """The failure of a request for what is not allowed."""
        if has_bad_port(host):
            why = f"{host}: the port is one of another service, and no browser asks it"
        else:
            what = f"{host} is {address}" if address else host
            why = f"{what}, a private address; {self._cure}"
        return Failure(FailureKind.BLOCKED_ADDRESS, why)

    def allows_literal(self, host: str) -> bool:
        """The same for a host that is itself an address; needed behind a proxy, where the proxy connects."""
        name = host.rpartition(":")[0] if host.count(":") == 1 else host
        name = name.partition("]")[0].lstrip("[")
        name = name.rstrip(".")
        if name == "localhost" or name.endswith(".localhost"):
            return self.allows(host, "127.0.0.1")
        if ":" not in name:
            try:
                # Any spelling of an address that a system takes for one: 127.1, 0x7f000001.
                name = inet_ntoa(inet_aton(name))
            except OSError:
                return host in self._named or not has_bad_port(host)
        return self.allows(host, name)


def guard_of(options: FetchOptions, named_hosts: Iterable[str]) -> AddressGuard:
    """The guard that some options ask for. Who chose the seeds is not always the user, and then naming is no trust."""
    if options.public_only:
        return AddressGuard((), cure="--public-only leaves those alone")
    return AddressGuard(named_hosts, allow_private=options.allow_private)
