"""The nouns of a crawl, in the order they come to life.

    Job -> Task -> Request -> Response -> Page -> Verdict + Records -> Outcome -> Tasks

`Job` and `Record` have files of their own; `Page` and `Verdict` live and die inside a worker (parse/, engine/).

All of them are frozen values. They are msgspec structs because the hot ones (`Request`, `Candidate`) are made a hundred
times a page and cross process borders: built in a tenth of the time of frozen dataclasses, and packed as bare arrays.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from msgspec import Struct

from dowse.core.duplicates.twins import Compared, Twin
from dowse.core.record import Record
from dowse.core.rendered_pages import Rendered
from dowse.core.revisits.differences import Difference
from dowse.core.revisits.server_signs import Said
from dowse.core.robots_answers import RobotsAnswer
from dowse.core.usage import Statement

SITEMAP, PAGING = "sitemap", "paging"
"""The labels of lists of URLs (sitemaps and feeds), which are no pages, and of further pages of a list of any kind."""

CHOSEN = 1e6
"""The priority, where links are ranked, of what needs none: a seed, and where a page that was chosen has moved to."""

KEPT = "kept"
"""Why a link that the strategy keeps is not visited: it is a result."""

NO_RULE = "no rule takes it"
"""Why a link is not visited that the strategy left: no rule for its page keeps or follows it."""

WORTH_LESS = "worth less than"
"""Why a link is dropped that is worth too little to the ranker; how little is too little follows."""

NOT_BEST = "not the best link of its page"
"""Why a link is dropped that its ranker wants under no circumstances."""


class State(IntEnum):
    """Where a discovered URL stands. Every URL is in exactly one state, so the ledger balances.

        WAITING -> OUT -> FETCHED | DUPLICATE | OUT_OF_SCOPE | ROBOTS | FAILED
                    |
                    +-> WAITING again (a retry with a later date)

    NOT_REACHED is not stored: it is what WAITING is called once a crawl has stopped at a limit. KEPT is a result
    of a rule that nobody wants visited.
    """

    WAITING = 0
    OUT = 1
    FETCHED = 2
    DUPLICATE = 3
    OUT_OF_SCOPE = 4
    ROBOTS = 5
    FAILED = 6
    NOT_REACHED = 7
    KEPT = 8


class FailureKind(StrEnum):
    """Short stable names for what can go wrong with one URL; the retry dates hang on them.

    >>> str(FailureKind.TIMEOUT)
    'timeout'
    """

    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    ROBOTS = "robots"
    SCOPE = "scope"
    BLOCKED_ADDRESS = "blocked_address"
    HTTP = "http"
    PROTOCOL = "protocol"
    REDIRECT = "redirect"
    MEDIA_TYPE = "media_type"
    USAGE = "usage"
    PARSE = "parse"
    CRASH = "crash"
    MACHINE = "machine"
    NODE = "node"
    LOGIN = "login"
    CALLBACK = "callback"
    INTERNAL = "internal"


class Request(Struct, frozen=True, gc=False, array_like=True):
    """One thing to ask a server for.

    `url` is what is requested; `key` is its normal form ("" when the two are equal) and `key_hash` the 64-bit number by
    which two requests are the same: method and body count in both, headers do not (core/url_keys.py makes them). All of
    it is stored, so no header may hold a secret. `types` is what the mode calls the page, if steps in the browser ask;
    of a requisite (core/task_labels.py) any media type is taken, and it is never rendered; `filling`: core/steps.py.

    >>> from msgspec.structs import replace
    >>> request = Request("https://example.org/", 1, "example.org")
    >>> replace(request, headers=(("Accept-Language", "de"),)).headers
    (('Accept-Language', 'de'),)
    """

    url: str
    key_hash: int
    host: str
    key: str = ""
    method: str = "GET"
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    types: tuple[str, ...] = ()
    is_requisite: bool = False
    filling: object = None

    @property
    def normal_form(self) -> str:
        """The URL by which it is told from others."""
        return self.key or self.url

    @property
    def is_plain(self) -> bool:
        """Whether the URL says all by which it is told from other requests."""
        return self.method == "GET" and not self.body


class Task(Struct, frozen=True, gc=False, array_like=True):
    """One row of the frontier on its way to a worker.

    `site` is the host the walk that led here belongs to: a seed's own host, or the one the seed redirected to. `chain`
    counts the pages in a row, up to this one, that led only to more of the same shape. `before` says where the answer
    of the last visit is archived (core/archive.py), `usage` what it said of its use. A task with a `body` is not
    fetched: its page was, and is read again from there (see core/archive.py). One with a `twin` is compared with it
    (see core/url_spellings.py). `hint` is what the strategy that wanted it sent along; nobody else looks into it.

    >>> task = Task(1, Request("https://example.org/", 1, "example.org"), "example.org", depth=2)
    >>> task.depth, task.hint
    (2, b'')
    """

    id: int
    request: Request
    site: str
    label: str = ""
    depth: int = 0
    priority: float = 0.0
    parent: int = 0
    attempt: int = 0
    redirects: int = 0
    chain: int = 0
    etag: str = ""
    last_modified: str = ""
    digest: int = 0
    body: str = ""
    twin: Twin | None = None
    before: str = ""
    hint: bytes = b""
    usage: str = ""


def is_seed(task: Task) -> bool:
    """Whether the user named it, or a page they named redirected there."""
    return task.depth == 0 and task.label != SITEMAP and task.label != PAGING


class Failure(Struct, frozen=True, gc=False, array_like=True):
    """Expected trouble, as a value; `status` and `retry_after` (in seconds) are what the server said, if it did.

    >>> Failure(FailureKind.TIMEOUT, "no answer within 30 s").kind
    <FailureKind.TIMEOUT: 'timeout'>
    """

    kind: FailureKind
    detail: str = ""
    retry_after: float | None = None
    status: int = 0


class Response(Struct, frozen=True):
    """What a server answered. Header names are lower case; repeated headers are joined with a comma.

    `head` is the status line and the headers as they came, for the archive, and `sent` the headers that were sent to
    get it, without secrets. Either may be empty. `is_cut`: the page goes on, and this is its first part. `usage` is
    what robots.txt says of its use. `sitemaps` are those that it names, told with the first page of an origin.

    >>> request = Request("https://example.org/", 1, "example.org")
    >>> answer = Response(request, 200, {"content-type": "text/html"}, b"<h1>hello", fetched_at=0.0, elapsed=0.1)
    >>> answer.status, answer.headers["content-type"]
    (200, 'text/html')
    """

    request: Request
    status: int
    headers: dict[str, str]
    body: bytes
    fetched_at: float
    elapsed: float
    address: str = ""
    size: int = 0
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] | None = None
    rendered: Rendered | None = None
    records: tuple[Record, ...] = ()
    head: bytes = b""
    sent: bytes = b""
    is_cut: bool = False
    usage: tuple[Statement, ...] = ()


class Candidate(Struct, frozen=True, gc=False, array_like=True):
    """A link or another request worth a decision. `refused` names the rule that said no; empty: it may be fetched.

    `hint` travels with the task that is made of it, `why` is for `dowse why`. Of two candidates for one request the
    first that is let in has its say. `is_link` is false for what a strategy wants that the page does not link to.
    `said` is what a sitemap or feed says of it.
    """

    request: Request
    anchor: str = ""
    priority: float = 0.0
    label: str = ""
    refused: str = ""
    hint: bytes = b""
    why: str = ""
    is_link: bool = True
    said: Said | None = None


class Judged(Struct, frozen=True, array_like=True):
    """How relevant a page is, from which parts, and what a `Ranker` (core/protocols.py) learns from it.

    `evidence` is about the page, `hints` about its links: as many records of one size as there are choices, in the
    order of the outcome's candidates. What is in them is between the strategy and its ranker.
    """

    relevance: float
    parts: dict[str, float] = {}
    evidence: bytes = b""
    hints: bytes = b""


class Outcome(Struct, frozen=True, array_like=True):
    """All that came of one task. What is not in an outcome did not happen.

    `requested` is false when no request was sent (robots.txt said no first), so that politeness charges nothing for it.
    `redirect` is the place the server sent us to: a task of its own, so that scope, robots and the visited-URL test
    hold for every hop. A `partial` outcome brings the first candidates of a long list (a sitemap), or the failure that
    holds it up (a full disk); the task is still out and more will come. `body` says where the answer is archived
    (core/archive.py). `passages` (packed) and `canonical` (the key of the URL that the page says it
    should have) are there only for crawls that look for near-duplicates. `links_dropped` says how many links the page
    had beyond those that are read of one. `compared` is what a comparison with its task's twin said, if there was one.
    `note` is what is remarkable about a page that was fetched, `notice` what the user should hear at once. `proposed`
    are the requests that the strategy wants besides the links it chose; `evidence` is what else it sends home, for its
    own mode alone. `usage` is what the site wants the page used for (core/usage.py). `robots` are answers to requests
    for robots.txt that were archived since the last outcome of this worker. `requisites` are what the page needs to be
    shown, where somebody wants that fetched, `difference` how it differs from the copy that there was, where both are
    HTML. `fresh_until` is how long its server says it is good, if the page was known.
    """

    task: Task
    fetched_at: float
    elapsed: float = 0.0
    requested: bool = True
    status: int = 0
    failure: Failure | None = None
    redirect: Candidate | None = None
    candidates: list[Candidate] = []
    media_type: str = ""
    charset: str = ""
    declared: str = ""
    title: str = ""
    size: int = 0
    digest: int = 0
    etag: str = ""
    last_modified: str = ""
    unchanged: bool = False
    noindex: bool = False
    partial: bool = False
    crawl_delay: float | None = None
    body: str = ""
    rendered: Rendered | None = None
    records: list[Record] = []
    passages: bytes = b""
    canonical: int = 0
    judged: Judged | None = None
    links_dropped: int = 0
    compared: Compared = Compared(None)
    note: str = ""
    notice: str = ""
    proposed: list[Candidate] = []
    evidence: bytes = b""
    usage: str = ""
    robots: list[RobotsAnswer] = []
    requisites: list[Candidate] = []
    difference: Difference | None = None
    fresh_until: float = 0.0
