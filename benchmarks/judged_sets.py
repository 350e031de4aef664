"""Topics over manuals with pages judged by reading: judged/training.tsv, development.tsv, second.tsv and third.tsv to
tune on, test.tsv never.

How pages were judged, and what counts as on topic, is in judged/README.md. The manuals are Debian packages; the
judgements hold for the pages of the versions named there, and pages that a newer version has not are left out.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from benchmarks.cache import ROOT, Unavailable
from benchmarks.sites import Manual, Site, site_of

FOLDER = Path(__file__).parent / "judged"
SETS = ("training", "development", "second", "third", "test")
ON_TOPIC, OFF_TOPIC, UNSURE = "1", "0", "?"

MANUALS = {
    "python": Manual(("python3.11-doc",), "usr/share/doc/python3.11/html"),
    "postgres": Manual(("postgresql-doc-15",), "usr/share/doc/postgresql-doc-15/html"),
    "gimp": Manual(("gimp-help-en",), "usr/share/gimp/2.0/help/en"),
    "django": Manual(("python-django-doc",), "usr/share/doc/python-django-doc/html"),
    "sqlite": Manual(("sqlite3-doc",), "usr/share/doc/sqlite3"),
    "krb5": Manual(("krb5-doc",), "usr/share/doc/krb5-doc"),
    "git": Manual(("git-doc",), "usr/share/doc/git/html"),
    "debian-handbook": Manual(("debian-handbook",), "usr/share/doc/debian-handbook/html/en-US"),
    "apache": Manual(("apache2-doc",), "usr/share/doc/apache2-doc/manual/en"),
    "scrapy": Manual(("python-scrapy-doc",), "usr/share/doc/python-scrapy-doc/html"),
    "octave": Manual(("octave-doc",), "usr/share/doc/octave/octave.html"),
    "postfix": Manual(("postfix-doc",), "usr/share/doc/postfix/html"),
    "sqlalchemy": Manual(("python-sqlalchemy-doc",), "usr/share/doc/python-sqlalchemy-doc/html"),
    "zsh": Manual(("zsh-doc",), "usr/share/doc/zsh-common/html"),
    "varnish": Manual(("varnish-doc",), "usr/share/doc/varnish/html"),
    "fish": Manual(("fish-common",), "usr/share/doc/fish"),
    "flask": Manual(("python-flask-doc",), "usr/share/doc/python-flask-doc/html"),
    "lilypond": Manual(("lilypond-doc-html",), "usr/share/doc/lilypond/html/Documentation/notation"),
    "exim": Manual(("exim4-doc-html",), "usr/share/doc/exim4-doc-html/spec_html"),
    "shorewall": Manual(("shorewall-doc",), "usr/share/doc/shorewall-doc/html"),
    "proftpd": Manual(("proftpd-doc",), "usr/share/doc/proftpd-doc"),
    "slurm": Manual(("slurm-wlm-doc",), "usr/share/doc/slurm-wlm/html", "documentation.html"),
    "fontforge": Manual(("fontforge-doc",), "usr/share/doc/fontforge"),
    "maxima": Manual(("maxima-doc",), "usr/share/doc/maxima-doc/html", "maxima.html"),
    "swi-prolog": Manual(("swi-prolog-doc",), "usr/share/swi-prolog/doc/Manual"),
    "gnuplot": Manual(("gnuplot-doc",), "usr/share/doc/gnuplot/htmldocs"),
    "grass": Manual(("grass-doc",), "usr/share/doc/grass-doc/html"),
    "libvirt": Manual(("libvirt-doc",), "usr/share/doc/libvirt-doc/html"),
    "borgbackup": Manual(("borgbackup-doc",), "usr/share/doc/borgbackup/html"),
    "buildbot": Manual(("buildbot-doc",), "usr/share/doc/buildbot/html"),
    "vim": Manual(("vim-doc",), "usr/share/doc/vim/html"),
    "cyrus": Manual(("cyrus-doc",), "usr/share/doc/cyrus-doc/html"),
    "beets": Manual(("beets-doc",), "usr/share/doc/beets/html"),
    "mailman": Manual(("mailman3-doc",), "usr/share/doc/mailman3/html"),
    "installation-guide": Manual(("installation-guide-amd64",), "usr/share/doc/installation-guide-amd64/en"),
    "celery": Manual(("python-celery-doc",), "usr/share/doc/python-celery-doc/html"),
    "twisted": Manual(("twisted-doc",), "usr/share/doc/twisted-doc/html/core"),
    "bacula": Manual(("bacula-doc",), "usr/share/doc/bacula-doc/html/main"),
    "ganeti": Manual(("ganeti-doc",), "usr/share/doc/ganeti/html"),
    "rsyslog": Manual(("rsyslog-doc",), "usr/share/doc/rsyslog-doc/html"),
    "ntpsec": Manual(("ntpsec-doc",), "usr/share/doc/ntpsec-doc/html"),
    "sphinx": Manual(("sphinx-doc",), "usr/share/doc/sphinx-doc/html"),
    "aptitude": Manual(("aptitude-doc-en",), "usr/share/doc/aptitude/html/en"),
    "keystone": Manual(("keystone-doc",), "usr/share/doc/keystone-doc/html"),
    "swift": Manual(("swift-doc",), "usr/share/doc/swift-doc/base"),
    "nova": Manual(("nova-doc",), "usr/share/doc/nova-doc/html"),
    "qtcreator": Manual(("qtcreator-doc",), "usr/share/qtcreator/doc/qtcreator"),
    "erlang": Manual(("erlang-doc",), "usr/share/doc/erlang-doc", "doc/index.html"),
    "harden": Manual(("harden-doc",), "usr/share/doc/harden-doc/html/en-US"),
    "nim": Manual(("nim-doc",), "usr/share/doc/nim/html"),
    "mopidy": Manual(("mopidy-doc",), "usr/share/doc/mopidy/html"),
    "llvm": Manual(("llvm-14-doc",), "usr/share/doc/llvm-14-doc/html"),
    "gnucash": Manual(("gnucash-docs",), "usr/share/doc/gnucash-docs/gnucash-guide-en"),
    "ghc": Manual(("ghc-doc",), "usr/share/doc/ghc-doc/html/users_guide"),
    "csound": Manual(("csound-doc",), "usr/share/doc/csound-doc/html"),
    "cmake": Manual(("cmake-doc",), "usr/share/doc/cmake-data/html"),
}


class Judged(NamedTuple):
    """A topic over a manual, and its pages by path; those read and found off topic are in neither set."""

    manual: str
    topic: str
    relevant: frozenset[str]
    unsure: frozenset[str]


def judged(name: str) -> list[Judged]:
    """The topics of a set, in the order they were written down."""
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    for manual, topic, path, judgement in rows(name):
        pages = found.setdefault((manual, topic), {ON_TOPIC: set(), OFF_TOPIC: set(), UNSURE: set()})
        pages[judgement].add(path)
    return [
        Judged(manual, topic, frozenset(pages[ON_TOPIC]), frozenset(pages[UNSURE]))
        for (manual, topic), pages in found.items()
    ]


def rows(name: str) -> list[tuple[str, str, str, str]]:
    """Manual, topic, path and judgement of every page that was read."""
    file = FOLDER / f"{name}.tsv"
    if not file.exists():
        raise Unavailable(f"there are no judgements in {file}")
    with file.open(newline="") as stream:
        lines = csv.DictReader(stream, delimiter="\t")
        return [(line["manual"], line["topic"], line["path"], line["judgement"]) for line in lines]


def site_for(topic: Judged) -> Site:
    """The manual of a topic as a site; raises Unavailable where it cannot be had."""
    return manual_site(topic.manual)


def manual_site(name: str) -> Site:
    return site_of(f"judged-{name}", MANUALS[name], ROOT / "judged" / name)
