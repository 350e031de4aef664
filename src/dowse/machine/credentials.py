"""The secrets of a job on this machine: found where its references say, when it is run and not before.

    resolved(job)   the job with its secrets, for the workers of one run; it is never written down
    seal(job)       what proves that this user, on this machine, has begun the crawl that names them

A crawl's folder can come from a stranger, and its job could name any secret of ours and send it to a server of theirs,
or any code on this machine and have it run.
So what a folder names is used only if its seal is ours. Otherwise the option has to be given again.
"""

from __future__ import annotations

import getpass
import hmac
import os
import secrets
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import asdict

from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.private_jobs import changed, code_of, elsewhere, wants_of_machine, without_secrets
from dowse.core.secret import OPTIONS, filled, references

_KEY = "key"
_KEY_SIZE = 32
_LONGEST = 10_000
_MOST_HOSTS = 3


def resolved(job: Job) -> Job:
    """The job with every reference replaced by what it stands for. A JobError names the one that is not there."""
    hosts = sorted({seed.split("/")[2] for seed in job.seeds if seed.count("/") > 1})[:_MOST_HOSTS]

    def resolve(option: str, text: str) -> str:
        try:
            in_lines = option == "sign_key"  # as openssl writes it
            find = partial(_value_for, hosts[:1], in_lines)
            return filled(option, text, find)
        except JobError as error:
            raise JobError(f"{option}: {error}") from None

    found = changed(job, resolve)
    if found.fetch.auth and ":" not in found.fetch.auth:
        raise JobError(f"auth: {job.fetch.auth} must stand for USER:PASSWORD")
    if found.fetch.proxy and "://" not in found.fetch.proxy:
        raise JobError(f"proxy: {job.fetch.proxy} must stand for SCHEME://HOST:PORT")
    return found


def _value_for(hosts: Sequence[str], in_lines: bool, reference: str, name: str) -> str:
    return value_of(reference, " for ".join([name, *hosts]), in_lines=in_lines)


def value_of(reference: str, name: str, *, in_lines: bool = False) -> str:
    """What a reference stands for; `name` is what to call it. `in_lines`: it may have more than one line."""
    kind, _, place = reference.partition(":")
    value = _MEANS[kind](place, name).strip()
    if not value:
        raise JobError(f"{reference}: {name} is empty")
    line = " ".join(value.splitlines()) if in_lines else value
    if len(value) > _LONGEST or any(ord(letter) < 32 or ord(letter) == 127 for letter in line):
        raise JobError(f"{reference}: {name} is not one line of text")
    return value


def _from_environment(place: str, name: str) -> str:
    if place not in os.environ:
        raise JobError(f"the environment variable {place}, for {name}, is not set; set it with: export {place}=...")
    return os.environ[place]


def _from_file(place: str, _name: str) -> str:
    path = os.path.abspath(os.path.expanduser(place))  # a message says where it was looked for
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read(_LONGEST + 2)
    except OSError as error:
        raise JobError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise JobError(f"{path}: not a text in UTF-8") from None


def _from_keyring(place: str, _name: str) -> str:
    try:
        import keyring
    except ImportError:
        raise JobError(f"keyring:{place} needs the package keyring; install it with: pip install keyring") from None
    service, _, user = place.partition("/")
    try:
        found = keyring.get_password(service, user)
    except Exception as error:  # noqa: BLE001 - every backend has its own
        raise JobError(f"keyring:{place}: {error}") from None
    if found is None:
        raise JobError(f"the keyring has nothing for {place}; put it there with: keyring set {service} {user}")
    return str(found)


def _asked(_place: str, name: str) -> str:
    """Asked of whoever sits at the terminal: neither the job nor the crawl keeps what was typed."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise JobError(f"{name} is not kept; give the option again, or name where it is: env:NAME or file:PATH")
    try:
        return getpass.getpass(f"{name[:1].upper()}{name[1:]}: ")
    except (EOFError, KeyboardInterrupt):
        raise JobError(f"{name} was not given") from None


_MEANS: Mapping[str, Callable[[str, str], str]] = {
    "env": _from_environment,
    "file": _from_file,
    "keyring": _from_keyring,
    "ask": _asked,
}


def seal(job: Job) -> str:
    """A mark that only this user on this machine can make: for these secrets, sent to these hosts. "" if none is
    needed, or there is no place to keep the key."""
    if not wants_of_machine(job):
        return ""
    bare = without_secrets(job)
    fetch = bare.fetch
    places = [value for name, value in asdict(bare.options).items() if name in OPTIONS]
    wants = (fetch.auth, fetch.header, fetch.proxy, fetch.step, fetch.profile, places)
    # Not all of the job: an option that a newer version adds would break every seal. Code and signing came later, so
    # they count only where there is some.
    signing = fetch.sign_key and [fetch.sign_key, fetch.signature_agent]
    later = [what for what in (code_of(job), signing, elsewhere(job)) if what]
    return mark((wants, bare.seeds, bare.scope.scope, fetch.verify_tls, *later))


def mark(what: object) -> str:
    """A mark for something that JSON can say; "" if there is no place to keep the key."""
    key = _key()
    return hmac.new(key, msgspec.json.encode(what), sha256).hexdigest() if len(key) == _KEY_SIZE else ""


def revealed_steps(url: str, steps: tuple[str, ...], seal: str) -> tuple[str, ...]:
    """The steps of a log-in on a page with the secrets that they name, if it was this user who named them."""
    if any(references("step", text) for text in steps) and not _is_same(mark((url, steps)), seal):
        raise JobError("its steps name secrets, and it was not made by you on this machine")
    try:
        return tuple(filled("step", text, value_of) for text in steps)
    except JobError as error:
        raise JobError(f"step: {error}") from None


def is_ours(job: Job, mark: str) -> bool:
    """Whether a crawl may have what its job wants of this machine. Without a key, none is known to be ours."""
    return not wants_of_machine(job) or _is_same(seal(job), mark)


def _is_same(own: str, mark: str) -> bool:
    return bool(own) and hmac.compare_digest(own, mark)


def check_seal(job: Job, mark: str, given: Collection[str]) -> None:
    """Refuse what a stranger's crawl wants of this machine, but for the options that its user gives now."""
    wants = {name: text for name, text in wants_of_machine(job).items() if name not in given}
    if wants and not is_ours(job, mark):
        named = "; ".join(f"{name} = {text!r}" for name, text in wants.items())
        options = " and ".join(f"--{name.replace('_', '-')}" for name in wants)
        raise JobError(
            f"the crawl was not begun by you on this machine and asks for {named}; if it may have that, give {options}"
            " again"
        )


def state_folder() -> Path:
    """Where is kept what dowse remembers of this user between crawls."""
    return Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "dowse"


def _key() -> bytes:
    """The key of this user, made when it is first needed; nothing where there is no place for it."""
    path = state_folder() / _KEY
    with suppress(OSError):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = path.with_name(f"key.{secrets.token_hex(4)}")
            fresh.touch(0o600)
            fresh.write_bytes(secrets.token_bytes(_KEY_SIZE))
            with suppress(FileExistsError):  # another process was first
                os.link(fresh, path)
            fresh.unlink()
        return path.read_bytes()
    return b""
