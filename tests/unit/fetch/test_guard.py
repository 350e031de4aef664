"""Which addresses may be connected to."""

from __future__ import annotations

import pytest

from dowse.fetch.guard import AddressGuard, is_public


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("127.8.9.10", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("64:ff9b::a00:1", False),
        ("2002:7f00:1::", False),
        ("fec0::1", False),
        ("::7f00:1", False),
        ("::ffff:0:127.0.0.1", False),
        ("64:ff9b:1::7f00:1", False),
        ("64:ff9b:1:7f00:0:100::", False),
        ("64:ff9b:1::5db8:d822", False),
        ("64:ff9b::5db8:d822", True),
        ("192.88.99.1", False),
        ("198.18.0.1", False),
        ("203.0.113.7", False),
        ("240.0.0.1", False),
        ("192.31.196.1", True),
        ("100::1", False),
        ("2001:0:7f00:1::", False),
        ("2001:db8::1", False),
        ("2002:5db8:d822::1", False),
        ("3fff::1", False),
        ("4000::1", False),
        ("5f00::1", False),
        ("ff02::1", False),
        ("fd00:ec2::254", False),
        ("2620:4f:8000::1", True),
        ("168.63.129.16", False),
        ("192.0.0.192", False),
        ("not an address", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_named_host_may_be_anywhere_and_others_must_be_public() -> None:
    guard = AddressGuard(["intranet:8000"])
    assert guard.allows("intranet:8000", "10.0.0.1")
    assert not guard.allows("intranet:9000", "10.0.0.1"), "another port is another service"
    assert not guard.allows("evil.example", "10.0.0.1")
    assert guard.allows("example.org", "93.184.216.34")
    assert AddressGuard([], allow_private=True).allows("evil.example", "10.0.0.1")


def test_ports_of_other_services_are_refused_unless_named() -> None:
    guard = AddressGuard(["intranet:6000"], allow_private=True)
    assert guard.allows("intranet:6000", "10.0.0.1")
    assert not guard.allows("intranet:25", "10.0.0.1")
    assert not guard.allows("[2606:2800::25]:6667", "2606:2800::25")
    assert guard.allows("[2606:2800::25]", "2606:2800::25")
    assert guard.allows("example.org:8000", "93.184.216.34")


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("example.org", True),
        ("localhost:80", False),
        ("a.localhost", False),
        ("localhost.", False),
        ("10.0.0.1:8080", False),
        ("[::1]:8080", False),
        ("[::1]", False),
        ("93.184.216.34", True),
        ("127.1", False),
        ("0x7f000001:8080", False),
        ("2130706433", False),
        ("0300.0250.1", False),
        ("example.org:25", False),
        ("example.org:8080", True),
    ],
)
def test_literal_hosts_behind_a_proxy(host: str, allowed: bool) -> None:
    assert AddressGuard([]).allows_literal(host) is allowed
