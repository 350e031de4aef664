"""Changes by e-mail, through a server that takes mails (SMTP).

    smtp://     a plain connection that is made a TLS one before anything is said; on this machine it stays plain, for
                the mail server there has no certificate that anybody could check
    smtps://    TLS from the first byte

Certificates are checked, and a password is never sent without TLS.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Sequence
from contextlib import closing
from email.message import EmailMessage
from email.utils import formatdate
from urllib.parse import unquote, urlsplit

from dowse.core.errors import JobError
from dowse.core.phrasing import printable
from dowse.core.revisits.changes import counts_text
from dowse.workflows.watch.notification import Answer, Message, ToldChange

PATIENCE = 60.0
"""Seconds that a server may be silent."""

_PORTS = {"smtp": 587, "smtps": 465}
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_LONGEST_LINE = 500
_MOST_LINES = 20
"""Lines of one page on each side."""


class MailReceiver:
    """Sends mails to some addresses."""

    name = "email"

    def __init__(self, to: Sequence[str], sender: str, server: str, password: str = "") -> None:
        parts = urlsplit(server)
        self._to, self._sender = tuple(to), sender or to[0]
        self._has_tls = parts.scheme == "smtps"
        self._host = str(parts.hostname)
        try:
            self._port = parts.port or _PORTS[parts.scheme]
        except ValueError:
            raise JobError(f"smtp: {server!r} is not a valid URL; check its port") from None
        self._user, self._password = unquote(parts.username or ""), password
        if bool(self._user) != bool(password):
            raise JobError("smtp and smtp_password: belong together where the server wants a log-in: smtp://USER@HOST")
        self._is_plain = self._host in _THIS_MACHINE and not self._has_tls
        if self._is_plain and password:
            raise JobError("smtp: a password is not sent without TLS; write smtps:// instead of smtp://")

    def send(self, message: Message, now: float) -> Answer:
        mail = as_mail(message, self._sender, self._to, now).as_bytes()
        try:
            with closing(self._connect()) as server:
                refused = self._address(server)
                return self._hand_over(server, mail, refused)
        except smtplib.SMTPRecipientsRefused as error:
            return self._answer(min(code for code, _ in error.recipients.values()), error)
        except smtplib.SMTPSenderRefused as error:
            return self._answer(error.smtp_code, error)
        except (OSError, smtplib.SMTPException) as error:  # before the mail itself
            return self._answer(0, error)

    def _hand_over(self, server: smtplib.SMTP, mail: bytes, refused: list[str]) -> Answer:
        try:
            code, answer = server.data(mail)
        except smtplib.SMTPDataError as error:
            return self._answer(error.smtp_code, error)
        except (OSError, smtplib.SMTPException) as error:  # in the middle of it, or waiting for its receipt
            return Answer("unclear", f"{self._host}: {_said(error)}")
        if code != 250:
            return self._answer(code, smtplib.SMTPDataError(code, answer))
        return Answer("sent", f"{self._host} does not take mails for {', '.join(refused)}" if refused else "")

    def _answer(self, code: int, error: Exception) -> Answer:
        return Answer("refused" if code >= 500 else "later", f"{self._host}: {_said(error)}")

    def _connect(self) -> smtplib.SMTP:
        """Somebody to talk to who is who they say, and knows who we are."""
        context = ssl.create_default_context()
        server: smtplib.SMTP
        if self._has_tls:
            server = smtplib.SMTP_SSL(self._host, self._port, timeout=PATIENCE, context=context)
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=PATIENCE)
        try:
            server.ehlo_or_helo_if_needed()
            if not self._has_tls and not self._is_plain:
                server.starttls(context=context)
                server.ehlo_or_helo_if_needed()
            if self._user:
                server.login(self._user, self._password)
        except BaseException:
            server.close()
            raise
        return server

    def _address(self, server: smtplib.SMTP) -> list[str]:
        """Say from whom and to whom; the answer is who is not known there."""
        code, answer = server.mail(self._sender)
        if code != 250:
            raise smtplib.SMTPSenderRefused(code, answer, self._sender)
        refused = {}
        for address in self._to:
            code, answer = server.rcpt(address)
            if code not in (250, 251):
                refused[address] = (code, answer)
        if len(refused) == len(self._to):
            raise smtplib.SMTPRecipientsRefused(refused)
        return list(refused)


def as_mail(message: Message, sender: str, to: Sequence[str], now: float) -> EmailMessage:
    """The mail of a message. Its Message-ID is that of the message, so that two would be seen to be one."""
    mail = EmailMessage()
    name = printable(message.crawl).rstrip("/").rpartition("/")[2] or "a crawl"
    mail["Subject"] = f"{name}: {counts_text(message.counts)}"
    mail["From"], mail["To"] = sender, ", ".join(to)
    mail["Date"] = formatdate(now)
    mail["Message-ID"] = f"<{message.id}@dowse.invalid>"
    mail["Auto-Submitted"] = "auto-generated"
    lines = [line for change in message.changes for line in (*_lines(change), "")]
    if message.left_out:
        lines += [f"and {message.left_out:,} more, which dowse changes shows", ""]
    mail.set_content("\n".join([f"{message.crawl}, {message.at}", "", *lines]), cte="quoted-printable")
    return mail


def _lines(change: ToldChange) -> list[str]:
    what = "" if change.what == "page" else f" {change.what}"
    lines = [f"{change.kind}{what}: {printable(change.title or change.url)}", f"  {printable(change.url)}"]
    if isinstance(change.before, dict) or isinstance(change.after, dict):
        before, after = (part if isinstance(part, dict) else {} for part in (change.before, change.after))
        names = dict.fromkeys([*before, *after])
        lines += [f"  {printable(name)}: {_shown(before.get(name))} -> {_shown(after.get(name))}" for name in names]
    elif change.kind == "moved":
        lines.append(f"  now {_shown(change.after)}")
    else:
        lines += [f"  - {printable(line)}" for line in str(change.before or "").splitlines()[:_MOST_LINES]]
        lines += [f"  + {printable(line)}" for line in str(change.after or "").splitlines()[:_MOST_LINES]]
    return lines


def _shown(value: object) -> str:
    return "nothing" if value is None else printable(str(value))[:_LONGEST_LINE]


def _said(error: Exception) -> str:
    """What is wrong, in one line and without what was sent."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        rows = error.recipients.items()
        return printable("; ".join(f"{to}: {code} {said.decode('utf-8', 'replace')}" for to, (code, said) in rows))
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error.decode("utf-8", "replace") if isinstance(error.smtp_error, bytes) else error.smtp_error
        return printable(f"it answered {error.smtp_code} {said}")
    return printable(str(error) or type(error).__name__)
