"""A web server on loopback: nginx over a folder, on a core of its own, with a log of what was asked for."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.error import HTTPError, URLError
from urllib.parse import unquote
from urllib.request import urlopen

from benchmarks.cache import Unavailable
from benchmarks.cores import SERVER, on

PAGE_TYPES = "text/html html htm; text/plain txt;"

_CONFIGURATION = """
worker_processes 1; daemon off; pid {home}/pid; error_log {home}/error.log crit; {user}
events {{ worker_connections 4096; }}
http {{
    types {{ {types} }}
    default_type application/octet-stream;
    sendfile on; keepalive_requests 100000000; keepalive_timeout 75s;
    log_format short '$status $request_uri';
    client_body_temp_path {home}/body; proxy_temp_path {home}/proxy; fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi; scgi_temp_path {home}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096; root {folder}; index index.html; {settings}
        access_log {home}/access.log short buffer=256k flush=1s;
    }}
}}
"""


class Server:
    """Serves a folder while it is entered; afterwards `requests` says what was asked for."""

    def __init__(
        self, folder: Path, home: Path, cores: set[int] = SERVER, types: str = PAGE_TYPES, settings: str = ""
    ) -> None:
        """`types` are the media types by the endings of names, `settings` further ones, as nginx has them."""
        self._folder, self._home, self._cores, self._types, self._settings = folder, home, cores, types, settings
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> Self:
        if not shutil.which("nginx"):
            raise Unavailable("install nginx (Debian: nginx-light)")
        self._home.mkdir(parents=True, exist_ok=True)
        user = "user root;" if os.geteuid() == 0 else ""
        text = _CONFIGURATION.format(
            home=self._home,
            port=self.port,
            folder=self._folder,
            user=user,
            types=self._types,
            settings=self._settings,
        )
        (self._home / "nginx.conf").write_text(text)
        command = ["nginx", "-c", str(self._home / "nginx.conf"), "-e", str(self._home / "error.log")]
        with on(self._cores):
            self._process = subprocess.Popen(command)
        for _ in range(200):
            try:
                urlopen(self.url).close()
                break
            except HTTPError:
                break  # it is there; the folder has no front page
            except (URLError, ConnectionError):
                time.sleep(0.02)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait()

    def requests(self) -> list[tuple[int, str]]:
        """Status and path of every request, once the server has ended."""
        lines = (self._home / "access.log").read_text(errors="replace").splitlines()
        return [(int(status), path) for status, _, path in (line.partition(" ") for line in lines)]

    def pages(self) -> set[str]:
        """The pages that were delivered, as paths below the folder."""
        paths = (unquote(path.partition("?")[0]).lstrip("/") for status, path in self.requests() if status == 200)
        return {path + "index.html" if path.endswith("/") or not path else path for path in paths}


def free_port() -> int:
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
