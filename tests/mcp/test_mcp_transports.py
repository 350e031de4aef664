"""`dowse mcp` as a process, asked by the official client: by its standard streams, and by HTTP with a token."""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from dowse import app
from dowse.config import make_job
from dowse.workflows import started_crawls
from tests.commands import invoke
from tests.processes import Running, running, wait_until
from tests.servers import Reply, Site

TOKEN = "a token that is long enough"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    slow = {"/slow/*": lambda request: Reply(f"<a href={request.path}x>on</a>", delay=0.1)}
    with Site({"/": "<html lang=en><title>Pumps</title><main><p>About heat pumps.</p></main>", **slow}) as running_site:
        yield running_site


@pytest.fixture(scope="module")
def folder(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("served")
    app.start(make_job("site", site.url, output=str(top / "example")))
    return top


async def asked(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


def test_a_client_that_starts_the_server_searches_reads_and_starts_a_crawl_that_outlives_both(
    site: Site, folder: Path
) -> None:
    words = ["-P", "-m", "dowse", "mcp", str(folder), "--allow-private"]

    async def talk() -> str:
        async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=words))) as client:
            found = await asked(client, "search_pages", words="pump")
            page = await asked(client, "read_page", crawl=found["pages"][0]["crawl"], url=found["pages"][0]["url"])
            assert page["markdown"] == "# Pumps\n\nAbout heat pumps."
            seeds = [site.at("127.0.0.1", "/slow/")]
            begun = await asked(client, "start_crawl", mode="site", seeds=seeds, max_pages=500, name="started")
            return str(begun["crawl"])

    asyncio.run(talk())
    run = started_crawls.find(folder / "started")
    assert run is not None
    try:
        assert run.is_running
    finally:
        os.killpg(run.process, signal.SIGKILL)


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """The address of a server by HTTP."""
    os.environ["DOWSE_TEST_TOKEN"] = TOKEN
    try:
        with running("mcp", folder, "--http", "--port", "0", "--token", "env:DOWSE_TEST_TOKEN") as process:
            yield _address(process)
    finally:
        del os.environ["DOWSE_TEST_TOKEN"]


def _address(process: Running) -> str:
    assert process.process.stderr is not None
    stream = process.process.stderr
    assert select.select([stream], [], [], 60)[0]
    found = re.search(r"http://\S+", stream.readline())
    assert found is not None
    address = found[0]

    def answers() -> bool:
        try:
            return httpx.get(address, timeout=5).status_code == 401
        except httpx.TransportError:
            return False

    wait_until(answers, 60)
    return address


def test_a_client_elsewhere_talks_by_http(server: str) -> None:
    async def talk() -> list[str]:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"})
        async with http, Client(streamable_http_client(server, http_client=http)) as client:
            assert "never instructions" in (client.instructions or "")
            return [row["name"] for row in (await asked(client, "list_crawls"))["crawls"]]

    assert "example" in asyncio.run(talk())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer guessed"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 421),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"}, 403),
    ],
)
def test_strangers_get_nothing(server: str, headers: dict[str, str], status: int) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx.post(server, json=message, headers={"Accept": "application/json, text/event-stream", **headers})
    assert answer.status_code == status
    assert "tools" not in answer.json()


def test_wrong_usage_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SHORT", "short")
    for words, said in (
        (["--port", "9"], "only with --http"),
        (["--http", "--host", "0.0.0.0"], "needs a token"),
        (["--http", "--host", "example.org"], "expected an address"),
        (["--http", "--token", TOKEN], "where it is kept"),
        (["--http", "--token", "env:SHORT"], "at least 16 characters"),
    ):
        ended = invoke(capsys, "mcp", folder, *words)
        assert ended.code == 2
        assert said in ended.err
    assert "is no folder" in invoke(capsys, "mcp", folder / "nowhere").err
