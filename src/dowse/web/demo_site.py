"""The demonstration: the sample site, served as long as the page is, and the jobs that crawl it."""

from __future__ import annotations

from threading import Lock

from dowse.config import make_job
from dowse.core.job import Job
from dowse.demo import DemoSite
from dowse.web.served_folders import ServedFolders

_PORT = 8765
"""As `dowse demo --serve` has it, so that a crawl of it can go on another day."""


class DemoCrawls:
    """The site, which is started when it is first asked for."""

    def __init__(self, folders: ServedFolders) -> None:
        self._folders = folders
        self._site: DemoSite | None = None
        self._lock = Lock()

    def jobs(self) -> list[Job]:
        """A crawl by four rules, and one of the whole site that is slow enough to be watched."""
        with self._lock:
            if self._site is None:
                self._site = self._served()
            papers = self._folders.new_folder(self._folders.unused_name("demo-papers"))
            papers.mkdir()
        whole = self._folders.new_folder(self._folders.unused_name("demo-site"))
        table = papers / "rules.csv"
        table.write_text(self._site.rules, encoding="utf-8")
        return [
            make_job("rules", (), table=str(table), output=str(papers), delay=0.0),
            make_job("site", self._site.url, output=str(whole), delay=0.25, extract=["title=//h1", "state=css:.badge"]),
        ]

    def _served(self) -> DemoSite:
        try:
            return DemoSite(_PORT).start()
        except OSError:
            return DemoSite().start()
