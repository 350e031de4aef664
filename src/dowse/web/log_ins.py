"""Who may use the page: a one-time link or a password makes a session, and a session is a cookie or a bearer token.

    link       printed by `dowse serve`; good for one browser, once
    password   needed where the page can be reached from other machines
    cookie     of a browser: every act needs the session's CSRF token as well
    bearer     of a program or the extension: sent on purpose, so no other site can make a browser send it

Sessions live in memory: a restart ends them. Tokens are kept as digests. Those of programs can be listed and ended one
by one; only browsers may make them, so that a token that got into wrong hands makes no others.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable
from hashlib import scrypt, sha256
from threading import Lock
from typing import NamedTuple

_SECONDS = 7 * 86_400.0
"""For how long a session lasts that nobody uses."""
_MOST_SESSIONS = 1_000
_LINK_SECONDS = 3_600.0
_WINDOW = 60.0
_MOST_OF_ONE = 5
_MOST_OF_ALL = 30


class Session(NamedTuple):
    """Somebody who is logged in. `id` names the session, and lets nobody in. `csrf` is "" for programs."""

    id: str
    csrf: str
    begun: float
    used: float

    @property
    def is_program(self) -> bool:
        return not self.csrf


class Token(NamedTuple):
    """The session of a program, as it is listed: how many seconds ago it was begun, and last used."""

    id: str
    age: float
    idle: float


class TooManyTries(Exception):
    """Log-ins failed too often; `seconds` says how long to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many log-ins failed; try again in {seconds} seconds")
        self.seconds = seconds


class LogIns:
    """The sessions, and the ways to get one."""

    def __init__(self, password: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._salt = secrets.token_bytes(16)
        self._password = self._hashed(password) if password else b""
        self._guessing = Lock()
        self._links: dict[bytes, float] = {}
        self._sessions: dict[bytes, Session] = {}
        self._failures: dict[str, deque[float]] = {}
        self._all_failures: deque[float] = deque()

    @property
    def has_password(self) -> bool:
        return bool(self._password)

    def make_link(self) -> str:
        """A token that logs one browser in, once, within an hour."""
        token, now = secrets.token_urlsafe(32), self._clock()
        self._links = {link: until for link, until in self._links.copy().items() if until >= now}
        self._links[_digest(token)] = now + _LINK_SECONDS
        return token

    def by_link(self, token: str) -> str | None:
        """The secret of a new session for a token of a link; None if it is wrong, used or old.

        Nobody can guess one, so wrong ones are not counted: any site could have its visitors' browsers ask for some,
        and so lock everybody out.
        """
        until = self._links.pop(_digest(token), None)
        return self.begin() if until is not None and until >= self._clock() else None

    def by_password(self, password: str, client: str) -> str | None:
        """The same for a password."""
        with self._guessing:  # one guess after the other, or many at once would all come before the first is counted
            self._check_pace(client)
            if not self._password or not hmac.compare_digest(self._hashed(password), self._password):
                self._note_failure(client)
                return None
        return self.begin()

    def begin(self, *, bearer: bool = False) -> str:
        """The secret of a new session, for a browser or for a program."""
        secret = secrets.token_urlsafe(32)
        known = self._sessions.copy()  # requests come in several threads
        if len(known) >= _MOST_SESSIONS:
            self._sessions.pop(min(known, key=lambda key: known[key].used), None)
        csrf, now = "" if bearer else secrets.token_urlsafe(32), self._clock()
        self._sessions[_digest(secret)] = Session(secrets.token_hex(8), csrf, now, now)
        return secret

    def find(self, secret: str, *, bearer: bool = False) -> Session | None:
        """The session of a cookie or of a bearer token; neither will do in the place of the other."""
        key, now = _digest(secret), self._clock()
        session = self._sessions.get(key)
        if session is None or bearer != session.is_program:
            return None
        if now - session.used > _SECONDS:
            self._sessions.pop(key, None)
            return None
        self._sessions[key] = found = session._replace(used=now)
        return found

    def tokens(self) -> list[Token]:
        """The sessions of programs, the newest first."""
        now, known = self._clock(), self._sessions.copy().values()
        found = [Token(each.id, now - each.begun, now - each.used) for each in known if each.is_program]
        return sorted((each for each in found if each.idle <= _SECONDS), key=lambda each: each.age)

    def end(self, session_id: str) -> bool:
        """End a session; False if there is none of that id."""
        key = next((key for key, each in self._sessions.copy().items() if each.id == session_id), b"")
        return self._sessions.pop(key, None) is not None

    def _check_pace(self, client: str) -> None:
        now = self._clock()
        for failures, most in ((self._failures.get(client, deque()), _MOST_OF_ONE), (self._all_failures, _MOST_OF_ALL)):
            while failures and failures[0] <= now - _WINDOW:
                failures.popleft()
            if len(failures) >= most:
                raise TooManyTries(int(failures[0] + _WINDOW - now) + 1)

    def _note_failure(self, client: str) -> None:
        now = self._clock()
        # An address that was last heard of a while ago is forgotten: there may be many.
        self._failures = {name: dates for name, dates in self._failures.items() if dates and dates[-1] > now - _WINDOW}
        self._failures.setdefault(client, deque()).append(now)
        self._all_failures.append(now)

    def _hashed(self, password: str) -> bytes:
        return scrypt(password.encode("utf-8", "replace"), salt=self._salt, n=2**14, r=8, p=1)


def _digest(token: str) -> bytes:
    """What is kept of a token. Looking a digest up tells nothing by the time it takes, for nobody can choose it."""
    return sha256(token.encode("utf-8", "replace")).digest()
