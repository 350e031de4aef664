"""The two stages of a crawl for forms: which site is next, and which of its links.

Site locating. Sites that pages link to wait in two queues. Those that sites with forms link to have high priority, and
so have those that stand beside a site with forms on some page; the others refill the queue when it is empty. In a queue
the site comes first that is most like the sites that had forms, and that most other sites link to. The topic of its
home page decides whether it is explored, unless the user named it.

In-site exploring. Links of all sites are ranked by their chance to lead to a form, and so are the home pages of the
next sites (`link_worth.py`). A site is left for good when one of the limits of stopping early is reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.core.model import Candidate, Outcome, Request, State, Task
from dowse.core.task_labels import QUERY
from dowse.core.url_keys import UrlKeys
from dowse.modes.forms.earlier_crawls import known_sites, learned
from dowse.modes.forms.likeness import Likeness, link_words, site_words
from dowse.modes.forms.link_worth import EARLY, LinkWorth, of_known
from dowse.modes.forms.messages import CENTRE_PAGE, REVERSE_SEARCH, SEARCHABLE, Evidence, Neighbour, evidence
from dowse.modes.forms.options import FormsOptions
from dowse.modes.forms.reverse_search import ReverseSearch
from dowse.modes.forms.site_rows import TABLES
from dowse.modes.forms.topic_of_crawl import ON_TOPIC
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.edges import Edge
from dowse.store.task_states import NOT_DONE

LEADING = ("search", "find", "advanced", "query", "browse", "catalog", "catalogue", "database", "archive", "listings")
"""Words that lead to search forms everywhere."""

AT_ONCE = 8
"""Sites whose home pages wait in the frontier at the same time; half of them are chosen anew at once."""

HOME_ON_TOPIC = 0.5
"""The share of the topic that a home page, or a centre page, must have."""

_EXPLORED = "explored"
_LEFT = f"""SELECT task.id, CASE WHEN site.state = 'done' THEN site.reason ELSE site_depth.reason END
    FROM site JOIN task ON task.site = ?
    LEFT JOIN site_depth ON site_depth.host = ? AND site_depth.depth = task.depth
    WHERE site.host = ? AND task.{NOT_DONE} AND task.state = {State.WAITING} AND task.label = ''
        AND ((site.state = 'done' AND site.reason <> '{_EXPLORED}') OR site_depth.reason <> '')"""
_SITE_INDEX = f"CREATE INDEX IF NOT EXISTS task_site ON task (site) WHERE {NOT_DONE}"
_BUSY = f"SELECT 1 FROM task WHERE site = ? AND {NOT_DONE} LIMIT 1"
_KNOWN = "INSERT INTO site (host, home, words, found, high, brought) VALUES (?, ?, ?, 0, 1, ?) ON CONFLICT DO NOTHING"
_OFFER = """INSERT INTO site (host, home, words, found, high) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (host) DO UPDATE SET high = max(site.high, excluded.high), words = CASE WHEN length(site.words) < 500
        THEN site.words || ' ' || excluded.words ELSE site.words END"""
_RAISE = """UPDATE site SET high = 1 WHERE state = 'waiting' AND host IN (
    SELECT beside.host FROM site_link AS link JOIN site_link AS beside ON beside.page = link.page WHERE link.host = ?
    UNION SELECT link.host FROM site_link AS link JOIN task ON task.id = link.page
        WHERE task.site = ?)"""
_CANDIDATES = """SELECT site.home, site.words, count(DISTINCT task.site), site.brought FROM site
    LEFT JOIN site_link ON site_link.host = site.host LEFT JOIN task ON task.id = site_link.page
    WHERE site.state = 'waiting' AND site.high = ? GROUP BY site.host"""
_AGAIN = """UPDATE site SET state = 'exploring', reason = '', pages = 0, barren = 0 WHERE state = 'done'
    AND reason <> 'off topic' RETURNING host"""
_WANTED = f"""SELECT shape FROM form WHERE task = ? AND searchable >= {SEARCHABLE}
    AND coalesce(topic, 1.0) >= {ON_TOPIC}"""
_PAGE = f"""UPDATE site SET pages = pages + 1, forms = forms + ?, barren = CASE WHEN ? THEN 0 ELSE barren + 1 END,
    lucky = lucky + CASE WHEN early < {EARLY} THEN ? ELSE 0 END,
    early = CASE WHEN early < {EARLY} THEN early + 1 ELSE early END WHERE host = ? RETURNING barren, forms"""
_COUNT = """INSERT INTO site_depth (host, depth, pages, forms) VALUES (?, ?, 1, ?)
    ON CONFLICT (host, depth) DO UPDATE SET pages = site_depth.pages + 1, forms = site_depth.forms + excluded.forms
    RETURNING pages, forms"""


class SiteBook(Bookkeeping):
    """Chooses sites and ranks their links. What was learned is in tables, as all that a crawl knows."""

    tables = TABLES

    def __init__(self, job: Job, briefing: Briefing, options: FormsOptions) -> None:
        self._options = options
        self._host_pages = job.scope.host_pages
        self._keys = UrlKeys(job.urls)
        self._named = {self._keys.request(url).host for url in job.seeds}
        self._briefing = briefing
        self._reverse = ReverseSearch(job, briefing, options.backlinks, options.candidates)

    def load(self, connection: Database) -> None:
        super().load(connection)
        connection.execute(_SITE_INDEX)
        self._sites, self._links = Likeness(self._options.topic.lower().split()), Likeness(LEADING)
        stored = dict(connection.execute("SELECT name, state FROM likeness").fetchall())
        for name, state in (stored or learned(self._briefing)).items():
            (self._sites if name == "sites" else self._links).load(state)
        self._worth = LinkWorth(connection, self._links, self._sites)
        exploring = connection.execute("SELECT host, pages FROM site WHERE state = 'exploring'").fetchall()
        self._exploring = {host for host, _ in exploring}
        self._unseen = {host for host, pages in exploring if not pages}
        self._shapes = {name for (name,) in connection.execute("SELECT shape FROM form")}
        self._told: dict[int, Evidence] = {}
        self._visited: set[str] = set()
        self._last: Task | None = None

    def started(self) -> None:
        rows = [(site.host, site.home, site.words, site.brought) for site in known_sites(self._briefing)]
        self._connection.executemany(_KNOWN, rows)

    def seeded(self, number: int, request: Request, hint: bytes) -> None:
        row = (request.host, request.url, " ".join(site_words(request.host)), 0, 0)
        self._connection.execute(_OFFER, row)
        self._connection.execute("UPDATE site SET state = 'exploring' WHERE host = ?", (request.host,))
        self._exploring.add(request.host)
        self._unseen.add(request.host)

    def revisiting(self) -> None:
        """Sites are explored anew, up to the same limits."""
        self._connection.execute("DELETE FROM site_depth")
        rows = self._connection.execute(_AGAIN).fetchall()
        self._exploring |= {host for (host,) in rows}

    def came_home(self, outcomes: Sequence[Outcome]) -> None:
        found = (each for each in outcomes if each.evidence and each.task.label != QUERY)
        self._told = {each.task.id: evidence(each.evidence) for each in found}

    def linked(self, finder: int, candidates: Sequence[Candidate], edges: Sequence[Edge], admission: Admission) -> None:
        told = self._told.get(finder)
        if told is None:
            return
        rows = []
        for candidate, edge in zip(candidates, edges, strict=True):
            if not candidate.refused and not candidate.label and admission.is_new(edge[0]):
                text = told.around.get(candidate.request.url, "")
                words = link_words(candidate.request.url, candidate.anchor, text)
                share = self._worth.share(candidate.request.url, round(-candidate.priority))
                rows.append((edge[0], " ".join(words), share))
                admission.set_priority(edge[0], self._worth.of_link(words, share))
        self._connection.executemany("INSERT INTO link_words VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def visited(self, visit: Visit, admission: Admission) -> None:
        task = visit.outcome.task
        if not task.label and visit.fate.state is not State.WAITING:
            self._visited.add(task.site)
        if task.label == QUERY or visit.fate.state not in (State.FETCHED, State.DUPLICATE) or visit.outcome.redirect:
            return
        told = self._told.get(task.id, Evidence())
        self._last = task
        if task.label:
            self._looked_at(task, told, admission)
            return
        self._unseen.discard(task.site)
        new = self._new_forms(task.id) if told.forms else 0
        self._learn(task.id, success=new > 0)
        for neighbour in told.others:
            self._offer(task.id, neighbour, high=False)
        if task.site in self._exploring:
            is_home = task.depth == 0 and task.site not in self._named
            if is_home and self._options.topic and told.on_topic < HOME_ON_TOPIC:
                self._connection.execute("UPDATE site SET early = 1 WHERE host = ?", (task.site,))
                self._leave(task.site, "off topic")
            else:
                self._explored(task, new, admission)

    def _looked_at(self, task: Task, told: Evidence, admission: Admission) -> None:
        """A page of no site that is explored came."""
        if task.label == REVERSE_SEARCH:
            self._reverse.found(told.centres, task, admission)
        elif task.label == CENTRE_PAGE and told.on_topic >= HOME_ON_TOPIC:
            for neighbour in told.others:
                self._offer(task.id, neighbour, high=True)

    def _new_forms(self, page: int) -> int:
        """How many search forms of the topic a page has that none had before. The book of forms has written them."""
        shapes = {shape for (shape,) in self._connection.execute(_WANTED, (page,))} - self._shapes
        self._shapes |= shapes
        return len(shapes)

    def _learn(self, number: int, *, success: bool) -> None:
        row = self._connection.execute("DELETE FROM link_words WHERE task = ? RETURNING words", (number,)).fetchone()
        if row is not None:
            self._links.learn(row[0].split(), success=success)

    def _offer(self, page: int, neighbour: Neighbour, *, high: bool) -> None:
        """A page links to another site."""
        host = self._keys.request(neighbour.home).host
        words = " ".join(site_words(host, neighbour.text))
        self._connection.execute(_OFFER, (host, neighbour.home, words, page, high))
        self._connection.execute("INSERT INTO site_link VALUES (?, ?) ON CONFLICT DO NOTHING", (page, host))

    def _explored(self, task: Task, forms: int, admission: Admission) -> None:
        """Count a page of a site, and leave the site early if one of the limits is reached."""
        options, site, depth = self._options, task.site, task.depth
        at_depth, forms_at_depth = self._connection.execute(_COUNT, (site, depth, forms)).fetchone()
        barren, found = self._connection.execute(_PAGE, (forms, bool(forms), bool(forms), site)).fetchone()
        if forms and found == forms:  # its first: what it links to, and what stands beside it, is worth a look
            self._connection.execute(_RAISE, (site, admission.host(site).id))
        if options.barren_pages and barren >= options.barren_pages:
            self._leave(site, f"{barren} pages without a new form")
        elif options.depth_pages and at_depth >= options.depth_pages:
            self._leave(site, f"{at_depth} pages at depth {depth}", depth)
        elif options.depth_forms and forms_at_depth >= options.depth_forms:
            self._leave(site, f"{forms_at_depth} forms at depth {depth}", depth)

    def _leave(self, site: str, reason: str, depth: int | None = None) -> None:
        """Let nothing more of a site go out; of one depth only, if one is given."""
        if depth is None:
            self._end(site, reason)
        else:
            query = "UPDATE site_depth SET reason = ? WHERE host = ? AND depth = ?"
            self._connection.execute(query, (reason, site, depth))

    def _drop_left(self, site: str, admission: Admission) -> None:
        """What waits of a site that was left is refused, also what pages brought that were out at the time."""
        for number, reason in self._connection.execute(_LEFT, (admission.host(site).id, site, site)).fetchall():
            if admission.known.drop(number, f"site left: {reason}"):
                self._connection.execute("DELETE FROM link_words WHERE task = ?", (number,))

    def _end(self, site: str, reason: str) -> None:
        self._exploring.discard(site)
        self._unseen.discard(site)
        query = "UPDATE site SET state = 'done', reason = ? WHERE host = ? RETURNING words, forms"
        words, forms = self._connection.execute(query, (reason, site)).fetchone()
        self._sites.learn(words.split(), success=forms > 0)

    def settle(self, admission: Admission) -> None:
        """Sites that have nothing left are done, and the next ones are chosen."""
        admission.write()
        # A home page may also turn out to be one that is there, without a request for it.
        for site in sorted(self._visited | self._unseen):
            if site in self._exploring:
                if 0 < self._host_pages <= admission.host(site).spent:
                    self._end(site, f"host_pages {self._host_pages}")
                elif self._connection.execute(_BUSY, (admission.host(site).id,)).fetchone() is None:
                    self._end(site, _EXPLORED)
            self._drop_left(site, admission)
        self._visited.clear()
        self._worth.rank_again()
        if len(self._unseen) <= AT_ONCE // 2:
            self._choose_sites(admission)
        self._reverse.search(self._connection, self._last, admission)

    def _choose_sites(self, admission: Admission) -> None:
        """Let the best sites wait with the links. The queue of high priority is refilled if empty."""
        for high in (True, False):
            rows = self._connection.execute(_CANDIDATES, (high,)).fetchall()
            usual = self._worth.usual(high=high)
            ranked = [
                (self._worth.of_site(words.split(), linking, usual) if brought is None else of_known(brought), home)
                for home, words, linking, brought in rows
            ]
            for priority, home in nlargest(AT_ONCE - len(self._unseen), ranked):
                admission.seed(self._keys.request(home), priority, anew=True)
            if rows:
                break

    def written(self, admission: Admission) -> None:
        states = [("sites", self._sites.dump()), ("links", self._links.dump())]
        self._connection.executemany(
            "INSERT INTO likeness VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state", states
        )
        self._told = {}
