"""The server of the Model Context Protocol: its tools, and the two ways to talk to it.

    stdio   a client starts the server and talks to it by its standard streams; whoever can start it may use it
    HTTP    streamable HTTP at /mcp, for clients that are elsewhere; every request needs the token (http_serving.py)

Tools that read and tools that crawl are told apart by their annotations, so that a client can ask its user before a
crawl is started. No tool removes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import NamedTuple, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from dowse.core.errors import DowseError
from dowse.mcp.allowed_jobs import Allowance
from dowse.mcp.crawling_tools import CrawlingTools
from dowse.mcp.reading_tools import ReadingTools
from dowse.mcp.web_text import NOTICE
from dowse.version import VERSION
from dowse.web.served_folders import ServedFolders
from dowse.workflows.fresh_indexes import FreshIndexes

P = ParamSpec("P")
R = TypeVar("R")

_INSTRUCTIONS = f"""Crawls of web sites that are stored on the user's machine, and new ones.

To answer from pages that are there: list_crawls, search_pages, read_page; give the url of what you use as the source,
with fetched_at as its date. explain_url says why a page is or is not in a crawl, list_changes what changed on a site
since an earlier visit, read_table has results and records as rows.

If the pages are not there: start_crawl (mode_options says what it can be asked for), then crawl_status until it is
done. Crawls load other people's servers: keep them small, and ask the user before a large one.

{NOTICE}"""

_PATIENCE = 25.0
"""Seconds that a search waits for indexes."""

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_CRAWLS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
_STOPS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class Offer(NamedTuple):
    """What is served: the folders, and what crawls that are started there may do."""

    folders: ServedFolders
    allowance: Allowance


def make_server(offer: Offer) -> MCPServer:
    """The server with its tools."""
    server: MCPServer = MCPServer("dowse", "dowse, a web crawler", instructions=_INSTRUCTIONS, version=VERSION,
                                  log_level="ERROR")  # fmt: skip
    reading = ReadingTools(offer.folders, FreshIndexes(_PATIENCE))
    crawling = CrawlingTools(offer.folders, offer.allowance)
    reads = (reading.list_crawls, reading.search_pages, reading.read_page, reading.explain_url, reading.list_changes,
             reading.read_table, crawling.mode_options, crawling.crawl_status)  # fmt: skip
    _add(server, reads, _READS)
    if offer.allowance.max_crawls:
        _add(server, (crawling.start_crawl,), _CRAWLS)
        _add(server, (crawling.stop_crawl,), _STOPS)
    return server


def serve_stdio(offer: Offer) -> None:
    """Talk to the client that started this process, until it goes."""
    make_server(offer).run("stdio")


def _add(server: MCPServer, tools: Iterable[Callable[..., object]], annotations: ToolAnnotations) -> None:
    for tool in tools:
        about = " ".join((tool.__doc__ or "").split())
        server.add_tool(_told(tool), description=about, annotations=annotations)


def _told(tool: Callable[P, R]) -> Callable[P, R]:
    """A tool whose trouble is told to the model in our words; any other error would be kept from it."""

    @wraps(tool)
    def called(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return tool(*arguments, **named)
        except DowseError as error:
            raise ToolError(str(error)) from error

    return called
