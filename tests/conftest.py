"""Fixtures for real servers on loopback: an empty site, sites made to order, TLS, the bundled sample site."""

from __future__ import annotations

import datetime
import os
import signal
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import trustme
from hypothesis import is_hypothesis_test, settings

from dowse.demo import DemoSite
from tests import postgres, ray_clusters
from tests.servers import Site

# Examples that start a server or a crawl have no fixed pace; the time limit of the whole test bounds them.
settings.register_profile("dowse", deadline=None)
settings.load_profile("dowse")

# Who runs the tests may have told all crawls whom to ask about them.
os.environ.pop("DOWSE_CONTACT", None)

# Under nohup, and in the background of a shell, these signals are ignored, by all that the tests start too: tests
# of hanging up and of Ctrl-C would wait in vain.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TIME_TO_SHRINK = 900
"""Seconds that a property may take. Hypothesis gives itself 300 to make a find small, and what it found is shown only
after that: a limit in seconds would end the run and lose it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(TIME_TO_SHRINK))


class Certificates:
    """A certificate authority made for this run. `file` is what a client must trust."""

    def __init__(self, folder: Path) -> None:
        self._authority = trustme.CA()
        self.file = folder / "authority.pem"
        self._authority.cert_pem.write_to_path(str(self.file))

    def server(self, *names: str, expires: datetime.datetime | None = None) -> ssl.SSLContext:
        """What `Site(tls=...)` needs to be known by these names or addresses."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._authority.issue_cert(*(names or ("127.0.0.1", "localhost")), not_after=expires).configure_cert(context)
        return context

    def client(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.file))


@pytest.fixture
def serve() -> Iterator[Callable[..., Site]]:
    """Starts sites that stop with the test: serve({"/": "hello"}, latency=0.1)."""
    with ExitStack() as stack:
        yield lambda *arguments, **options: stack.enter_context(Site(*arguments, **options))


@pytest.fixture
def site(serve: Callable[..., Site]) -> Site:
    """A running site to put pages into."""
    return serve()


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A PostgreSQL server; started when the first test asks for it."""
    with postgres.running() as server:
        yield server


@pytest.fixture(scope="session")
def ray_session() -> Iterator[None]:
    """A Ray cluster on this machine that pools in this process join; started when the first test asks for it."""
    with ray_clusters.started():
        yield


@pytest.fixture
def demo_site() -> Iterator[DemoSite]:
    with DemoSite() as running:
        yield running
