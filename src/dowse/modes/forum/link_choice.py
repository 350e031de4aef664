"""Which links of a forum go out: those whose form led to boards and threads, and few of a form that is not known.

A link that looks good but is of an unknown form waits in `forum_link` until the first of its form are home.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from dowse.core.job import Job
from dowse.core.model import Candidate, Task
from dowse.core.scope import Scope
from dowse.core.url_keys import UrlKeys
from dowse.modes.forum.page_evidence import FoundGroup, FoundLink, Hint, pack
from dowse.modes.forum.site_patterns import GOOD, KNOWN, Known, Patterns
from dowse.modes.forum.stored_patterns import stored_patterns
from dowse.modes.forum.url_forms import without_act
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission

BESIDE = 0.5
"""How much less a link counts that stands in one block with a better one: a thread has one title."""

FLIP = "page"
"""The place of links to further pages."""

ASTRAY = "pages of this pattern are neither boards nor threads"
REPEATED = "the pages repeat themselves"
"""Why links are called back."""

_FILE = re.compile(r"\.(?!html?$|php\d?$|aspx?$|jsp$|cgi$|pl$|cfm$|do$)[a-z0-9]{1,5}$", re.IGNORECASE)
_PRIORITY = {"start": 3.0, "entry": 2.0, "page": 1.0, "link": 0.0}
_KEEP = """INSERT INTO forum_link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (url) DO UPDATE SET place = excluded.place, prior = excluded.prior, rival = excluded.rival,
        form = excluded.form, task = max(forum_link.task, excluded.task)
        WHERE excluded.prior > forum_link.prior OR excluded.task > forum_link.task"""
_HELD = """SELECT url, place, prior, rival, text, finder, depth FROM forum_link
    WHERE site = ? AND form = ? AND task = 0 AND base = 0 ORDER BY prior DESC, finder, url LIMIT 5000"""
_FORMS = "SELECT form, max(prior), min(url) FROM forum_link WHERE site = ? AND task = 0 AND base = 0 GROUP BY form"
_UNTRIED = """SELECT min(url), place, max(prior), '', min(text), min(finder), min(depth) FROM forum_link
    WHERE site = ? AND task = 0 AND base = 0 GROUP BY form, place ORDER BY form, place"""
_FLIPS = "SELECT url, site, text, finder, depth FROM forum_link WHERE base = ? AND task = 0"
_SENT = "SELECT task FROM forum_link WHERE site = ? AND form = ? AND task > 0 AND base = 0"


class LinkChoice:
    """Sends for links, by the patterns of each site."""

    def __init__(self, job: Job, connection: Database, earlier: dict[str, Known]) -> None:
        self._connection = connection
        self._keys = UrlKeys(job.urls)
        self._scope = Scope(job.scope, job.limits, {self._keys.request(url).host for url in job.seeds})
        self._earlier = earlier
        self._sites = stored_patterns(connection, earlier)
        self._astray: set[tuple[str, str]] = set()

    def patterns(self, site: str) -> Patterns:
        if site not in self._sites:
            self._sites[site] = Patterns(self._earlier)
        return self._sites[site]

    def offer(self, finder: Task, group: FoundGroup, admission: Admission) -> None:
        """Follow the links of a group, or keep them in mind."""
        patterns = self.patterns(finder.site)
        for link in group.links:
            if patterns.is_view(link.url) or patterns.is_page(link.url):
                continue
            if self._is_good(patterns, link.url, group):
                self.send(finder, link, Hint("link", group.place, group.prior), admission)
            else:
                self._keep(finder, link, group, 0, 0)

    def send(self, finder: Task, link: FoundLink, hint: Hint, admission: Admission) -> None:
        """Let a link go out, if it may."""
        patterns, request = self.patterns(finder.site), self._keys.request(link.url)
        refused = self._scope.refuse(request) or self._scope.refuse_link(request, finder.site, finder.depth + 1)
        why = _why(hint, patterns.forms.form(link.url))
        candidate = Candidate(request, link.text, _PRIORITY[hint.role], "", refused, pack(hint), why)
        task = admission.admit(finder, [candidate])[0][0]
        if not refused:
            patterns.sent(link.url, counts=hint.role == "link")
            self._keep(finder, link, FoundGroup(hint.place, hint.prior, []), hint.base, task)

    def flip(self, finder: Task, url: str, hint: Hint, admission: Admission, *, now: bool) -> None:
        """Let a further page go out, or keep it until it is clear that its first is a board or a thread."""
        if now:
            self.send(finder, FoundLink(url, ""), hint, admission)
        else:
            self._keep(finder, FoundLink(url, str(hint.number)), FoundGroup(FLIP, 0.0, []), hint.base, 0)

    def release_pages(self, base: int, admission: Admission) -> bool:
        """Let the further pages of a board or thread go that were kept; whether there are any."""
        rows = self._connection.execute(_FLIPS, (base,)).fetchall()
        for url, site, number, finder, depth in rows:
            hint = Hint("page", base=base, number=int(number))
            self.send(self.finder(finder, site, depth), FoundLink(url, ""), hint, admission)
        return bool(rows)

    def release(self, site: str, admission: Admission) -> None:
        """Let links go that waited for what was learned of their form; call back those of forms that lead astray."""
        patterns = self.patterns(site)
        for form, prior, url in self._connection.execute(_FORMS, (site,)).fetchall():
            if patterns.forms.form(url) != form:
                self._rename(site)
                self.release(site, admission)
                return
            known = patterns.known(form)
            if patterns.worth(url, "", prior) >= GOOD or (known.number and not _is_astray(known)):
                self._release(site, _HELD, (site, form), admission)
        for form, known in patterns.learned().items():
            if _is_astray(known) and not patterns.has_posts(form) and (site, form) not in self._astray:
                self._astray.add((site, form))
                for (number,) in self._connection.execute(_SENT, (site, form)).fetchall():
                    admission.known.drop(number, ASTRAY)

    def call_back(self, base: int, admission: Admission) -> None:
        """Let no further page of a board or thread go out."""
        for (number,) in self._connection.execute("SELECT task FROM forum_link WHERE base = ?", (base,)).fetchall():
            admission.known.drop(number, REPEATED)

    def explore(self, site: str, least: float, admission: Admission) -> bool:
        """Try one link of the form that looks best of those that wait; whether there was any that is good enough."""
        patterns = self.patterns(site)
        rows = [row for row in self._connection.execute(_UNTRIED, (site,)).fetchall() if not patterns.is_page(row[0])]
        rows = [row for row in rows if patterns.worth(row[0], row[1], row[2]) >= least]
        if not rows:
            return False
        (start,) = self._connection.execute("SELECT url FROM task ORDER BY id LIMIT 1").fetchone()

        def promise(row: tuple[str, str, float, str, str, int, int]) -> tuple[float, ...]:
            worth = round(patterns.worth(row[0], row[1], row[2]), 1)
            tried = patterns.known(patterns.forms.form(row[0])).number
            is_act = bool(without_act(row[0]))
            return -round(tried), -is_act, worth, -_detours(row[0]), _shared(row[0], start), -len(row[0])

        url, place, prior, _, text, finder, depth = max(rows, key=promise)
        self.send(self.finder(finder, site, depth), FoundLink(url, text), Hint("link", place, prior), admission)
        return True

    def finder(self, number: int, site: str, depth: int) -> Task:
        """The task that a link was found by."""
        (url,) = self._connection.execute("SELECT url FROM task WHERE id = ?", (number,)).fetchone()
        return Task(number, self._keys.request(url), site, depth=depth)

    def _is_good(self, patterns: Patterns, url: str, group: FoundGroup) -> bool:
        """Whether a link is to go out now. One that stands beside a better one must look better than good."""
        prior = group.prior
        is_known = patterns.known(patterns.forms.form(url)).wanted > KNOWN
        if group.rival and not is_known and patterns.worth(group.rival, "", GOOD) >= GOOD:
            prior *= BESIDE
        return patterns.worth(url, group.place, prior) >= GOOD and patterns.has_room(url, prior)

    def _release(self, site: str, query: str, values: Sequence[str], admission: Admission) -> None:
        patterns = self.patterns(site)
        for url, place, prior, rival, text, finder, depth in self._connection.execute(query, values).fetchall():
            if not patterns.is_view(url) and self._is_good(patterns, url, FoundGroup(place, prior, [], rival)):
                hint = Hint("link", place, prior)
                self.send(self.finder(finder, site, depth), FoundLink(url, text), hint, admission)

    def _keep(self, finder: Task, link: FoundLink, group: FoundGroup, base: int, task: int) -> None:
        form = self.patterns(finder.site).forms.form(link.url)
        place, prior, rival = group.place, group.prior, group.rival
        row = (link.url, finder.site, form, place, prior, rival, link.text, finder.id, finder.depth, base, task)
        self._connection.execute(_KEEP, row)

    def _rename(self, site: str) -> None:
        """Forms have changed."""
        forms = self.patterns(site).forms
        rows = self._connection.execute("SELECT url, form FROM forum_link WHERE site = ?", (site,)).fetchall()
        new = [(form, url) for url, before in rows if (form := forms.form(url)) != before]
        self._connection.executemany("UPDATE forum_link SET form = ? WHERE url = ?", new)


def _shared(url: str, other: str) -> int:
    """How many characters two URLs have in common, from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(url, other, strict=False)))


def _detours(url: str) -> int:
    """What speaks against a URL, if nothing else is known of it: parameters, and the ending of a file."""
    path, _, query = url.partition("?")
    return len(query.split("&")) * bool(query) + 2 * bool(_FILE.search(path))


def _is_astray(known: Known) -> bool:
    return known.other > known.wanted + 2


def _why(hint: Hint, form: str) -> str:
    if hint.role == "page":
        return "a further page of its board or thread"
    return "it may be the entry page" if hint.role == "entry" else f"the pattern {form}"
