"""Texts of strangers on a terminal: nothing of a page steers it, by whichever command it is printed."""

from __future__ import annotations

import ast
import doctest
import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from dowse.cli import terminal
from dowse.cli.terminal import safe
from tests.crawling import crawl
from tests.servers import Reply, Site

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\r"
STEERING = ("\x1b", "\x07", "\x9b", "\u202e")


def on_a_terminal(*words: str | Path) -> str:
    """What a command shows on a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "dowse", *map(str, words)]
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "80"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux tells the end
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    process.wait(30)
    return shown.decode("utf-8", "replace").replace("\r\n", "\n")


@pytest.fixture
def crawled(site: Site, tmp_path: Path) -> Path:
    page = f"<title>{EVIL}</title><a href=/a>{EVIL}</a><p>{EVIL}" + "<p>Words that make a text of it. " * 30
    headers = {"Content-Type": "text/html; charset=utf-8"}
    site.pages |= {"/": Reply(page.encode(), headers=headers), "/a": Reply(page.encode() + b"a", headers=headers)}
    crawl(tmp_path / "crawl", site.at("127.0.0.1", "/"), extract=["words=//p"])
    return tmp_path / "crawl"


def test_no_command_lets_a_page_steer_the_terminal(site: Site, crawled: Path) -> None:
    seed = site.at("127.0.0.1", "/")
    for words in (
        ("export", crawled, "pages"),
        ("export", crawled, "pages", "--to", "jsonl"),
        ("export", crawled, "links"),
        ("export", crawled, "records", "--to", "csv"),
        ("export", crawled, "pages", "--to", "markdown"),
        ("why", crawled, f"{seed}a"),
        ("why", crawled, f"{seed}a", "--json"),
        ("why", crawled, f"{seed}{EVIL.strip()}"),
        ("status", crawled),
        ("fetch", seed),
        ("report", crawled, "-f", "-"),
        ("resume", f"{crawled}{EVIL}"),
    ):
        shown = on_a_terminal(*words)
        assert shown, words
        assert not [mark for mark in STEERING if mark in shown], words
        assert "\r" not in shown, words


def test_a_pipe_gets_pages_as_they_are(site: Site, crawled: Path) -> None:
    words = [sys.executable, "-m", "dowse", "fetch", site.at("127.0.0.1", "/")]
    done = subprocess.run(words, capture_output=True, timeout=60, check=True)
    assert EVIL.strip().encode() in done.stdout


def test_what_is_escaped_is_the_same_text_in_json() -> None:
    assert json.loads(safe(json.dumps(EVIL, ensure_ascii=False))) == EVIL
    assert safe("plain\ttext\n") == "plain\ttext\n"
    assert doctest.testmod(terminal).failed == 0


def test_only_one_module_prints() -> None:
    """Whoever prints by another way forgets what strangers can write."""
    folder = Path(terminal.__file__).parent
    for path in folder.glob("*.py"):
        if path.name == "terminal.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute):
                called = ast.unparse(node)
                assert called not in ("click.echo", "click.secho", "sys.stdout.write", "sys.stdout.buffer"), path
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) != "print", path
