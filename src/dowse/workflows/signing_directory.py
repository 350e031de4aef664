"""The key that a user signs requests with: made, and its public part as servers want to find it."""

from __future__ import annotations

import os
from pathlib import Path

from dowse.core.errors import JobError
from dowse.core.options.option_checks import sign_key
from dowse.fetch.signing_keys import directory, new_key, read_key
from dowse.machine.credentials import value_of


def make_key(reference: str) -> None:
    """Write a new private key into a file, for its owner alone. One that is there stays as it is."""
    kind, _, place = reference.partition(":")
    if kind != "file":
        raise JobError(f"{reference}: a new key is written to a file; name it as file:crawler.pem")
    pem, path = new_key(), Path(place).expanduser()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(pem)
    except OSError as error:
        raise JobError(f"{path}: {error.strerror}") from None


def key_directory(reference: str) -> bytes:
    """The list of public keys to serve, for the private key at a reference."""
    if problem := sign_key(reference):
        raise JobError(f"{problem}, got {reference!r}")
    return directory(read_key(value_of(reference, "the key", in_lines=True)))
