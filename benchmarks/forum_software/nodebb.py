"""NodeBB, from npm: categories of any depth on the entry page, pinned and locked topics, profiles, tags, groups.

It needs Node.js, npm and Redis, which must be installed; a Redis of its own runs in the folder, on a socket.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.forum_software import django_site as site
from benchmarks.forum_software.content import Content, read
from benchmarks.forum_software.markup import markdown
from benchmarks.forum_software.place import BASE, FOLDER
from benchmarks.forum_software.truth import Truth, View, paged, pages

VIEWS = (
    View("index", r"/(?:categories/?)?"),
    View("index", r"/(recent|popular)(?:/\w+)?"),
    View("index", r"/category/(?P<id>\d+)(?:/[^/]*)?"),
    View("thread", r"/topic/(?P<id>\d+)(?:/[^/]*)?"),
)
PACKAGE = "nodebb@1.4.0"
_PAGE = 20


def main() -> None:
    content = read(FOLDER / "content.json")
    code, told = FOLDER / "nodebb", os.environ | {"NODE_ENV": "production", "bind_address": "127.0.0.1"}
    shutil.copytree(installed(), code, ignore=shutil.ignore_patterns("node_modules"))
    (code / "node_modules").symlink_to(installed() / "node_modules")
    (code / "public" / "uploads" / "sounds").mkdir(parents=True, exist_ok=True)  # the package leaves out empty folders
    setup = {"url": BASE, "secret": "for a benchmark", "database": "redis", "redis:host": redis(), "redis:port": "1"}
    setup |= {"redis:database": "0", "admin:username": "keeper", "admin:email": "keeper@example.org"}
    setup |= {"admin:password": "secret word", "admin:password:confirm": "secret word"}
    subprocess.run(["node", "app", f"--setup={json.dumps(setup)}"], cwd=code, env=told, check=True)
    load(content, code)
    server = subprocess.Popen(["node", "app"], cwd=code, env=told)
    site.at_end(server.terminate)
    server.wait()


def installed() -> Path:
    """NodeBB with all it needs, beside the environment of this program: at first it is fetched."""
    place = Path(sys.prefix) / "package"
    if not (place / "node_modules" / "nconf").exists():
        told = subprocess.run(["npm", "pack", PACKAGE], cwd=sys.prefix, check=True, capture_output=True, text=True)
        shutil.unpack_archive(Path(sys.prefix) / told.stdout.split()[-1], sys.prefix)
        options = ("--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")
        subprocess.run(["npm", "install", *options], cwd=place, check=True)
    return place


def redis() -> str:
    """Start Redis; its socket."""
    place = Path(subprocess.check_output(["mktemp", "-d", "/tmp/forum-db-XXXXXX"], text=True).strip())
    socket = place / "socket"
    server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", socket, "--dir", place, "--save", ""])

    def stop() -> None:
        server.terminate()
        server.wait()
        shutil.rmtree(place, ignore_errors=True)

    site.at_end(stop)
    site.wait_for(socket.exists)
    return str(socket)


def load(content: Content, code: Path) -> None:
    posts = [
        {"board": thread.board, "title": thread.title, "place": place, "author": post.author, "text": markdown(post)}
        | {"time": post.time.isoformat()}
        for thread, place, post in site.in_order(content)
    ]
    told = json.loads((FOLDER / "content.json").read_text(encoding="utf-8")) | {"posts": posts}
    (FOLDER / "posts.json").write_text(json.dumps(told), encoding="utf-8")
    script = Path(__file__).with_name("nodebb_load.js")
    subprocess.run(["node", script, FOLDER / "posts.json", FOLDER / "slugs.json"], cwd=code, check=True)
    slugs = json.loads((FOLDER / "slugs.json").read_text(encoding="utf-8"))
    truth = Truth("nodebb", f"{BASE}/", "second", VIEWS)
    truth.add_boards(content, lambda number: f"{BASE}/category/{slugs['boards'][number]}")
    for thread in content.threads:
        url = f"{BASE}/topic/{slugs['threads'][thread.title]}"
        truth.add_thread(content, thread, paged(url, pages(len(thread.posts), _PAGE)))
    truth.write(FOLDER / "truth.json")


if __name__ == "__main__":
    main()
