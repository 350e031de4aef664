"""public-inbox, from Debian: mailing lists with views of one mail, of a thread nested and flat, feeds and search."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.forum_software.content import Content, read
from benchmarks.forum_software.mails import identifier, list_name, lists, message
from benchmarks.forum_software.truth import Truth, View

VIEWS = (
    View("index", r"/"),
    View("index", r"/(?P<id>[^/@]+)/(?:new\.html)?", "t"),
    View("thread", r"/[^/]+/(?P<id>[^/]+@[^/]+)/[Tt]/"),
)


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    content = read(folder / "content.json")
    base = f"http://127.0.0.1:{port}"
    configuration = archive(folder, content, base)
    truth = Truth("publicinbox", f"{base}/", "minute", VIEWS)
    truth.add_boards(content, lambda number: f"{base}/{list_name(content, number)}/")
    truth.boards = [board for board in truth.boards if board["parent"] is not None]
    for thread in content.threads:
        first = f"{base}/{list_name(content, thread.board)}/{identifier(thread, 0)}"
        truth.add_thread(content, thread, [f"{first}/T/"])
    truth.write(folder / "truth.json")
    told = os.environ | {"PI_CONFIG": str(configuration)}
    os.execvpe("public-inbox-httpd", ["public-inbox-httpd", "-l", f"127.0.0.1:{port}", "-W0"], told)


def archive(folder: Path, content: Content, base: str) -> Path:
    if shutil.which("public-inbox-init") is None:
        raise SystemExit("install the package public-inbox of Debian")
    configuration = folder / "config"
    told = os.environ | {"PI_CONFIG": str(configuration), "HOME": str(folder)}
    for name, threads in lists(content).items():
        place = folder / "lists" / name
        made = ["public-inbox-init", "-V2", "-L", "basic", name, place, f"{base}/{name}/", f"{name}@lists.example.org"]
        subprocess.run(made, check=True, capture_output=True, env=told)
        maildir = folder / "mails" / name / "new"
        maildir.mkdir(parents=True)
        posts = sorted(
            ((post.time, thread.title, place, thread) for thread in threads for place, post in enumerate(thread.posts)),
            key=lambda told: told[:3],
        )
        for number, (_, _, place_there, thread) in enumerate(posts):
            (maildir / f"{number:06}").write_bytes(bytes(message(thread, place_there, thread.posts[place_there])))
        subprocess.run(["perl", "-e", _IMPORT, name, str(maildir)], check=True, env=told, capture_output=True)
    with configuration.open("a") as more:
        more.write("[publicinbox]\n\twwwlisting = all\n")
    return configuration


_IMPORT = """
use PublicInbox::Config; use PublicInbox::V2Writable; use PublicInbox::Eml;
my ($name, $dir) = @ARGV;
my $inbox = PublicInbox::Config->new->lookup_name($name);
my $writer = PublicInbox::V2Writable->new($inbox, 1);
opendir(my $folder, $dir) or die; my @files = sort grep { !/^\\./ } readdir $folder;
for my $file (@files) {
    open(my $mail, '<', "$dir/$file") or die; local $/; my $text = <$mail>;
    $writer->add(PublicInbox::Eml->new(\\$text));
}
$writer->done;
"""

if __name__ == "__main__":
    main()
