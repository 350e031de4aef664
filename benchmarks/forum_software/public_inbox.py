"""public-inbox, from Debian: mailing lists whose pages are text in <pre>, each thread on one page."""

from __future__ import annotations

import os
import shutil
import subprocess

from benchmarks.forum_software.content import Content, read
from benchmarks.forum_software.mails import identifier, list_name, lists, message
from benchmarks.forum_software.place import BASE, FOLDER, PORT
from benchmarks.forum_software.truth import Truth, View

VIEWS = (
    View("index", r"/"),
    View("index", r"/(?P<id>[a-z][a-z-]*-\d+)/(?:(?:index|new|topics_new|topics_active)\.html)?", page="t"),
    View("thread", r"/(?P<id>[^/]+/[0-9a-f]{20})-\d+@lists\.example\.org/[tT]/"),
)
"""Pages of one mail are neither: all that they have is on the page of the thread."""
_LOAD = """
use PublicInbox::Config; use PublicInbox::InboxWritable; use PublicInbox::Eml;
my $inbox = PublicInbox::InboxWritable->new(PublicInbox::Config->new->lookup_name($ARGV[0]));
my $store = $inbox->importer(0);
for my $path (sort glob("$ARGV[1]/*")) {
    my $mail = do { open my $file, '<', $path or die; local $/; <$file> };
    $store->add(PublicInbox::Eml->new(\\$mail)) or die "not taken: $path";
}
$store->done;
"""


def main() -> None:
    if shutil.which("public-inbox-httpd") is None:
        raise SystemExit("install the packages public-inbox, libdbd-sqlite3-perl and libplack-perl of Debian")
    content = read(FOLDER / "content.json")
    told = os.environ | {"HOME": str(FOLDER), "PI_CONFIG": str(FOLDER / "config"), "TZ": "UTC"}
    archive(content, told)
    truth = Truth("public_inbox", f"{BASE}/", "minute", VIEWS)
    truth.add_boards(content, lambda number: f"{BASE}/{list_name(content, number)}/")
    filled = {content.boards[thread.board].name for thread in content.threads}  # a list without mails is not there
    truth.boards = [board for board in truth.boards if board["name"] in filled]
    for thread in content.threads:
        truth.add_thread(content, thread, [f"{BASE}/{list_name(content, thread.board)}/{identifier(thread, 0)}/T/"])
    truth.write(FOLDER / "truth.json")
    os.execvpe("public-inbox-httpd", ["public-inbox-httpd", "-W0", "-l", f"http://127.0.0.1:{PORT}"], told)


def archive(content: Content, told: dict[str, str]) -> None:
    (FOLDER / "load.pl").write_text(_LOAD)
    for name, threads in lists(content).items():
        box = FOLDER / "mails" / name
        box.mkdir(parents=True)
        for thread in threads:
            for place, post in enumerate(thread.posts):
                mail = box / f"{int(post.time.timestamp())}-{identifier(thread, place)}"
                mail.write_bytes(message(thread, place, post).as_bytes())
        address = [f"{BASE}/{name}", f"{name}@lists.example.org"]
        made = ["public-inbox-init", "-V2", "-L", "basic", name, str(FOLDER / "lists" / name), *address]
        subprocess.run(made, check=True, env=told)
        subprocess.run(["perl", str(FOLDER / "load.pl"), name, str(box)], check=True, env=told)
    subprocess.run(["git", "config", "-f", told["PI_CONFIG"], "publicinbox.wwwlisting", "all"], check=True)


if __name__ == "__main__":
    main()
