"""Who is told of changes: commands, webhooks and mail servers, those that refuse, fail and fall silent among them."""

from __future__ import annotations

import email
import email.policy
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from dowse.core.errors import JobError
from dowse.core.options.watch_options import WatchOptions
from dowse.core.revisits.changes import Change, Passage, Piece
from dowse.pools.event_loop import StopRequest
from dowse.store.watch_book import WatchBook
from dowse.workflows.watch import mail_receiver, webhook_receiver
from dowse.workflows.watch.command_receiver import CommandReceiver
from dowse.workflows.watch.deliveries import ATTEMPTS, Deliveries, retry_pause
from dowse.workflows.watch.mail_receiver import MailReceiver
from dowse.workflows.watch.notification import Answer, ChangeFilter, Collected, Message, pack
from dowse.workflows.watch.webhook_receiver import WebhookReceiver
from tests.conftest import Certificates
from tests.servers import CUT, Reply, Site

NOW = 1_800_000_000.0
PAGE = Change(
    7,
    NOW,
    "changed",
    "page",
    "http://example.org/a",
    "Prices\r\nBcc: evil@example.org",
    passages=(Passage((Piece("same", "Fish and "), Piece("added", "large "), Piece("same", "nets"))),),
)
RECORD = Change(8, NOW, "changed", "record", "http://example.org/b", "Net", before={"price": 10}, after={"price": 12})


def message(*changes: Change) -> Message:
    found = Collected(ChangeFilter(WatchOptions()), lambda _change: "")
    for change in changes or (PAGE, RECORD):
        found.add(change)
    return found.message("an-id", "/crawls/out", NOW)


