"""Keys that requests are signed with: Ed25519, from PEM (as openssl writes it) or a JSON Web Key, and their names.

A key is known by its thumbprint (RFC 7638, RFC 8037): the hash of its public part. The directory is the list of public
keys that servers look it up in (draft-ietf-webbotauth-httpsig-protocol-00).
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, json

from dowse.core.errors import JobError
from dowse.core.optional_libraries import load

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

WELL_KNOWN = "/.well-known/http-message-signatures-directory"
MEDIA_TYPE = "application/http-message-signatures-directory+json"

_SEED = 32


def read_key(text: str) -> Ed25519PrivateKey:
    """The private key of a PEM or a JSON Web Key. No message shows any of it."""
    ed25519, serialization = _library()
    found: Ed25519PrivateKey | None
    try:
        if text.lstrip().startswith("{"):
            fields = json.decode(text)
            if (fields["kty"], fields["crv"]) != ("OKP", "Ed25519"):
                raise ValueError
            found = ed25519.Ed25519PrivateKey.from_private_bytes(_from_base64(fields["d"]))
        else:
            found = serialization.load_pem_private_key(text.encode(), None)
    except _troubles():
        found = None
    if found is None or not isinstance(found, ed25519.Ed25519PrivateKey):
        raise JobError("sign_key: not an Ed25519 key without a password, as PEM or JWK; dowse signing --new makes one")
    return found


def new_key() -> bytes:
    """A new private key as PEM."""
    ed25519, serialization = _library()
    made: bytes = ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return made


def directory(key: Ed25519PrivateKey) -> bytes:
    """The list of public keys to serve, as JSON."""
    public = _public(key.public_key())
    entry = {"kty": public["kty"], "crv": public["crv"], "kid": thumbprint(key), "x": public["x"], "use": "sig"}
    return json.format(json.encode({"keys": [entry]}))


def thumbprint(key: Ed25519PrivateKey) -> str:
    """The name of a key."""
    return _base64(sha256(json.encode(_public(key.public_key()))).digest())


def _public(key: Ed25519PublicKey) -> dict[str, str]:
    """The fields that a thumbprint is made of, in their order."""
    return {"crv": "Ed25519", "kty": "OKP", "x": _base64(key.public_bytes_raw())}


def _library() -> tuple[Any, Any]:
    primitives = "cryptography.hazmat.primitives"
    parts = (f"{primitives}.asymmetric.ed25519", f"{primitives}.serialization")
    ed25519, serialization = (load(part, "signing", "signing requests") for part in parts)
    return ed25519, serialization


def _troubles() -> tuple[type[Exception], ...]:
    """What is raised for a text that is no key, and for a key that OpenSSL does not know or cannot set up."""
    exceptions = load("cryptography.exceptions", "signing", "signing requests")
    own = exceptions.InternalError, exceptions.UnsupportedAlgorithm
    return (ValueError, TypeError, KeyError, DecodeError, *own)


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _from_base64(text: str) -> bytes:
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(data) != _SEED:
        raise ValueError
    return data
