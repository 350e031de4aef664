"""What a mode is: one object with all that belongs to one kind of crawl.

    options     the options that only it has          -> command, Python function, job file, manual
    check       refuses a job that cannot be run
    identity    options that must stay in a crawl that has begun
    prepare     reads what the crawl needs, once      -> a briefing of plain values
    seeds       the first URLs
    strategy    page -> verdict, made in every worker from job and briefing alone
    bookkeeping  its part of every commit, in tables of its own; a ranker learns there
    lease_policy  which waiting task goes out next
    tables      tables that only its crawls have      -> crawl.NAME, dowse export
    results     the results as one value              -> terminal, --json
    exhibits    curves, graphs and listings of them   -> the report, the web page
    story       its lines of `dowse why`

Only `strategy` has no default. A mode is imported when it is asked for, by the command line too; so its module imports
nothing but its options at the top, and the rest where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from dowse.core.briefing import NOTHING, Briefing, Watch
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.results import Results
from dowse.settings import Setting, Value, settings_of

if TYPE_CHECKING:
    from dowse.core.exhibits import Exhibit
    from dowse.core.scope import ScopeException
    from dowse.crawl import Crawl
    from dowse.engine.loop import Listener
    from dowse.engine.verdict import Strategy
    from dowse.parse.page import Page
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.frontier.lease_policy import LeasePolicy
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.stories import Story
    from dowse.store.reading.tables import Table

O = TypeVar("O", bound=Struct)  # noqa: E741

Tell = Callable[[str], None]
"""Takes a sentence for the user."""


class Seed(NamedTuple):
    """A URL to begin with. `hint` comes back to the strategy with its task.

    >>> Seed("https://example.org/", hint=b"1").hint
    b'1'
    """

    url: str
    priority: float = 0.0
    hint: bytes = b""


PAGES = "pages"


class Mode(Generic[O]):
    """The base of all modes; its docstring is the help of its command.

    >>> dowse.open("example").mode.name
    'site'
    """

    name: str
    """As it is written everywhere: `dowse NAME`, `dowse.NAME(...)`, `mode = "NAME"`."""

    options: type[O]
    """The options that only its jobs have: fields with an `Option` each (core/job.py)."""

    defaults: Mapping[str, Value] = {}
    """Its own defaults of options that all modes have."""

    start: str = ""
    """The option that the first argument fills; "" if the first argument is the seeds."""

    arguments: tuple[str, ...] = ()
    """Options that may be given by their place in Python, after the first argument."""

    command: tuple[str, ...] = ()
    """The words of its command, if they are not just its name. `hidden` modes have no command."""

    hidden: bool = False

    compares: str = ""
    """The option whose values `dowse simulate` compares: the rankers of the mode."""

    usual: tuple[str, ...] = ()
    """Its options that people give most; a form shows them first."""

    page_kinds: str = ""
    """A query for pages and what kind each is, as SQL: `task` and `kind`. The link graph is filtered by it."""

    identity: tuple[str, ...] = ()
    """Its options that must stay as they are in a crawl that has begun."""

    tables: tuple[str, ...] = ()
    """The names of the tables that only its crawls have."""

    outputs: tuple[str, ...] = ()
    """The names of files and folders that its crawls write beside their database."""

    result_table: str = "pages"
    """The table with the results."""

    finds: str = PAGES
    """What its results are, in the plural, and what its visits are called, for `dowse evaluate`."""

    visits: str = "pages fetched"

    lack: str = ""
    """What a crawl of another mode lacks; told to a user who asks it for a table of this mode."""

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every option of its jobs."""
        return settings_of(self.options, self.defaults)

    def of(self, job: Job) -> O:
        """The options of a job of this mode."""
        assert isinstance(job.options, self.options), f"{job.mode} is not {self.name}"
        return job.options

    # Before a crawl

    def check(self, job: Job) -> None:
        """Raise JobError, with the name of the option, if the job cannot be run as it is written."""

    def check_change(self, before: Job, after: Job, changed: Iterable[str]) -> None:
        """Raise JobError, with the name of the option, if one of the `changed` options of a crawl that has begun must
        stay as it is."""
        names = [name for name in self.identity if getattr(before.options, name) != getattr(after.options, name)]
        if before.store.requisites != after.store.requisites:
            names.append("requisites")  # those of the pages that are there were not looked for
        if names:
            raise JobError(f"{', '.join(names)}: cannot be changed in a crawl that has begun; start a new one")

    def folder(self, options: Mapping[str, Any]) -> str:
        """The name of the folder of a crawl whose user named none; "" names it after the first seed's host."""
        return ""

    def prepare(self, job: Job, stored: Briefing | None, tell: Tell) -> Briefing:
        """Read what the crawl needs. `stored` is the briefing of a crawl that goes on; None when it begins now."""
        return stored or NOTHING

    def problems(self, job: Job, briefing: Briefing) -> tuple[list[str], list[str]]:
        """Errors and warnings about the briefing, for the user. Even with an error the crawl goes on."""
        return [], []

    def current_seeds(self, crawl: Crawl) -> tuple[str, ...]:
        """The seeds of a crawl that has begun, as they are now."""
        return crawl.job.seeds

    def seeds(self, job: Job, briefing: Briefing) -> Sequence[Seed]:
        """Where it begins: the URLs that the user gave, unless the mode knows better."""
        return [Seed(url) for url in job.seeds]

    # The crawl

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        """The judge of pages; made in every worker, from these two values alone."""
        raise NotImplementedError

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        """What is told of all that happens, inside of the transactions. The store opens it."""
        return []

    def lease_policy(self, job: Job) -> LeasePolicy:
        """Chooses what goes out next: here hosts take turns, and pages near a seed go before those farther from it."""
        from dowse.store.frontier.lease_by_host import ByHost

        return ByHost(by_level=True)

    def scope_exception(self, job: Job) -> ScopeException | None:
        """URLs that are wanted although the scope would refuse them."""
        return None

    def watch(self, job: Job) -> Watch | None:
        """Notices when the briefing has changed while the crawl runs."""
        return None

    def live_outputs(self, job: Job, listener: Listener) -> LiveOutput | None:
        """Files that grow in the folder while the crawl runs."""
        return None

    # What came of it

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        """One of the tables that only its crawls have: `reader.query_table(SQL, values)` makes one of a query."""
        raise NotImplementedError

    def page_columns(self, reader: CrawlReader, job: Job) -> PageColumns | None:
        """Further columns of the table of pages."""
        return None

    @property
    def view_type(self) -> type | None:
        """A class whose public names become names of its crawls in Python. It is made with the crawl."""
        return None

    def view(self, crawl: Crawl) -> Any:
        """Such an object for a crawl."""
        return self.view_type(crawl) if self.view_type is not None else None

    def results(self, crawl: Crawl) -> Results:
        """What was found, as one value that the terminal, `--json` and Python show."""
        return Results()

    def exhibits(self, crawl: Crawl) -> Iterable[Exhibit]:
        """What only its crawls have to show, as values that the report draws."""
        return ()

    def questions(self, job: Job) -> int:
        """How many pages a person is to be asked about, while the crawl runs or when it has ended."""
        return 0

    def takes_labels(self, job: Job) -> bool:
        """Whether a person can say of its pages if they are on topic (`Crawl.label`)."""
        return False

    def matched_from(self, job: Job) -> float:
        """From which relevance a page of a simulation counts as found."""
        return 0.5

    def fitting(self, job: Job, pages: Iterable[tuple[str, Page]]) -> set[str]:
        """The pages that fit a job best: labels for a simulation without labels."""
        raise JobError(f"truth: nothing says which pages a crawl by {self.name} should find; give labels with --truth")

    def measured(self, crawl: Crawl) -> tuple[list[tuple[str, float]], float]:
        """The pages in the order of the crawl, with their relevance, and the least relevance of a result. They are
        compared with labels. If the mode finds something else than pages, its results. Raises JobError if they have
        no URL."""
        table = crawl.frame(self.result_table)
        if "url" not in table.columns:
            raise JobError(f"truth: the results of a crawl by {self.name} are no pages; labels cannot measure them")
        results = dict.fromkeys(row["url"] for row in table)
        if self.finds != PAGES:
            return [(url, 1.0) for url in results], 0.5
        pages = [row["url"] for row in crawl.pages]
        fetched = set(pages)
        unfetched = [url for url in results if url not in fetched]
        return [(url, float(url in results)) for url in (*pages, *unfetched)], 0.5

    def story(self, crawl: Crawl, number: int) -> dict[str, Any]:
        """Facts about one URL, for programs."""
        return {}

    def story_lines(self, story: Story) -> Iterable[tuple[str, str]]:
        """The same for people, as names and values. `story.facts` has what the method `story` returned."""
        return ()


class LiveOutput:
    """Listens to a crawl, lets files follow its tables, and passes every event on."""

    def __call__(self, event: Any) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class PageColumns(NamedTuple):
    """Columns for the table of pages, as SQL: the columns, and the joins they need."""

    select: str
    join: str


__all__ = ["NOTHING", "Briefing", "LiveOutput", "Mode", "PageColumns", "Seed", "Tell"]
