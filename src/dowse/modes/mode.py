"""What a mode is: one object with all that belongs to one kind of crawl.

    options     what can be asked for                 -> command, Python function, job file, manual
    check       refuses a job that cannot be run
    prepare     reads what the crawl needs, once      -> a briefing of plain values
    seeds       where it begins
    strategy    page -> verdict, made in every worker from job and briefing alone
    bookkeeping what it writes down in the commits of a crawl, in tables of its own
    lease_policy  which of the tasks that wait goes out next
    tables      what only its crawls have             -> crawl.NAME, dowse export
    results     what it found                         -> terminal, --json
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
    """A URL to begin with. `hint` comes back to the strategy with its task."""

    url: str
    priority: float = 0.0
    hint: bytes = b""


class Mode(Generic[O]):
    """The base of all modes; its docstring is the help of its command."""

    name: str
    """As it is written everywhere: `dowse NAME`, `dowse.NAME(...)`, `mode = "NAME"`."""

    options: type[O]
    """What only its jobs have: fields with an `Option` each (core/job.py)."""

    defaults: Mapping[str, Value] = {}
    """Its own defaults of options that all modes have."""

    start: str = ""
    """The option that the first argument fills; "" where that is the seeds."""

    arguments: tuple[str, ...] = ()
    """Options that may be given by their place in Python, after the first argument."""

    command: tuple[str, ...] = ()
    """The words of its command where they are more than its name; `hidden` modes have none."""

    hidden: bool = False

    compares: str = ""
    """The option whose values `dowse simulate` compares: the rankers of the mode."""

    identity: tuple[str, ...] = ()
    """Its options that must stay as they are in a crawl that has begun."""

    tables: tuple[str, ...] = ()
    """The names of the tables that only its crawls have."""

    result_table: str = "pages"
    """The table with what was asked for."""

    lack: str = ""
    """What a crawl of another mode is without, said to whoever asks it for a table of this one."""

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
        if names:
            raise JobError(f"{', '.join(names)}: cannot be changed in a crawl that has begun; start a new one")

    def folder(self, options: Mapping[str, Any]) -> str:
        """The name of the folder of a crawl whose user named none; "" names it after the first seed's host."""
        return ""

    def prepare(self, job: Job, stored: Briefing | None, tell: Tell) -> Briefing:
        """Read what the crawl needs. `stored` is the briefing of a crawl that goes on; None when it begins now."""
        return stored or NOTHING

    def problems(self, job: Job, briefing: Briefing) -> tuple[list[str], list[str]]:
        """Errors and warnings about what was read, for the user: an error costs something, but not the crawl."""
        return [], []

    def current_seeds(self, crawl: Crawl) -> tuple[str, ...]:
        """Where a crawl that has begun would start from now."""
        return crawl.job.seeds

    def seeds(self, job: Job, briefing: Briefing) -> Sequence[Seed]:
        return [Seed(url) for url in job.seeds]

    # The crawl

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        raise NotImplementedError

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        """What is told of all that happens, inside of the transactions. The store opens it."""
        return []

    def lease_policy(self, job: Job) -> LeasePolicy:
        """Chooses what goes out next: here hosts take turns, and pages near a seed go before those farther from it."""
        from dowse.store.frontier.lease_by_host import ByHost

        return ByHost(by_level=True)

    def scope_exception(self, job: Job) -> ScopeException | None:
        """What is wanted although the scope would refuse it."""
        return None

    def watch(self, job: Job) -> Watch | None:
        """Notices when the briefing has changed while the crawl runs."""
        return None

    def live_outputs(self, job: Job, listener: Listener) -> LiveOutput | None:
        """What grows in the folder while the crawl runs."""
        return None

    # What came of it

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        """One of the tables that only its crawls have."""
        raise NotImplementedError

    def page_columns(self, reader: CrawlReader, job: Job) -> PageColumns | None:
        """What the table of pages has besides."""
        return None

    @property
    def view_type(self) -> type | None:
        """What else can be asked of its crawls in Python: the public names of such an object, made with the crawl, are
        names of the crawl."""
        return None

    def view(self, crawl: Crawl) -> Any:
        return self.view_type(crawl) if self.view_type is not None else None

    def results(self, crawl: Crawl) -> Results:
        return Results()

    def fitting(self, job: Job, pages: Iterable[tuple[str, Page]]) -> set[str]:
        """The pages that fit a job best, to measure a simulation by where nobody has labelled any."""
        raise JobError(f"truth: nothing says which pages a crawl by {self.name} should find; give labels with --truth")

    def measured(self, crawl: Crawl) -> tuple[list[tuple[str, float]], float]:
        """The pages of a crawl in the order they were fetched, with their relevance, and from which relevance one is a
        result; to be held against labels."""
        results = dict.fromkeys(row["url"] for row in crawl.frame(self.result_table))
        pages = [row["url"] for row in crawl.pages]
        unfetched = [url for url in results if url not in set(pages)]
        return [(url, float(url in results)) for url in (*pages, *unfetched)], 0.5

    def story(self, crawl: Crawl, number: int) -> dict[str, Any]:
        """What it has to say of one URL, for programs."""
        return {}

    def story_lines(self, story: Story) -> Iterable[tuple[str, str]]:
        """The same for people, as names and values; what `story` said is in the facts of the URL's story."""
        return ()


class LiveOutput:
    """Listens to a crawl, lets files follow its tables, and passes every event on."""

    def __call__(self, event: Any) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class PageColumns(NamedTuple):
    """Columns for the table of pages, as SQL: what is selected, and what is joined for it."""

    select: str
    join: str


__all__ = ["NOTHING", "Briefing", "LiveOutput", "Mode", "PageColumns", "Seed", "Tell"]
