"""Messages on their way: made when a run has ended, sent, tried again, and never sent twice.

A change is told to each receiver at most once, whatever happens. So what may have arrived is not sent again: a message
that was on its way when the watch was killed, or that a server took without a word. The changes are in the crawl in any
case.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from msgspec import DecodeError

from dowse.core.options.watch_options import WatchOptions
from dowse.core.revisits.changes import Asked, counts_text
from dowse.crawl import read
from dowse.machine.credentials import value_of
from dowse.pools.event_loop import StopRequest
from dowse.store.reading.newest_rows import newest_change
from dowse.store.watch_book import Notification, WatchBook
from dowse.workflows.watch.command_receiver import CommandReceiver
from dowse.workflows.watch.mail_receiver import MailReceiver
from dowse.workflows.watch.notification import (
    Answer,
    ChangeFilter,
    Collected,
    Receiver,
    changed_text,
    pack,
    unpack,
)
from dowse.workflows.watch.webhook_receiver import WebhookReceiver

ATTEMPTS = 8
"""How often a message is tried at most; the last time some five hours after the first."""

_FIRST_PAUSE, _GROWTH = 1.0, 5.0

Tell = Callable[[str], None]


def retry_pause(attempts: int) -> float:
    """Seconds until the next attempt: 1, 5, 25, 125 and so on."""
    return _FIRST_PAUSE * _GROWTH ** (attempts - 1)


def make_receivers(options: WatchOptions) -> list[Receiver]:
    """Whoever is to be told, with the secrets that this takes. A JobError says what is wrong with them."""
    key = value_of(options.webhook_key, "the key of the webhook") if options.webhook_key else ""
    password = value_of(options.smtp_password, "the password of the mail server") if options.smtp_password else ""
    receivers: list[Receiver] = []
    if options.notify_command:
        receivers.append(CommandReceiver(options.notify_command))
    if options.notify_webhook:
        receivers.append(WebhookReceiver(options.notify_webhook, key))
    if options.notify_email:
        receivers.append(MailReceiver(options.notify_email, options.email_from, options.smtp, password))
    return receivers


class Deliveries:
    """The messages of one crawl."""

    def __init__(self, directory: Path, options: WatchOptions, book: WatchBook, tell: Tell) -> None:
        self._directory = directory
        self._book = book
        self._tell = tell
        self._filter = ChangeFilter(options)
        self._receivers = {receiver.name: receiver for receiver in make_receivers(options)}

    def begin(self) -> None:
        """Say what a watch that was killed has left."""
        for name, receiver in self._book.unclear():
            self._tell(f"a {receiver} notification may not have arrived, and is not sent again: {name}")

    def watch_from(self, newest: int) -> None:
        """Nobody is told of changes that were there before the first watch."""
        if self._book.fact("told") is None:
            self._book.note(told=newest)

    def make(self, now: float) -> None:
        """Make messages of the changes that nobody was told of yet."""
        with read(self._directory) as crawl:
            newest = newest_change(crawl.reader.connection)
            # A crawl that was begun anew counts its changes from 1 again.
            told = min(int(self._book.fact("told") or 0), newest)
            found = Collected(self._filter, lambda change: changed_text(crawl, change))
            for change in crawl.told(Asked(after=told)) if self._receivers else ():
                newest = max(newest, change.number)  # a run of another process may go on meanwhile
                found.add(change)
        messages = []
        for receiver in self._receivers if found.counts else ():
            message = found.message(str(uuid4()), str(self._directory.absolute()), now)
            messages.append((message.id, receiver, pack(message)))
        self._book.add(newest, now, messages)

    def due(self, now: float) -> float | None:
        """When the next message is to be sent."""
        return min((_due(each, now) for each in self._book.ready(self._receivers)), default=None)

    def send(self, now: float, stop: StopRequest) -> None:
        """Send what is due. A wish to stop waits for the message that is on its way."""
        for each in self._book.ready(self._receivers):
            if _due(each, now) <= now and not stop.asked:
                self._attempt(each, now)

    def _attempt(self, each: Notification, now: float) -> None:
        receiver = self._receivers[each.receiver]
        try:
            message = unpack(each.body)
        except DecodeError:
            self._book.settle(each.id, "refused")
            self._tell(f"a {each.receiver} notification cannot be read, and is not sent: {each.id}")
            return
        self._book.begin(each.id)
        answer = receiver.send(message, now)
        attempts = each.attempts + 1
        if answer.state == "later" and attempts < ATTEMPTS:
            self._book.again(each.id, now + retry_pause(attempts))
        else:
            self._book.settle(each.id, "refused" if answer.state == "later" else answer.state)
        self._tell(_outcome(each.receiver, answer, attempts, counts_text(message.counts)))


def _due(each: Notification, now: float) -> float:
    """When a message is to be sent; at once if a clock that was put back would have it wait for longer than ever."""
    return each.due if each.due - now <= retry_pause(ATTEMPTS) else now


def _outcome(receiver: str, answer: Answer, attempts: int, what: str) -> str:
    if answer.state == "sent":
        return f"{receiver} notified: {what}" + (f" ({answer.text})" if answer.text else "")
    if answer.state == "later" and attempts < ATTEMPTS:
        return f"{receiver} not notified yet: {answer.text}; attempt {attempts + 1} in {retry_pause(attempts):.0f} s"
    if answer.state == "unclear":
        return f"{receiver} may not have been notified, and is not again: {answer.text}"
    return f"{receiver} not notified: {answer.text}; given up after {attempts} attempts"
