"""Two wikis that nobody here wrote, under the server of php: DokuWiki and MediaWiki, with an article for each record.

They come from Debian by their names, and are unpacked, not installed. DokuWiki keeps pages in files, MediaWiki in
SQLite.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path

from benchmarks.cache import ROOT, Unavailable
from benchmarks.search_apps import App, Package, free_port, running

_PHP = ("php", "-d", "display_errors=0", "-d", "memory_limit=512M")


def unpacked(*names: str) -> Path:
    """The files of Debian packages."""
    if shutil.which("php") is None or shutil.which("apt-get") is None:
        raise Unavailable("the wikis need apt-get and php-cli, php-sqlite3, php-mbstring, php-xml and php-intl")
    target = ROOT / f"wiki-{names[0]}"
    if not target.exists():
        part = target.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        subprocess.run(["apt-get", "download", "-q", *names], cwd=part, check=True, capture_output=True, timeout=300)
        for file in part.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", file, part], check=True)
        part.rename(target)
    return target


@contextmanager
def dokuwiki(folder: Path, records: Sequence[Package]) -> Iterator[str]:
    source, web, data = unpacked("dokuwiki"), folder / "web", folder / "data"
    shutil.copytree(source / "usr/share/dokuwiki", web, ignore=shutil.ignore_patterns(".htaccess", "plugins", "tpl"))
    for part in ("plugins", "tpl"):
        shutil.copytree(source / "var/lib/dokuwiki/lib" / part, web / "lib" / part)
    shutil.copytree(source / "etc/dokuwiki", web / "conf", ignore=shutil.ignore_patterns("*.auth.php"))
    shutil.copytree(source / "var/lib/dokuwiki/data", data)
    libraries = unpacked("php-phpseclib", "libphp-simplepie", "php-geshi")
    for file in (web / "vendor" / "composer").glob("*.php"):
        file.write_text(file.read_text().replace("'/usr/share/php", f"'{libraries}/usr/share/php"))
    settings = f"$conf['savedir'] = '{data}'; $conf['useacl'] = 0; $conf['title'] = 'Packages';"
    (web / "conf" / "local.php").write_text(f"<?php\n{settings}\n")
    (web / "inc" / "preload.php").write_text(f"<?php\ndefine('DOKU_CONF', '{web}/conf/');\n")
    for record in records:
        page = data / "pages" / f"{record.name}.txt"
        page.write_text(f"====== {record.name} ======\n\n{record.description}\n", encoding="utf-8")
    (data / "pages" / "start.txt").write_text("====== Packages ======\n\nSoftware: games, libraries and tools.\n")
    _run(web / "bin" / "indexer.php", web, "-q")
    with _served(web, folder) as url:
        yield url


@contextmanager
def mediawiki(folder: Path, records: Sequence[Package]) -> Iterator[str]:
    source, web, data, port = unpacked("mediawiki", "mediawiki-classes"), folder / "web", folder / "data", free_port()
    data.mkdir()
    root = source / "usr/share/mediawiki"
    links = [path.name for path in root.iterdir() if path.is_symlink()]  # to where the package would be installed
    shutil.copytree(root, web, ignore=lambda place, _names: links if Path(place) == root else [])
    for name in ("images", "extensions", "cache"):
        (web / name).mkdir(exist_ok=True)
    install = (f"--dbpath={data}", "--dbtype=sqlite", "--dbname=wiki", "--scriptpath=", "--pass=a long password 1",
               f"--server=http://127.0.0.1:{port}", "Packages", "admin")  # fmt: skip
    _maintain(web, "install", *install)
    pages = "".join(
        f"<page><title>{escape(record.name)}</title><ns>0</ns><revision><timestamp>2020-01-01T00:00:00Z</timestamp>"
        f"<contributor><username>a</username></contributor><text>{escape(record.description)}</text></revision></page>"
        for record in records
    )
    (folder / "pages.xml").write_text(f'<mediawiki version="0.11" xml:lang="en">{pages}</mediawiki>', encoding="utf-8")
    _maintain(web, "importDump", str(folder / "pages.xml"))
    _maintain(web, "rebuildtextindex")
    with _served(web, folder, port) as url:
        yield url


def _maintain(web: Path, script: str, *words: str) -> None:
    _run(web / "maintenance" / f"{script}.php", web, *words)


def _run(script: Path, web: Path, *words: str) -> None:
    ended = subprocess.run([*_PHP, script, *words], cwd=web, capture_output=True, timeout=900, text=True, check=False)
    if ended.returncode:
        raise Unavailable(f"{script.name} failed: {(ended.stdout + ended.stderr)[-300:]}")


@contextmanager
def _served(web: Path, folder: Path, port: int = 0) -> Iterator[str]:
    port = port or free_port()
    with running([*_PHP, "-S", f"127.0.0.1:{port}", "-t", str(web)], folder, port) as url:
        yield url


WIKIS = (App("dokuwiki", 300, dokuwiki), App("mediawiki", 300, mediawiki))