class Mailbox:
    """A mail server on loopback; what it has been given is in `mails`."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.answer = "250 taken"
        self.unknown: set[str] = set()

    async def handle_RCPT(  # noqa: N802 - the name that the library looks for
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address in self.unknown:
            return "550 nobody of that name"
        envelope.rcpt_tos.append(address)
        return "250 known"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            mail = email.message_from_bytes(content, policy=email.policy.default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
            self.envelopes.append(envelope)
        return self.answer


Serve = Callable[..., tuple[Mailbox, int]]


@pytest.fixture
def mail_server() -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(**options: Any) -> tuple[Mailbox, int]:
            box = Mailbox()
            controller = Controller(box, hostname="127.0.0.1", port=_free_port(), **options)
            controller.start()
            stack.callback(controller.stop)
            return box, controller.port

        yield start


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_a_mail_has_the_changes_and_no_header_from_a_page(mail_server: Serve) -> None:
    box, port = mail_server()
    receiver = MailReceiver(["me@example.org", "you@example.org"], "", f"smtp://localhost:{port}")
    assert receiver.send(message(), NOW).state == "sent"
    (mail,) = box.mails
    assert mail["Subject"] == "out: 2 changed"
    assert (mail["From"], mail["To"], mail["Bcc"]) == ("me@example.org", "me@example.org, you@example.org", None)
    assert mail["Message-ID"] == "<an-id@dowse.invalid>"
    text = mail.get_content()
    assert "changed: Prices" in text
    assert "changed record: " in text
    assert "  price: 10 -> 12" in text
    assert "  - Fish and nets\n  + Fish and large nets\n" in text
    assert box.envelopes[0].rcpt_tos == ["me@example.org", "you@example.org"]


class Logins:
    """Who has tried to log in to a mail server."""

    def __init__(self) -> None:
        self.passwords: list[bytes] = []

    def __call__(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _means: str, login: LoginPassword
    ) -> AuthResult:
        self.passwords.append(login.password)
        is_right = login.password == b"hunter2"
        return AuthResult(success=is_right, handled=is_right)  # what is not handled gets the server's own refusal


def mailed(server: str, password: str = "hunter2") -> Answer:
    return MailReceiver(["me@example.org"], "", server, password).send(message(), NOW)


def test_a_password_goes_through_tls(
    mail_server: Serve, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.file))
    logins = Logins()
    box, port = mail_server(
        ssl_context=certificates.server("localhost"),
        authenticator=logins,
        auth_require_tls=False,
        auth_exclude_mechanism=["LOGIN"],  # where this server waits for more after a wrong password
    )
    assert mailed(f"smtps://me@localhost:{port}").state == "sent"
    assert (len(box.mails), logins.passwords) == (1, [b"hunter2"])
    wrong = mailed(f"smtps://me@localhost:{port}", "a wrong one")
    assert (wrong.state, "a wrong one" in wrong.text) == ("later", False)
    with pytest.raises(JobError, match="a password is not sent without TLS"):
        mailed("smtp://me@localhost:25")
    with pytest.raises(JobError, match="belong together"):
        mailed("smtp://me@mail.example.org", "")


def test_elsewhere_a_plain_connection_becomes_a_checked_one_before_anything_is_said(
    mail_server: Serve, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.file))
    found = socket.getaddrinfo  # names that are not this machine's
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *rest, **more: found("127.0.0.1", *rest, **more))
    logins = Logins()
    options = {"authenticator": logins, "auth_required": True, "require_starttls": True}
    box, port = mail_server(tls_context=certificates.server("mail.example.org"), **options)
    assert mailed(f"smtp://me@mail.example.org:{port}").state == "sent"
    assert (len(box.mails), logins.passwords) == (1, [b"hunter2"])
    other = mailed(f"smtp://me@other.example.org:{port}")
    assert (other.state, "certificate" in other.text.lower()) == ("later", True)
    bare, bare_port = mail_server()
    assert mailed(f"smtp://me@mail.example.org:{bare_port}").state == "later", "no TLS, no password"
    assert (len(logins.passwords), bare.mails) == (1, [])


@pytest.mark.parametrize(("answer", "state"), [("451 try later", "later"), ("554 no thanks", "refused")])
def test_a_mail_that_is_not_taken(mail_server: Serve, answer: str, state: str) -> None:
    box, port = mail_server()
    box.answer = answer
    found = MailReceiver(["me@example.org"], "", f"smtp://localhost:{port}").send(message(), NOW)
    assert (found.state, answer in found.text) == (state, True)


def test_addresses_that_are_not_known_there(mail_server: Serve) -> None:
    box, port = mail_server()
    box.unknown = {"you@example.org"}
    found = MailReceiver(["me@example.org", "you@example.org"], "", f"smtp://localhost:{port}").send(message(), NOW)
    assert (found.state, "does not take mails for you@example.org" in found.text) == ("sent", True)
    found = MailReceiver(["you@example.org"], "", f"smtp://localhost:{port}").send(message(), NOW)
    assert (found.state, len(box.mails)) == ("refused", 1)


def test_a_mail_server_that_is_not_there_or_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_receiver, "PATIENCE", 0.3)
    port = _free_port()
    receiver = MailReceiver(["me@example.org"], "", f"smtp://localhost:{port}")
    assert receiver.send(message(), NOW).state == "later"
    with socket.create_server(("127.0.0.1", port)):
        assert receiver.send(message(), NOW).state == "later", "it had nothing of it yet"


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (Reply(status=200), "sent"),
        (Reply(status=204), "sent"),
        (Reply(status=429), "later"),
        (Reply(status=500), "later"),
        (Reply(status=301, headers={"Location": "/elsewhere"}), "refused"),
        (Reply(status=404), "refused"),
        (Reply([CUT], bare=True), "unclear"),
        (Reply(delay=3.0), "unclear"),
    ],
)
def test_what_a_webhook_answers(site: Site, monkeypatch: pytest.MonkeyPatch, reply: Reply, state: str) -> None:
    monkeypatch.setattr(webhook_receiver, "PATIENCE", 0.5)
    site.pages["/hook?a=b"] = reply
    found = WebhookReceiver(site.at("127.0.0.1", "/hook?a=b")).send(message(), NOW)
    assert found.state == state
    assert [request.target for request in site.asked()] == ["/hook?a=b"], "redirects are not followed"
    assert site.asked()[0].body == pack(message())
    assert "webhook-signature" not in site.asked()[0].headers


def test_a_webhook_that_is_not_there_or_not_who_it_says(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert WebhookReceiver(f"http://127.0.0.1:{_free_port()}/").send(message(), NOW).state == "later"
    with Site({"/": "taken"}, tls=certificates.server("127.0.0.1")) as site:
        found = WebhookReceiver(site.url).send(message(), NOW)
        assert (found.state, "certificate" in found.text.lower(), site.log) == ("later", True, [])
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates.file))
        assert WebhookReceiver(site.url).send(message(), NOW).state == "sent"


def test_keys_of_webhooks() -> None:
    headers = webhook_receiver.signed_headers(b"key", "msg", 5, b"{}")
    assert headers["webhook-signature"] == "v1,P6Q92BaeU3HCJr5zqDQyPqaHDdFZLq40WNQ3/IfU+Sg="
    with pytest.raises(JobError, match="not Base64"):
        WebhookReceiver("https://example.org/", "whsec_!!!")
    with pytest.raises(JobError, match="check its port"):
        WebhookReceiver("https://example.org:99999/")


def test_what_a_command_answers(tmp_path: Path) -> None:
    assert CommandReceiver("true").send(message(), NOW).state == "sent"
    assert CommandReceiver("false").send(message(), NOW) == ("later", "false ended with 1")
    assert CommandReceiver("/no/such/command").send(message(), NOW).state == "later"
    (tmp_path / "a b").touch()
    assert CommandReceiver(f"ls '{tmp_path}/a b' ; false").send(message(), NOW).state == "later", "no shell reads it"


class Taking:
    """A receiver with planned answers."""

    name = "webhook"

    def __init__(self, *states: str) -> None:
        self.states = list(states)
        self.ids: list[str] = []

    def send(self, message: Message, now: float) -> Answer:
        self.ids.append(message.id)
        return Answer(self.states.pop(0))  # type: ignore[arg-type]


def delivered(book: WatchBook, folder: Path, taking: Taking, seconds: float) -> list[str]:
    """Send what comes due in so many seconds."""
    told: list[str] = []
    deliveries = Deliveries(folder, WatchOptions(), book, told.append)
    deliveries._receivers = {"webhook": taking}
    now = NOW
    while (due := deliveries.due(now)) is not None and due <= NOW + seconds:
        now = max(now, due)
        deliveries.send(now, StopRequest())
    return told


def test_attempts_are_further_and_further_apart_and_end(tmp_path: Path) -> None:
    with WatchBook(tmp_path) as book:
        book.add(7, NOW, [("an-id", "webhook", pack(message()))])
        taking = Taking(*["later"] * 20)
        told = delivered(book, tmp_path, taking, 10**9)
        assert taking.ids == ["an-id"] * ATTEMPTS
        assert "attempt 2 in 1 s" in told[0]
        assert "given up after 8 attempts" in told[-1]
        assert 4 * 3600 < sum(retry_pause(number) for number in range(1, ATTEMPTS)) < 24 * 3600
        assert book.ready(["webhook"]) == []


def test_a_wish_to_stop_waits_for_one_message_and_no_other(tmp_path: Path) -> None:
    stop = StopRequest()

    class Interrupted(Taking):
        def send(self, message: Message, now: float) -> Answer:
            stop.ask()
            return super().send(message, now)

    with WatchBook(tmp_path) as book:
        book.add(7, NOW, [(name, "webhook", pack(message())) for name in ("first", "second")])
        deliveries = Deliveries(tmp_path, WatchOptions(), book, print)
        deliveries._receivers = {"webhook": Interrupted("sent", "sent")}
        deliveries.send(NOW, stop)
        assert [each.id for each in book.ready(["webhook"])] == ["second"]


@pytest.mark.parametrize("state", ["sent", "refused", "unclear"])
def test_what_is_settled_is_not_sent_again(tmp_path: Path, state: str) -> None:
    with WatchBook(tmp_path) as book:
        book.add(7, NOW, [("an-id", "webhook", pack(message()))])
        taking = Taking(state)
        delivered(book, tmp_path, taking, 10**9)
    with WatchBook(tmp_path) as book:
        delivered(book, tmp_path, taking, 10**9)
        assert taking.ids == ["an-id"]
        assert book.fact("told") == 7


def test_a_clock_that_is_put_back_does_not_keep_a_message(tmp_path: Path) -> None:
    with WatchBook(tmp_path) as book:
        book.add(7, NOW + 10**8, [("an-id", "webhook", pack(message()))])
        assert len(delivered(book, tmp_path, Taking("sent"), 0)) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, [PAGE, RECORD]),
        ({"only_kinds": ("added", "removed")}, []),
        ({"only_kinds": ("changed",)}, [PAGE, RECORD]),
        ({"only_urls": ("/b$",)}, [RECORD]),
        ({"only_fields": ("price",)}, [RECORD]),
        ({"only_fields": ("name",)}, []),
        ({"only_words": ("prices",)}, [PAGE, RECORD]),
        ({"only_words": ("price",)}, []),
        ({"only_words": ("large  Nets", "whales")}, [PAGE, RECORD]),
        ({"only_words": ("fish",), "only_urls": ("/a",)}, [PAGE]),
        ({"only_words": ("fis.",)}, []),
    ],
)
def test_filters(options: dict[str, Any], told: list[Change]) -> None:
    chosen = ChangeFilter(WatchOptions(**options))
    assert [each for each in (PAGE, RECORD) if chosen.takes(each, lambda _: "Prices of Fish and large\nnets")] == told


def test_a_message_is_cut_and_says_so() -> None:
    found = message(*[PAGE] * 1200)
    assert (len(found.changes), found.left_out, found.counts) == (1000, 200, {"changed": 1200})
