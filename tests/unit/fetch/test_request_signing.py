"""Signatures are those of the standard and of the draft, and independent software finds them to be good."""

from __future__ import annotations

import json
from base64 import b64decode
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from http_message_signatures import (
    HTTPMessageVerifier,
    HTTPSignatureKeyResolver,
    InvalidSignature,
    algorithms,
)

from dowse.core.errors import JobError
from dowse.fetch.request_signing import RequestSigner, authority
from dowse.fetch.signing_keys import directory, new_key, read_key, thumbprint

PEM = """-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
"""
"""The key test-key-ed25519 of RFC 9421, B.1.4."""

JWK = '{"kty":"OKP","crv":"Ed25519","d":"n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU","x":"ignored"}'
"""The same, as the draft has it."""

AGENT = "https://signature-agent.test"


class OneKey(HTTPSignatureKeyResolver):
    """Knows the public half of the key, by its thumbprint."""

    def __init__(self, pem: str) -> None:
        self._key: Any = load_pem_private_key(pem.encode(), None)

    def resolve_public_key(self, key_id: str) -> Any:
        assert key_id == thumbprint(self._key)
        return self._key.public_key()


class Message:
    """A request as the verifier wants to see it."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        self.method = "GET"
        self.url = url
        self.headers = headers


def test_the_key_of_the_standard_has_the_name_of_the_draft() -> None:
    assert thumbprint(read_key(PEM)) == thumbprint(read_key(JWK)) == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"


def test_the_key_of_the_standard_signs_as_the_standard_says() -> None:
    """RFC 9421, B.2.6: what our library makes of its signature base is its signature."""
    base = (
        '"date": Tue, 20 Apr 2021 02:07:55 GMT\n"@method": POST\n"@path": /foo\n"@authority": example.com\n'
        '"content-type": application/json\n"content-length": 18\n"@signature-params": ("date" "@method" "@path" '
        '"@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"'
    )
    expected = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
    assert read_key(PEM).sign(base.encode()) == b64decode(expected)


def test_the_vector_of_the_draft() -> None:
    """draft-ietf-webbotauth-httpsig-protocol-00, EdDSA, with a Signature-Agent; there the label is another one."""
    nonce = "n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA=="
    lasts = 4889289600 - 1735689600
    signer = RequestSigner(
        PEM, AGENT, label="agent2", clock=lambda: 1735689600.7, nonce=lambda: b64decode(nonce), lasts=lasts
    )
    signed = dict(signer.headers("https://example.com/path/to/resource"))
    assert signed["Signature-Agent"] == 'agent2="https://signature-agent.test"'
    assert signed["Signature-Input"] == (
        'agent2=("@authority" "signature-agent";key="agent2");created=1735689600'
        ';keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600'
        f';nonce="{nonce}";tag="web-bot-auth"'
    )
    assert signed["Signature"] == (
        "agent2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:"
    )


def verify(url: str, headers: dict[str, str]) -> Any:
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=OneKey(PEM))
    (found,) = verifier.verify(Message(url, headers), max_age=timedelta(seconds=60), expect_tag="web-bot-auth")
    return found


def test_another_implementation_finds_it_good_for_its_host_alone() -> None:
    headers = dict(RequestSigner(PEM, AGENT).headers("https://Example.com:443/a?b"))
    found = verify("https://example.com/other", headers)
    assert found.parameters["expires"] - found.parameters["created"] == 300
    assert {'"@authority"', '"signature-agent";key="sig1"'} < set(found.covered_components)
    with pytest.raises(InvalidSignature):
        verify("https://example.org/a?b", headers)
    with pytest.raises(InvalidSignature):
        verify("https://example.com/a?b", {**headers, "Signature-Agent": 'sig1="https://thief.test"'})


def test_no_two_signatures_are_alike() -> None:
    signer = RequestSigner(PEM, AGENT, clock=lambda: 0.0)
    assert signer.headers("https://a.org/") != signer.headers("https://a.org/")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://example.org/", "example.org"),
        ("http://example.org:80/", "example.org"),
        ("http://example.org:443/", "example.org:443"),
        ("https://[2001:db8::1]:8443/", "[2001:db8::1]:8443"),
    ],
)
def test_the_authority_is_the_host_without_its_usual_port(url: str, host: str) -> None:
    assert authority(url) == host


def test_a_new_key_and_its_directory() -> None:
    key = read_key(new_key().decode())
    (listed,) = json.loads(directory(key))["keys"]
    assert set(listed) == {"kty", "crv", "kid", "x", "use"}, "and nothing of the private part"
    assert (listed["kid"], listed["kty"], listed["crv"]) == (thumbprint(key), "OKP", "Ed25519")
    assert new_key() != new_key()
    assert isinstance(key, Ed25519PrivateKey)


SECRET = "LXCw9931g+yTvoZBImlK7pAl1NF3ZcY9pkgS+nbKDkb"


@pytest.mark.parametrize(
    "text",
    [
        "secret-text",
        "-----BEGIN PRIVATE KEY-----\nsecret-text\n-----END PRIVATE KEY-----",
        f"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDAGVwBCIEI{SECRET}\n-----END PRIVATE KEY-----",  # of no known kind
        f"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VxBCIEI{SECRET}\n-----END PRIVATE KEY-----",  # too short for its
        '{"kty":"OKP","crv":"X25519","d":"secret-text"}',
        '{"kty":"OKP","crv":"Ed25519","d":"secret-text"}',
        '{"secret-text":',
        "[]",
    ],
)
def test_what_is_no_key_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(JobError, match="not an Ed25519 key") as refused:
        read_key(text)
    assert "secret-text" not in str(refused.value)
    assert SECRET not in str(refused.value)
