"""`dowse serve`: the socket, the link, and the server until somebody stops it. Crawls go on without it."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import NamedTuple

from dowse.core.errors import CrawlError, JobError
from dowse.core.optional_libraries import load

DEFAULT_PORT = 8717
_PURPOSE = "the web page"
_SHORTEST_PASSWORD = 8
_LOOPBACK = "127.0.0.1"


class Served(NamedTuple):
    """What is served, and how: `names` are further names of this machine that people reach the page by."""

    folders: Sequence[str] = (".",)
    host: str = _LOOPBACK
    port: int | None = None
    password: str = ""
    names: tuple[str, ...] = ()
    allow_private: bool = False
    opens_browser: bool = True


def serve(asked: Served, tell: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C. `tell` gets the link, and what else there is to say."""
    uvicorn = load("uvicorn", "web", _PURPOSE)
    load("fastapi", "web", _PURPOSE)
    load("jinja2", "web", _PURPOSE)
    is_local = check_means(asked)
    from dowse.web.application import make_application
    from dowse.web.log_ins import LogIns
    from dowse.web.request_checks import Door
    from dowse.web.served_folders import ServedFolders

    folders = ServedFolders(asked.folders)
    with _listening(asked) as listener:
        host, port = listener.getsockname()[:2]
        log_ins = LogIns(asked.password)
        door = Door(port, is_local, tuple(name.lower() for name in asked.names))
        app = make_application(folders, door, log_ins, allow_private=asked.allow_private)
        link = f"http://{_shown(host, asked)}:{port}/login?token={log_ins.make_link()}"
        tell(f"The page is at {link}")
        tell("The link logs one browser in, once. Ctrl-C ends the page; crawls go on.")
        if asked.opens_browser and _has_screen():
            webbrowser.open(link)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, lifespan="off", timeout_graceful_shutdown=2
        )
        uvicorn.Server(config).run(sockets=[listener])


def check_means(asked: Served) -> bool:
    """Whether only this machine can reach the page. If others can, there has to be a password."""
    try:
        is_local = asked.host == "localhost" or ip_address(asked.host).is_loopback
    except ValueError:
        raise JobError(f"host: expected an address such as 127.0.0.1 or 0.0.0.0, got {asked.host!r}") from None
    if not is_local and not asked.password:
        raise JobError("host: other machines can reach the page there, so it needs a password: add --password env:NAME")
    if asked.password and len(asked.password) < _SHORTEST_PASSWORD:
        raise JobError(f"password: expected at least {_SHORTEST_PASSWORD} characters")
    return is_local


def _listening(asked: Served) -> socket.socket:
    """A socket at the port; at the usual one if none was asked for, or at any that is free."""
    family = socket.AF_INET6 if ":" in asked.host else socket.AF_INET
    for port in (asked.port,) if asked.port is not None else (DEFAULT_PORT, 0):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((asked.host, port))
            return listener
        except OSError as error:
            listener.close()
            trouble = error.strerror
    raise CrawlError(f"cannot serve at {asked.host} port {asked.port}: {trouble}; give another --port")


def _shown(host: str, asked: Served) -> str:
    if asked.names:
        return asked.names[0]
    if host in ("0.0.0.0", "::"):
        return _LOOPBACK
    return f"[{host}]" if ":" in host else host


def _has_screen() -> bool:
    """Whether a browser would open in a window. One that opens in the terminal helps nobody."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
