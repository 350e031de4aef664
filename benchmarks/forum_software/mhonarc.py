"""MHonArc, from Debian: mailing lists as static pages, one for a mail, with an index by thread and one by date."""

from __future__ import annotations

import html
import mailbox
import re
import shutil
import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.forum_software.content import Content, read
from benchmarks.forum_software.mails import identifier, list_name, lists, message
from benchmarks.forum_software.place import BASE, FOLDER, PORT
from benchmarks.forum_software.truth import Truth, View

VIEWS = (
    View("index", r"/(?:index\.html)?"),
    View("index", r"/(?P<id>[^/]+)/(?:(?:index|maillist|threads|mail\d+|thrd\d+)\.html)?"),
    View("thread", r"/(?P<id>[^/]+/msg\d+)\.html"),
)


def main() -> None:
    folder, base = FOLDER, BASE
    content = read(folder / "content.json")
    archive(folder, content)
    truth = Truth("mhonarc", f"{base}/", "second", VIEWS)
    truth.add_boards(content, lambda number: f"{base}/{list_name(content, number)}/threads.html")
    truth.boards = [board for board in truth.boards if board["parent"] is not None]
    places = addresses(folder / "site", base)
    for thread in content.threads:
        truth.add_thread(content, thread, [places[identifier(thread, place)] for place in range(len(thread.posts))])
    truth.write(folder / "truth.json")
    answers = partial(SimpleHTTPRequestHandler, directory=str(folder / "site"))
    ThreadingHTTPServer(("127.0.0.1", PORT), answers).serve_forever()


def archive(folder: Path, content: Content) -> None:
    if shutil.which("mhonarc") is None:
        raise SystemExit("install the package mhonarc of Debian")
    names = []
    for name, threads in lists(content).items():
        box = mailbox.mbox(folder / name)
        for thread in threads:
            for place, post in enumerate(thread.posts):
                box.add(message(thread, place, post))
        box.close()
        place = folder / "site" / name
        place.mkdir(parents=True)
        made = ["mhonarc", "-quiet", "-multipg", "-idxsize", "50", "-outdir", place, "-idxfname", "maillist.html"]
        subprocess.run([*made, folder / name], check=True, capture_output=True)
        names.append(name)
    rows = "".join(f'<li><a href="{name}/threads.html">{html.escape(name)}</a>' for name in names)
    (folder / "site" / "index.html").write_text(f"<title>Mailing lists</title><h1>Mailing lists</h1><ul>{rows}</ul>")


def addresses(site: Path, base: str) -> dict[str, str]:
    """Where each mail is."""
    found = {}
    for page in site.glob("*/msg*.html"):
        told = re.search(r"<!--X-Message-Id: (.*?) -->", page.read_text(encoding="utf-8", errors="replace"))
        if told:
            found[html.unescape(told[1]).replace("&#45;", "-")] = f"{base}/{page.parent.name}/{page.name}"
    return found


if __name__ == "__main__":
    main()
