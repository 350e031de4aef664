"""Chromium: where it is on this machine, and one running browser with everything it needs around it.

    Chromium = driver (Playwright) + browser + context (cookies and storage of one job) + gate (fetch/browser_gate.py)
             + proxy (fetch/browser_proxy.py)

They start together, end together and are replaced together: whichever of them dies, the rest is of no use. Nothing a
page does reaches the network but through the proxy, which asks the address guard (fetch/chromium_flags.py has the
layers).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dowse.core.errors import CrawlError
from dowse.core.job import FetchOptions
from dowse.core.optional_libraries import install_command
from dowse.fetch.browser_gate import Gate
from dowse.fetch.browser_proxy import GuardedProxy
from dowse.fetch.chromium_flags import command_line
from dowse.fetch.cookies import add_cookies
from dowse.fetch.guard import AddressGuard
from dowse.fetch.upstream_proxy import read_upstream

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Playwright

EXECUTABLE_VARIABLE = "DOWSE_CHROMIUM"
HOW_TO_INSTALL = (
    "install the package chromium-headless-shell (Debian, Ubuntu), or run: playwright install chromium-headless-shell; "
    f"one that is elsewhere is named by the environment variable {EXECUTABLE_VARIABLE}"
)

NO_SANDBOX_FOR_ROOT = "Chromium runs as root without its sandbox: run dowse as another user"
_NO_SANDBOX_HERE = "Chromium runs without its sandbox: this system gives it no user namespaces"

# The headless shell first: it takes two thirds of the time of the whole browser for the same page.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FETCHED = ("chromium_headless_shell-*/*/*headless*shell", "chromium-*/*/chrome", "chromium-*/*/*.app/Contents/MacOS/*")
_CACHES = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")

_START = 30.0
_END = 5.0


def find_chromium() -> Path | None:
    """The browser to use: the one the user named, what Playwright fetched, or what the system has."""
    named = os.environ.get(EXECUTABLE_VARIABLE)
    if named:
        return Path(named) if os.access(named, os.X_OK) else None
    return next((path for path in _candidates() if os.access(path, os.X_OK)), None)


def _candidates() -> Iterator[Path]:
    caches = [Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")), *(Path(name).expanduser() for name in _CACHES)]
    for pattern in _FETCHED:
        for cache in caches:
            if cache.is_absolute():
                yield from sorted(cache.glob(pattern), reverse=True)
        if pattern == _FETCHED[0]:
            yield from _installed(_NAMES[:1])
    yield from _installed(_NAMES[1:])


def _installed(names: tuple[str, ...]) -> Iterator[Path]:
    return (Path(path) for name in names if (path := shutil.which(name)))


def check_browser() -> Path:
    """The browser to use; a CrawlError that says what to install where there is none."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        raise CrawlError(f"rendering pages needs Playwright: {install_command('browser')}") from None
    path = find_chromium()
    if path is None:
        named = os.environ.get(EXECUTABLE_VARIABLE)
        what = f"{EXECUTABLE_VARIABLE} names {named}, which cannot be run" if named else "there is no Chromium"
        raise CrawlError(f"rendering pages needs a browser, and {what}: {HOW_TO_INSTALL}")
    return path


class Process(NamedTuple):
    """One of the browser's processes and how much memory it takes."""

    kind: str
    number: int
    memory: int


class Chromium:
    """One running browser. `gone` is set once it has ended, by itself or not."""

    def __init__(self, options: FetchOptions, guard: AddressGuard) -> None:
        self._options = options
        self.gate = Gate()
        upstream = read_upstream(options.proxy, verify_tls=options.verify_tls)
        self._proxy = GuardedProxy(guard, options.max_body, upstream, self.gate.wants)
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._control: CDPSession | None = None
        self._number = 0
        self.context: BrowserContext
        self.version = ""
        self.notices: list[str] = []
        self.gone = asyncio.Event()

    async def start(self, storage: Any = None, *, gated: bool = False) -> None:
        """Start all of it; a CrawlError says what stood in the way. `storage` is another browser's, to go on with.

        A browser that is `gated` sends only what its tabs let through.
        """
        from playwright.async_api import Error, async_playwright

        executable = check_browser()
        try:
            async with asyncio.timeout(_START):
                self._playwright = await async_playwright().start()
                self._browser = await self._launch(self._playwright, executable)
                self._browser.on("disconnected", self._note_end)
                self.version = self._browser.version
                self._control = await self._browser.new_browser_cdp_session()
                self._number = next(process.number for process in await self.processes() if process.kind == "browser")
                if gated:
                    await self.gate.close(self._control)
                self.context = await self._new_context(self._browser, storage)
        except (Error, TimeoutError) as error:
            await self.close()
            first = (str(error) or f"no answer within {_START:g} s").splitlines()[0]
            raise CrawlError(f"{executable} could not be started: {first}; dowse doctor says what is there") from error

    async def _launch(self, playwright: Playwright, executable: Path) -> Browser:
        from playwright.async_api import Error

        arguments = command_line(self._options, await self._proxy.open())
        # The engine decides what Ctrl-C means, and lets pages under way come to their end.
        deaf = {"handle_sigint": False, "handle_sigterm": False, "handle_sighup": False}
        options: dict[str, Any] = {"executable_path": executable, "args": arguments, **deaf}
        launch = partial(playwright.chromium.launch, **options)
        trouble = NO_SANDBOX_FOR_ROOT
        if os.geteuid() != 0:
            trouble = _NO_SANDBOX_HERE
            with contextlib.suppress(Error):
                return await launch(chromium_sandbox=True)
        browser = await launch(chromium_sandbox=False)
        self.notices = [trouble]
        return browser

    async def _new_context(self, browser: Browser, storage: Any) -> BrowserContext:
        without_cookies: Any = {**storage, "cookies": []} if storage else None
        context = await browser.new_context(
            user_agent=self._options.user_agent,
            service_workers="block",
            accept_downloads=False,
            ignore_https_errors=not self._options.verify_tls,
            storage_state=without_cookies,
            viewport={"width": 1280, "height": 1024},
        )
        context.set_default_timeout(_START * 1000)
        if storage:
            await add_cookies(context, storage["cookies"])
        return context

    def _note_end(self, _browser: object) -> None:
        self.gone.set()

    @property
    def is_gone(self) -> bool:
        return self.gone.is_set()

    async def processes(self) -> list[Process]:
        """The browser's processes; their memory is known on Linux."""
        assert self._control is not None
        answer = await self._control.send("SystemInfo.getProcessInfo")
        return [Process(row["type"], row["id"], _memory(row["id"])) for row in answer["processInfo"]]

    async def storage(self) -> Any:
        """Cookies and storage, for the browser that comes after this one."""
        return await self.context.storage_state()

    def kill(self) -> None:
        """End a browser that does not answer."""
        self.gone.set()
        if self._number:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._number, signal.SIGKILL)

    async def close(self) -> None:
        from playwright.async_api import Error

        self.gone.set()
        try:
            async with asyncio.timeout(_END):
                if self._browser is not None:
                    await self._browser.close()
        except (Error, TimeoutError):
            self.kill()
        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(_END):
                if self._playwright is not None:
                    await self._playwright.stop()
        await self._proxy.close()


def _memory(number: int) -> int:
    """Bytes of memory a process has to itself or shares; 0 where that cannot be known."""
    try:
        return int(Path(f"/proc/{number}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0
