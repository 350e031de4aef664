"""Whole crawls of a forum from several random pages: how they went, one line for each.

    python -m benchmarks.forum_starts NAME [STARTS]

`benchmarks.forum` crawls a forum once and only glances at it from the other pages, which hides that on some software
what is found depends on where a crawl begins.
"""

from __future__ import annotations

import sys

from benchmarks.cache import Unavailable, scratch
from benchmarks.forum import THREADS, measured_from, random_pages
from benchmarks.forum_software.content import generate
from benchmarks.forum_software.starting import named, running


def main() -> int:
    software = named(sys.argv[1])
    starts = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    try:
        with scratch() as folder, running(software, generate(2, THREADS), folder / "forum") as forum:
            print("pages effective coverage duplicates entry posts")
            for number, start in enumerate(random_pages(forum.truth, starts)):
                pages, is_found, read = measured_from(start, forum.truth, folder / str(number))
                print(
                    f"{pages.pages:5} {pages.effectiveness:9.1%} {pages.coverage:8.1%} {pages.duplicates:10.1%}"
                    f" {'yes' if is_found else 'no':>5} {read.right / read.all:5.1%}  {start}",
                    flush=True,
                )
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
