"""The last door: what was let through goes on, once; places are open for a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, cast

import pytest

from dowse.fetch import browser_gate
from dowse.fetch.browser_gate import Gate


class Session:
    """What the browser is told, in place of a browser."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.take: Callable[[dict[str, Any]], None] = lambda _event: None

    def on(self, _event: str, take: Callable[[dict[str, Any]], None]) -> None:
        self.take = take

    async def send(self, method: str, parameters: dict[str, Any]) -> None:
        self.sent.append((method.removeprefix("Fetch."), parameters.get("requestId", "")))


def request(number: str, url: str) -> dict[str, Any]:
    return {"requestId": f"at the gate {number}", "networkId": number, "request": {"url": url}}


def test_only_what_was_let_through_goes_on_and_only_once() -> None:
    async def main() -> list[tuple[str, str]]:
        session, door = Session(), Gate()
        await door.close(cast(Any, session))
        one = request("1", "https://a.example/x")
        door.let_through(one)
        for event in (request("2", "https://a.example/x"), request("1", "https://a.example/y"), one, one):
            session.take(event)
        await asyncio.sleep(0.01)
        return session.sent

    assert asyncio.run(main()) == [
        ("enable", ""), ("failRequest", "at the gate 2"), ("failRequest", "at the gate 1"),
        ("continueRequest", "at the gate 1"), ("failRequest", "at the gate 1"),
    ]  # fmt: skip


def test_a_place_is_open_where_something_was_let_through_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> Gate:
        door = Gate()
        assert door.wants("anywhere", 25), "it is open until it is closed"
        await door.close(cast(Any, Session()))
        return door

    door = asyncio.run(main())
    assert not door.wants("a.example", 443)
    for number, url in enumerate(("https://a.example/", "http://[::1]:8080/", "data:,x")):
        door.let_through(request(str(number), url))
    wanted = [("a.example", 443), ("A.example", 443), ("a.example", 80), ("::1", 8080), ("::1", 80)]
    assert [door.wants(*place) for place in wanted] == [True, True, False, True, False]
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + browser_gate.OPEN + 1)
    assert not door.wants("a.example", 443)


def test_what_never_comes_by_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_gate, "_MOST", 10)
    door = Gate()
    for number in range(1000):
        door.let_through(request(str(number), f"https://host{number}.example/"))
    assert len(door._awaited) == len(door._places) == 10
