"""The web page on loopback, in this process: a real server, with somebody logged in by its link."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from socket import AF_INET, SOCK_STREAM, socket
from typing import NamedTuple

import httpx
import uvicorn

from dowse.web.application import make_application
from dowse.web.log_ins import LogIns
from dowse.web.request_checks import Door
from dowse.web.served_folders import ServedFolders


class WebPage(NamedTuple):
    """Where the page is, the door it has, and who may come in."""

    url: str
    door: Door
    log_ins: LogIns

    def link(self) -> str:
        """A link that logs one browser in."""
        return f"{self.url}/login?token={self.log_ins.make_link()}"

    def stranger(self) -> httpx.Client:
        """Somebody who is not logged in."""
        return httpx.Client(base_url=self.url, timeout=30)

    def browser(self) -> httpx.Client:
        """Somebody who is, with the CSRF token of the page."""
        client = self.stranger()
        secret = self.log_ins.begin()
        client.cookies.set(self.door.cookie, secret)
        session = self.log_ins.find(secret)
        assert session is not None
        client.headers["x-csrf-token"] = session.csrf
        return client

    def program(self) -> httpx.Client:
        """A program with a token."""
        client = self.stranger()
        client.headers["authorization"] = f"Bearer {self.log_ins.begin(bearer=True)}"
        return client


@contextmanager
def web_page(*folders: Path, password: str = "", names: Sequence[str] = (), is_local: bool = True) -> Iterator[WebPage]:
    """Serve folders for as long as this lasts."""
    listener = socket(AF_INET, SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    door, log_ins = Door(port, is_local, tuple(names)), LogIns(password)
    app = make_application(ServedFolders(folders), door, log_ins)
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        until = time.monotonic() + 30
        while not server.started and time.monotonic() < until:
            time.sleep(0.02)
        yield WebPage(f"http://127.0.0.1:{port}", door, log_ins)
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()
