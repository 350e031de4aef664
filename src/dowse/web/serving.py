"""`dowse serve`: the socket, the link, and the server until somebody stops it. Crawls go on without it."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dowse.core.errors import JobError
from dowse.core.optional_libraries import load
from dowse.web.listening import LOOPBACK, is_loopback, listening, shown_host

DEFAULT_PORT = 8717
_PURPOSE = "the web page"
_SHORTEST_PASSWORD = 8


class Served(NamedTuple):
    """What is served, and how: `names` are further names of this machine that people reach the page by."""

    folders: Sequence[str] = (".",)
    host: str = LOOPBACK
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
    ports = (DEFAULT_PORT, 0) if asked.port is None else (asked.port,)
    with listening(asked.host, *ports) as listener:
        port = listener.getsockname()[1]
        log_ins = LogIns(asked.password)
        door = Door(port, is_local, tuple(name.lower() for name in asked.names))
        app = make_application(folders, door, log_ins, allow_private=asked.allow_private)
        link = f"http://{shown_host(asked.host, asked.names)}:{port}/login?token={log_ins.make_link()}"
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
    is_local = is_loopback(asked.host)
    if not is_local and not asked.password:
        raise JobError("host: other machines can reach the page there, so it needs a password: add --password env:NAME")
    if asked.password and len(asked.password) < _SHORTEST_PASSWORD:
        raise JobError(f"password: expected at least {_SHORTEST_PASSWORD} characters")
    return is_local


def _has_screen() -> bool:
    """Whether a browser would open in a window. One that opens in the terminal helps nobody."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
