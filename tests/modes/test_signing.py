"""A crawl signs its requests: every one, for the host it goes to, and so that a server can check it."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms

from dowse import app
from dowse.config import make_job
from dowse.core.errors import JobError
from dowse.core.job import FetchOptions
from dowse.core.model import Request, Response
from dowse.fetch.http import HttpFetcher
from dowse.fetch.signing_keys import _from_base64
from tests.crawling import crawl, links, paths
from tests.processes import dowse
from tests.servers import Hit, Reply, Site

Serve = Callable[..., Site]

AGENT = "https://crawler.example.org"


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


class Directory(HTTPSignatureKeyResolver):
    """The keys that `dowse signing` printed, for a server that checks signatures."""

    def __init__(self, printed: str) -> None:
        self._keys = {key["kid"]: key["x"] for key in json.loads(printed)["keys"]}

    def resolve_public_key(self, key_id: str) -> Any:
        return Ed25519PublicKey.from_public_bytes(_from_base64(self._keys[key_id]))


class Made:
    """A key in a file, and the directory that goes with it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "crawler.pem"
        self.reference = f"file:{self.file}"
        ended = dowse("signing", "--new", self.reference)
        assert ended.code == 0, ended.err
        self.told = ended.err
        self.verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Directory(ended.out))

    @property
    def options(self) -> dict[str, str]:
        return {"sign_key": self.reference, "signature_agent": AGENT}

    def check(self, hits: Iterable[Hit]) -> None:
        """That each request has a good signature of its own."""
        nonces = set()
        for hit in hits:
            request = hit.request
            message = type("Message", (), {})()
            message.method, message.headers = request.method, request.headers
            message.url = f"http://{request.headers['host']}{request.target}"
            (found,) = self.verifier.verify(message, expect_tag="web-bot-auth")
            assert request.headers["signature-agent"] == f'sig1="{AGENT}"'
            assert '"@authority"' in found.covered_components
            assert '"signature-agent";key="sig1"' in found.covered_components
            nonces.add(found.parameters["nonce"])
        assert len(nonces) == len(list(hits)) > 0


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


@pytest.mark.parametrize("workers", [1, 2])
def test_every_request_is_signed_robots_txt_too(serve: Serve, tmp_path: Path, made: Made, workers: int) -> None:
    site = serve({"/": links("/a", "/b"), "/a": "a", "/b": "b"})
    found = crawl(tmp_path / "out", site.url, workers=workers, **made.options)
    assert sorted(paths(found)) == ["/", "/a", "/b"]
    assert "/robots.txt" in {hit.request.path for hit in site.log}
    made.check(site.log)


def test_a_redirect_is_signed_for_the_host_it_leads_to(serve: Serve, tmp_path: Path, made: Made) -> None:
    there = serve({"/": "there"})
    here = serve({"/": Reply("", 302, {"Location": there.url})})
    crawl(tmp_path / "out", here.url, allow_private=True, scope="any", **made.options)
    assert there.paths() == ["/"]
    made.check([*here.log, *there.log])


