"""Requests that prove whose they are: Web Bot Auth (draft-ietf-webbotauth-httpsig-protocol-00, which was
draft-meunier-web-bot-auth-architecture-05) by HTTP Message Signatures (RFC 9421).

    Signature-Agent: sig1="https://crawler.example.org"
    Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=...;keyid="...";...;tag="web-bot-auth"
    Signature: sig1=:MEUCIQ...:

What is signed is the host that is asked and where our keys are, for a few minutes. Every request has its own signature:
one that were used again could be taken for a replay.
"""

from __future__ import annotations

import secrets
import time
from base64 import b64encode
from collections.abc import Callable

from dowse.core.job import FetchOptions
from dowse.core.urls import host_of
from dowse.fetch.signing_keys import read_key, thumbprint

LASTS = 300
"""Seconds that a signature is good for: time enough for clocks that disagree."""

_NONCE = 64


class RequestSigner:
    """Signs requests with one key."""

    def __init__(
        self,
        key: str,
        agent: str,
        *,
        label: str = "sig1",
        clock: Callable[[], float] = time.time,
        nonce: Callable[[], bytes] = lambda: secrets.token_bytes(_NONCE),
        lasts: int = LASTS,
    ) -> None:
        """`key` is the private key as text, `agent` the URL by which its public part is found."""
        private = read_key(key)
        self._sign = private.sign
        self._agent = agent
        self._label = label
        self._clock = clock
        self._nonce = nonce
        self._lasts = lasts
        self._components = f'("@authority" "signature-agent";key="{label}")'
        self._key = f';keyid="{thumbprint(private)}";alg="ed25519"'
        self._agent_line = f'"signature-agent";key="{label}": "{agent}"'

    def headers(self, url: str) -> list[tuple[str, str]]:
        """The three headers of a request for this absolute URL."""
        created = int(self._clock())
        nonce = b64encode(self._nonce()).decode()
        parameters = (
            f"{self._components};created={created}{self._key};expires={created + self._lasts}"
            f';nonce="{nonce}";tag="web-bot-auth"'
        )
        base = f'"@authority": {authority(url)}\n{self._agent_line}\n"@signature-params": {parameters}'
        signature = b64encode(self._sign(base.encode())).decode()
        label = self._label
        return [
            ("Signature-Agent", f'{label}="{self._agent}"'),
            ("Signature-Input", f"{label}={parameters}"),
            ("Signature", f"{label}=:{signature}:"),
        ]


def authority(url: str) -> str:
    """The host of a URL as it is signed (RFC 9421, 2.2.3): in lower case, without the port that its scheme has.

    >>> authority("https://Example.org:443/a"), authority("http://example.org:8080/")
    ('example.org', 'example.org:8080')
    """
    host = host_of(url).lower()
    return host.removesuffix(":443" if url.startswith("https:") else ":80")


def signer_of(options: FetchOptions) -> RequestSigner | None:
    """Who signs the requests of a job, if anybody does."""
    return RequestSigner(options.sign_key, options.signature_agent) if options.sign_key else None
