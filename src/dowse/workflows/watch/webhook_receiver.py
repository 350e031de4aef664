"""A webhook: changes as one JSON object to a URL of the user, signed as the Standard Webhooks are.

    webhook-id          of the message, the same in every attempt
    webhook-timestamp   seconds since 1970, of the attempt
    webhook-signature   v1, and HMAC-SHA256 of ID.TIMESTAMP.BODY in Base64

The address guard of crawls is not asked: this URL is named by the user and by no page, and their own machine or network
is where most such programs run. Redirects are not followed, so nobody else can name another address.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import http.client
import ssl
from hashlib import sha256
from urllib.parse import urlsplit

from dowse.core.errors import JobError
from dowse.version import VERSION
from dowse.workflows.watch.notification import Answer, Message, pack

PATIENCE = 30.0
"""Seconds that a server may be silent."""

_MARK = "whsec_"
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers that may be others in a while."""


class WebhookReceiver:
    """Sends to one URL."""

    name = "webhook"

    def __init__(self, url: str, key: str = "") -> None:
        self._parts = urlsplit(url)
        self._key = _key_bytes(key) if key else b""
        # An empty host would be this machine, and http.client finds out about odd ports only when it connects.
        try:
            self._parts.port  # noqa: B018 - raises
        except ValueError:
            raise JobError(f"notify_webhook: {url!r} is not a valid URL; check its port") from None

    def send(self, message: Message, now: float) -> Answer:
        body = pack(message)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"dowse/{VERSION}",
            **signed_headers(self._key, message.id, int(now), body),
        }
        connection = self._connection()
        try:
            connection.connect()
        except OSError as error:
            return Answer("later", f"{self._parts.hostname} cannot be reached: {error.strerror or error}")
        path = (self._parts.path or "/") + (f"?{self._parts.query}" if self._parts.query else "")
        try:
            connection.request("POST", path, body, headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return Answer("unclear", f"{self._parts.hostname} gave no answer: {error or type(error).__name__}")
        finally:
            connection.close()
        if 200 <= status < 300:
            return Answer("sent")
        return Answer("later" if status in _LATER else "refused", f"{self._parts.hostname} answered {status}")

    def _connection(self) -> http.client.HTTPConnection:
        host, port = str(self._parts.hostname), self._parts.port
        if self._parts.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=context)
        return http.client.HTTPConnection(host, port, timeout=PATIENCE)


def signed_headers(key: bytes, name: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of one attempt; without a key it is not signed."""
    headers = {"webhook-id": name, "webhook-timestamp": str(timestamp)}
    if key:
        digest = hmac.new(key, f"{name}.{timestamp}.".encode() + body, sha256).digest()
        headers["webhook-signature"] = f"v1,{base64.b64encode(digest).decode()}"
    return headers


def _key_bytes(key: str) -> bytes:
    """The key: the bytes of a text, or of what stands in Base64 behind whsec_."""
    if not key.startswith(_MARK):
        return key.encode()
    try:
        return base64.b64decode(key.removeprefix(_MARK), validate=True)
    except binascii.Error:
        raise JobError(f"webhook_key: what stands behind {_MARK} is not Base64") from None