def test_a_request_that_is_made_once_more_has_a_signature_of_its_own(made: Made) -> None:
    heads: list[bytes] = []
    talks: list[Any] = []

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send more than was announced, but so late that the next request is there before."""
        talks.append(asyncio.current_task())
        with suppress(OSError, EOFError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                heads.append(head)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<p>")
                if len(heads) == 1:
                    heads.append(await reader.readuntil(b"\r\n\r\n"))
                    writer.write(b"too much")
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def main() -> None:
        server = await asyncio.start_server(converse, "127.0.0.1")
        request = Request(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", 0, "127.0.0.1")
        key = made.file.read_text(encoding="ascii")
        fetcher = HttpFetcher(FetchOptions(sign_key=key, signature_agent=AGENT), [request])
        assert [isinstance(await fetcher.fetch(request), Response) for _ in range(2)] == [True, True]
        await fetcher.close()
        await asyncio.wait(talks)
        server.close()

    asyncio.run(main())
    assert len(heads) == len(set(heads)) == 3


def test_nothing_is_signed_unless_somebody_asks_for_it(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    crawl(tmp_path, site.url)
    assert not [name for hit in site.log for name in hit.request.headers if name.startswith("signature")]


def test_requests_of_rendered_pages_are_signed(serve: Serve, tmp_path: Path, made: Made) -> None:
    other = serve({"/data": Reply("{}", headers={"Access-Control-Allow-Origin": "*"})})
    scripts = f"<p>page</p><script src=/script.js></script><script>fetch('{other.url}data')</script>"
    site = serve({"/": scripts, "/script.js": Reply("1", headers={"Content-Type": "text/javascript"})})
    crawl(tmp_path / "out", site.url, fetch="browser", allow_private=True, **made.options)
    asked = [hit for hit in (*site.log, *other.log) if hit.request.method == "GET"]
    assert {hit.request.path for hit in asked} >= {"/", "/script.js"}
    made.check(asked)


def test_the_archive_has_the_request_as_it_was_and_nothing_of_the_key(site: Site, tmp_path: Path, made: Made) -> None:
    site.pages["/"] = "hello"
    crawl(tmp_path / "out", site.url, sitemaps=False, **made.options)
    (file,) = (tmp_path / "out" / "warc").iterdir()
    records = gzip.decompress(file.read_bytes())
    assert records.count(b"\r\nSignature-Input: sig1=") == records.count(b"\r\nSignature: sig1=:") == len(site.log) == 2
    secret = made.file.read_text(encoding="ascii").splitlines()[1].encode()
    for part in (tmp_path / "out").rglob("*"):
        assert not part.is_file() or secret not in part.read_bytes(), part


def test_the_command_makes_a_key_for_its_owner_alone_and_says_what_to_do(tmp_path: Path, made: Made) -> None:
    assert stat.S_IMODE(made.file.stat().st_mode) == 0o600
    assert "https://YOUR-HOST/.well-known/http-message-signatures-directory" in made.told
    assert "--signature-agent https://YOUR-HOST" in made.told.replace("\n", " ")
    before = made.file.read_bytes()
    again = dowse("signing", "--new", made.reference)
    assert again.code != 0
    assert "File exists" in again.err
    assert made.file.read_bytes() == before
    assert dowse("signing", made.reference, "-f", tmp_path / "directory.json").code == 0
    (key,) = json.loads((tmp_path / "directory.json").read_bytes())["keys"]
    assert "d" not in key
    assert dowse("signing", "crawler.pem").code != 0
    assert dowse("signing", "--new", "env:KEY").code != 0


def test_what_cannot_sign_is_told_before_anything_is_asked_for(
    site: Site, tmp_path: Path, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = "hello"
    with pytest.raises(JobError, match="belong together"):
        make_job("site", site.url, sign_key=made.reference)
    with pytest.raises(JobError, match="signature_agent: expected a URL that begins with https"):
        make_job("site", site.url, sign_key=made.reference, signature_agent="http://crawler.example.org")
    with pytest.raises(JobError, match="sign_key: expected where the key is"):
        make_job("site", site.url, sign_key="MC4CAQAwBQYDK2VwBCIEIJ", signature_agent=AGENT)
    made.file.write_text("no key", encoding="ascii")
    with pytest.raises(JobError, match="not an Ed25519 key"):
        crawl(tmp_path / "out", site.url, **made.options)
    os.unlink(made.file)
    monkeypatch.chdir(made.file.parent)
    relative = {**made.options, "sign_key": f"file:{made.file.name}"}
    with pytest.raises(JobError, match=f"sign_key: {made.file}: No such file"):
        crawl(tmp_path / "out", site.url, **relative)
    assert not site.log


def test_a_folder_of_a_stranger_may_not_sign_with_our_key(
    site: Site, tmp_path: Path, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages |= {"/": links("/a"), "/a": "a"}
    crawl(tmp_path / "out", site.url, max_pages=1, **made.options)
    app.resume(tmp_path / "out", max_pages=0)  # it is ours
    made.check(site.log)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
    with pytest.raises(JobError, match=r"not begun by you.*--sign-key again"):
        app.recrawl(tmp_path / "out")
