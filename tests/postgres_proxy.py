"""A network between a crawl and its PostgreSQL that can be cut: a TCP port on loopback before the server's socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.postgres import Server


class CutNetwork:
    """Passes bytes on until it is cut. `on_commit` is asked at every COMMIT on its way to the server: whether to let
    it through (None), to cut before it arrives (False), or when it has arrived (True), so that its answer is lost."""

    def __init__(self, server: Server, database: str) -> None:
        self._target: Path = server.socket
        self._database = database
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._is_cut = False
        self._answered = threading.Event()
        self.on_commit: Callable[[], bool | None] = lambda: None

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_trouble: object) -> None:
        self._listener.close()
        self.cut()

    @property
    def url(self) -> str:
        host, port = self._listener.getsockname()
        return f"postgresql://dowse@{host}:{port}/{self._database}?sslmode=disable&gssencmode=disable"

    def cut(self) -> None:
        """All that is under way is lost, and nobody gets through."""
        self._is_cut = True
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._is_cut = False

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._is_cut:
                    near.close()
                    continue
                far = socket.socket(socket.AF_UNIX)
                far.connect(str(self._target))
                self._pairs.append((near, far))
                threading.Thread(target=self._converse, args=(near, far), daemon=True).start()

    def _converse(self, near: socket.socket, far: socket.socket) -> None:
        with near, far:
            back = threading.Thread(target=self._pass_back, args=(far, near), daemon=True)
            back.start()
            self._pass_on(near, far)
            back.join()

    def _pass_on(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(65536):
                arrives = self.on_commit() if b"COMMIT" in data else None
                if arrives is not None:
                    self._is_cut = True
                    self._answered.clear()
                    if arrives:
                        far.sendall(data)
                        self._answered.wait(10)
                    self.cut()
                    break
                far.sendall(data)
        with suppress(OSError):
            far.shutdown(socket.SHUT_RDWR)

    def _pass_back(self, far: socket.socket, near: socket.socket) -> None:
        with suppress(OSError):
            while data := far.recv(65536):
                if self._is_cut:
                    self._answered.set()
                else:
                    near.sendall(data)
        with suppress(OSError):
            near.shutdown(socket.SHUT_RDWR)
