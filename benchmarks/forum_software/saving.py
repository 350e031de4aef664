"""Save all pages of a forum: python -m benchmarks.forum_software.saving NAME FOLDER [THREADS]."""

from __future__ import annotations

import json
import re
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from benchmarks.forum_software.content import generate
from benchmarks.forum_software.starting import named, running

_MOST = 6000
"""Pages of a forum; some offer more views than anyone can read."""

_HEADERS = {"User-Agent": "dowse"}
"""Some software shows robots other pages."""


def main() -> None:
    name, folder = sys.argv[1], Path(sys.argv[2])
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else 150
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, running(named(name), generate(1, threads), Path(place)) as forum:
        entry = str(forum.truth["entry"])
        (folder / "truth.json").write_text(json.dumps(forum.truth, ensure_ascii=False, indent=1))
        with (folder / "pages.jsonl").open("w") as out:
            for page in every_page(entry):
                out.write(json.dumps(page, ensure_ascii=False) + "\n")


def every_page(entry: str) -> Iterator[dict[str, object]]:
    origin = entry.split("/", 3)[:3]
    waiting, seen = [entry], {entry}
    while waiting and len(seen) < _MOST * 2:
        url = waiting.pop(0)
        try:
            answer = urllib.request.urlopen(urllib.request.Request(url, headers=_HEADERS), timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError as error:
            print("failed", url, error)
            continue
        with answer:
            kind = answer.headers.get("Content-Type", "")
            body = answer.read()
            html = body.decode(answer.headers.get_content_charset() or "utf-8", "replace")
        yield {"url": url, "status": answer.status, "content_type": kind, "final": answer.url, "html": html}
        if "html" not in kind:
            continue
        for href in re.findall(r"""<a\b[^>]*?\shref\s*=\s*["']?([^"'\s>]+)""", html, re.IGNORECASE):
            target = urldefrag(urljoin(answer.url, unescape(href)))[0]
            target = urllib.parse.quote(target, safe=":/?&=%#;,+@!$'()*[]~")
            if target.split("/", 3)[:3] == origin and target not in seen and len(seen) < _MOST and len(target) < 400:
                seen.add(target)
                waiting.append(target)


if __name__ == "__main__":
    main()
