"""One visit: a task becomes a request, a response, a page, a verdict and, in the end, one outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dowse.core.archive import Archive
from dowse.core.briefing import Briefing
from dowse.core.duplicates.fingerprint import checksum
from dowse.core.job import Job
from dowse.core.model import SITEMAP, Candidate, Failure, FailureKind, Outcome, Response, Task, is_seed
from dowse.core.options.store_options import kept_by
from dowse.core.protocols import Fetcher
from dowse.core.redirects import redirect_target
from dowse.core.revisits.conditional_requests import conditional
from dowse.core.scope import Scope
from dowse.core.sitemap_turns import LISTS_FIRST, MOST_SOUGHT, SOUGHT_FIRST, is_missing
from dowse.core.steps import Steps
from dowse.core.task_labels import HEAD, REQUISITE
from dowse.core.urls import Base
from dowse.core.user_agent import product_token
from dowse.engine.document_pages import DocumentPages, of_document
from dowse.engine.earlier_versions import EarlierVersions
from dowse.engine.gate import Gate
from dowse.engine.outcomes import answered, bad_status, failed, is_unwanted, remark
from dowse.engine.patient_archive import Emit, PatientArchive, stored_answer
from dowse.engine.requisite_reader import RequisiteReader
from dowse.engine.session_watch import SessionWatch
from dowse.engine.stated_usage import usage_of, usage_of_file, weighed
from dowse.engine.twin_comparison import TwinComparison
from dowse.engine.unchanged_pages import UnchangedPages
from dowse.engine.verdict import FormFiller, Strategy, as_shown
from dowse.extract.extractors import Extractor
from dowse.extract.state_records import records_of
from dowse.parse.decode import charset_name
from dowse.parse.media import is_html, is_xml_links, media_type
from dowse.parse.page import Page, Reads
from dowse.parse.sitemap import SitemapEntry, SitemapReader

_BATCH = 1000
"""Entries of a sitemap that are told at once, so that a list of fifty thousand is never in memory whole."""


class Worker:
    """Visits tasks. It owns no queue and writes only to its archive: what it has to say is in the outcome."""

    def __init__(
        self,
        job: Job,
        fetcher: Fetcher,
        make_strategy: Callable[[Briefing], Strategy],
        briefing: Briefing,
        scope: Scope,
        gate: Gate,
        extractors: Sequence[Extractor] = (),
        archive: Archive | None = None,
        session: SessionWatch | None = None,
        heard: list[Response] | None = None,
        documents: DocumentPages | None = None,
    ) -> None:
        """`heard` are answers to requests for robots.txt, which somebody else puts there."""
        self._job, self._fetcher = job, fetcher
        self._make_strategy = make_strategy
        self._strategy = make_strategy(briefing)
        self._scope, self._gate = scope, gate
        self._extractors, self._archive = extractors, archive
        self._heard = heard if heard is not None else []
        self._keeper = PatientArchive(archive, self._heard) if archive is not None else None
        self._session, self._documents = session, documents
        self._passages: Callable[[Page], bytes] = lambda _page: b""
        self._near = job.dedup.dedup == "near"
        if self._near:
            from dowse.parse.blocks import packed_passages  # with numpy, which other crawls may not need

            self._passages = packed_passages
        needs_trees = extractors or self._near or session is not None
        self._reads: Reads = "tree" if needs_trees else self._strategy.reads
        self._token = product_token(job.fetch.user_agent)
        self._charset = charset_name(job.fetch.charset)
        self._requisites = RequisiteReader(gate, scope, self._charset) if job.store.requisites else None
        self._keeps = kept_by(job.store)
        self._comparison = TwinComparison(job, fetcher.fetch, archive, self._token)
        self._asks_strategy = Steps(job.fetch.step).ask_for_types or isinstance(self._strategy, FormFiller)
        self._obey = job.politeness.robots == "obey"
        self._uses = job.politeness.use
        self._versions = EarlierVersions(archive, self._charset)
        self._unchanged = UnchangedPages(archive, self._token, self._charset, self._uses)
        # How far an entry of a list is from a seed is not known, so a crawl with a limit on that follows links only.
        self._use_lists = job.politeness.sitemaps and job.limits.depth < 0
        self._seeks = self._use_lists and len(scope.named) <= MOST_SOUGHT

    async def close(self) -> None:
        await self._fetcher.close()
        if self._archive is not None:
            self._archive.close()
        if self._documents is not None:
            self._documents.close()

    def brief(self, briefing: Briefing) -> None:
        """What the crawl goes by has changed; pages that are judged from now on obey it."""
        self._strategy = self._make_strategy(briefing)

    async def visit(self, task: Task, emit: Emit) -> Outcome:
        """Fetch and read one page. Trouble with the page is part of the outcome, never an exception."""
        outcome = await self._visit(task, emit)
        return await self._keeper.keep_heard(outcome, emit) if self._heard and self._keeper else outcome

    async def _visit(self, task: Task, emit: Emit) -> Outcome:
        """Links were asked about when they were found, but what waits may be there for other reasons, and the rules may
        have changed since. So what the user excludes is asked about again here, where every request begins.
        """
        excluded = "" if task.body or is_seed(task) else self._scope.excluded(task.request.url)
        if excluded:
            return failed(task, Failure(FailureKind.SCOPE, excluded), time.time())
        if task.label == SITEMAP:
            return await self._visit_list(task, emit)
        if task.body:
            return await self._read_again(task)
        session = self._session
        answer, outcome = await (self._ask(task) if session is None else self._ask_signed_in(task, session))
        is_kept = outcome.task.label == REQUISITE or self._keeps(task.request.url)
        if answer is None or self._keeper is None or is_unwanted(outcome) or not is_kept:
            return outcome
        before = task.before if outcome.unchanged else ""
        return replace(outcome, body=await self._keeper.keep(task, answer, before, emit))

    async def _ask(self, task: Task) -> tuple[Response | None, Outcome]:
        """Fetch a page, and what comes of it."""
        started = time.time()
        request = conditional(task)
        if self._asks_strategy:
            request = as_shown(request, self._strategy, task)
        answer = await self._fetcher.fetch(request)
        if isinstance(answer, Failure):
            return None, failed(task, answer, started)
        outcome = self._read(task, answer) if answer.status < 300 else self._without_page(task, answer)
        if self._documents is not None and self._documents.takes(outcome):
            page, note = await self._documents.read(answer, self._reads)
            outcome = of_document(self._told_of_page(task, page, outcome.digest) if page else outcome, note)
        outcome = self._versions.compared(task, answer, outcome) if task.digest else outcome
        if task.twin is not None and outcome.digest and not outcome.unchanged:
            outcome = replace(outcome, compared=await self._comparison.compare(answer, task.twin))
        return answer, outcome

    async def _ask_signed_in(self, task: Task, session: SessionWatch) -> tuple[Response | None, Outcome]:
        """The same with a log-in: if that was lost and can be renewed, the page is asked for once more."""
        age = session.age
        answer, outcome = await self._ask(task)
        outcome = session.judge(outcome)
        if not session.is_lost(outcome):
            return answer, outcome
        is_renewed, notice = await session.renew(outcome, age)
        if is_renewed:
            answer, outcome = await self._ask(task)
            outcome = session.judge(outcome)
        return answer, replace(outcome, notice=notice) if notice else outcome

    def _without_page(self, task: Task, answer: Response) -> Outcome:
        if answer.status == 304:
            if task.digest:
                return self._unchanged.outcome(task, answer)
            return answered(task, answer, failure=Failure(FailureKind.PROTOCOL, "304 to a request without conditions"))
        if answer.status >= 400:
            page = Page(answer, self._token, reads="links", charset=self._charset)
            return bad_status(task, answer, page if self._job.store.store_errors else None)
        return self._redirected(task, answer)

    def _redirected(self, task: Task, response: Response) -> Outcome:
        target = redirect_target(response, task.redirects, self._job.fetch.max_redirects)
        if isinstance(target, Failure):
            return answered(task, response, failure=target)
        priority = LISTS_FIRST if task.label == SITEMAP else self._strategy.priority(task.depth)
        return answered(task, response, redirect=self._gate.redirect(target, task, priority, response.status))

    def _read(self, task: Task, response: Response) -> Outcome:
        kind = media_type(response.headers, response.body)
        if task.label == HEAD:  # no page came, only what is said of one
            evidence = self._strategy.judge(Page(response, self._token, kind), task).evidence
            return answered(task, response, media_type=kind, evidence=evidence)
        digest = checksum(response.body, self._job.dedup.checksum)
        if response.is_cut or task.label == REQUISITE:  # the rest of two pages may differ, and of images nobody asks
            digest ^= task.request.key_hash
        if task.digest == digest:
            return self._unchanged.outcome(task, response, digest=digest, media_type=kind)
        if self._requisites is not None and self._requisites.takes(task, kind):
            return self._requisites.read(replace(task, label=REQUISITE), response, kind, digest)
        if is_html(kind):
            return self._judge(task, response, kind, digest)
        if self._scope.refuse_media_type(kind, task.request.url):
            return answered(task, response, failure=Failure(FailureKind.MEDIA_TYPE, kind))
        candidates = []
        if self._use_lists:
            candidates = self._gate.lists(response.sitemaps or (), task, LISTS_FIRST)
            if is_xml_links(kind):
                reader = SitemapReader()
                candidates += self._entries(task, [*reader.feed(response.body), *reader.close()])
        # What the strategy sent a hint to, it wants to hear of, whatever it is.
        evidence = self._strategy.judge(Page(response, self._token), task).evidence if task.hint else b""
        facts = {"digest": digest, "media_type": kind, "note": remark(response, self._keeps(task.request.url))}
        outcome = answered(task, response, candidates=candidates, evidence=evidence, **facts)
        return weighed(outcome, usage_of_file(response, kind, self._token), self._uses)

    async def _read_again(self, task: Task) -> Outcome:
        """Judge the stored body of a page once more, for the new hint of its task or by another strategy."""
        outcome = Outcome(task=task, fetched_at=time.time(), requested=False)
        response = stored_answer(self._archive, task)
        if isinstance(response, Failure):
            return replace(outcome, failure=response)
        page = (await self._documents.read(response, self._reads))[0] if self._documents is not None else None
        return self._told_again(outcome, page or Page(response, self._token, reads=self._reads, charset=self._charset))

    def _told_again(self, outcome: Outcome, page: Page) -> Outcome:
        task = outcome.task
        verdict = self._strategy.judge(page, task)
        asked = self._gate.proposals(verdict.requests, task, nofollow=page.robots.nofollow)
        found = self._gate.choices(verdict.choices, task, nofollow=page.robots.nofollow)
        found += self._gate.left(verdict.left, self._strategy.priority(task.depth + 1), verdict.left_as)
        outcome = replace(outcome, candidates=found, proposed=asked, judged=verdict.judged)
        return replace(outcome, evidence=verdict.evidence, records=[*verdict.records])

    def _judge(self, task: Task, response: Response, kind: str, digest: int) -> Outcome:
        page = Page(response, self._token, kind, reads=self._reads, charset=self._charset)
        if page.trouble:
            return answered(task, response, failure=Failure(FailureKind.PARSE, page.trouble))
        signed_in = self._job.fetch.signed_in
        if signed_in and not page.tree.select(signed_in):
            detail = f"the page does not show {signed_in}: log in again (dowse login), then dowse retry"
            return answered(task, response, failure=Failure(FailureKind.LOGIN, detail))
        return self._told_of_page(task, page, digest)

    def _told_of_page(self, task: Task, page: Page, digest: int) -> Outcome:
        response = page.response
        verdict = self._strategy.judge(page, task)
        is_kept = self._keeps(task.request.url)
        records = [*response.records, *verdict.records, *records_of(page, self._extractors)] if is_kept else []
        nofollow = page.robots.nofollow
        candidates = self._gate.choices(verdict.choices, task, nofollow=nofollow)
        proposed = self._gate.proposals(verdict.requests, task, nofollow=nofollow) if verdict.requests else []
        if verdict.left:
            candidates += self._gate.left(verdict.left, self._strategy.priority(task.depth + 1), verdict.left_as)
        note = ""
        if self._session is not None:
            candidates, note = self._session.look(page, task, candidates)
            proposed = self._session.look(page, task, proposed)[0] if proposed else proposed
        if self._use_lists:
            candidates += self._gate.lists((*(response.sitemaps or ()), *page.feeds), task, LISTS_FIRST)
            if self._seeks and response.sitemaps == () and is_seed(task):
                proposed = [*proposed, self._gate.sought(task)]
        outcome = answered(
            task,
            response,
            digest=digest,
            media_type=page.media_type,
            charset=page.charset,
            declared=page.declared_charset,
            title=page.title,
            candidates=candidates,
            noindex=self._obey and page.robots.noindex,
            records=records,
            passages=self._passages(page),
            canonical=self._gate.key(page.canonical) if self._near else 0,
            judged=verdict.judged,
            links_dropped=page.links_dropped,
            note=note or remark(response, is_kept),
            proposed=proposed,
            evidence=verdict.evidence,
            requisites=self._requisites.of_page(page) if self._requisites is not None and is_kept else [],
        )
        return weighed(outcome, usage_of(response, page.robots.usage), self._uses)

    async def _visit_list(self, task: Task, emit: Emit) -> Outcome:
        reader, entries = SitemapReader(), list[SitemapEntry]()

        def take(chunk: bytes) -> None:
            entries.extend(reader.feed(chunk))
            if len(entries) >= _BATCH:
                emit(Outcome(task=task, fetched_at=time.time(), partial=True, candidates=self._entries(task, entries)))
                entries.clear()

        started, is_sought = time.time(), task.priority == SOUGHT_FIRST
        answer = await self._fetcher.fetch(conditional(task), take)
        if isinstance(answer, Failure):
            return failed(task, answer, started)
        if answer.status >= 300:
            outcome = self._without_page(task, answer)
            return answered(task, answer) if is_sought and is_missing(outcome) else outcome
        entries.extend(reader.close())
        media = "" if is_sought and reader.error else SITEMAP
        return answered(task, answer, media_type=media, candidates=self._entries(task, entries))

    def _entries(self, task: Task, entries: list[SitemapEntry]) -> list[Candidate]:
        base = Base(task.request.url)
        targets = [(entry, target) for entry in entries if (target := base.join(entry.url)) is not None]
        lists = [target for entry, target in targets if entry.kind == SITEMAP]
        pages = [(target, entry.said) for entry, target in targets if entry.kind != SITEMAP]
        priority = self._strategy.priority(task.depth + 1)
        return self._gate.lists(lists, task, LISTS_FIRST) + self._gate.listed(pages, task, priority)
