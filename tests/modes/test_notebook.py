"""The example notebook runs from its first cell to its last, and a crawl in a notebook can be interrupted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.crawling import links, opened
from tests.servers import Site

Serve = Callable[..., Site]

NOTEBOOK = Path(__file__).parents[2] / "examples" / "site_as_data.ipynb"

_RUN = """
import sys, nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
"""


_INTERRUPT = """
import sys, time
from pathlib import Path
from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="python3")
try:
    client.execute(f"import dowse; dowse.site({sys.argv[1]!r}, output={sys.argv[2]!r}, delay=0.1, max_time=120)")
    end = time.monotonic() + 60
    while not any(file.stat().st_size for file in Path(sys.argv[2]).glob("warc/*")) and time.monotonic() < end:
        time.sleep(0.1)  # until a page was stored, however slow the machine is
    manager.interrupt_kernel()
    reply = {"msg_type": ""}
    while reply["msg_type"] != "execute_reply":  # answers to what was asked before the kernel was ready may come first
        reply = client.get_shell_msg(timeout=60)
    print(reply["content"]["status"], reply["content"]["ename"], reply["content"]["evalue"], sep="|")
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""


def test_the_interrupt_of_a_kernel_ends_the_cell_when_the_crawl_has_stopped(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(2_000)))})
    site.pages["/*"] = lambda request: links(request.path)
    done = run_alone(tmp_path, _INTERRUPT, site.url, str(tmp_path / "crawl"))
    assert done.returncode == 0, done.stderr[-3_000:]
    status, name, text = done.stdout.strip().split("|")
    assert (status, name) == ("error", "CrawlInterrupted")
    assert text == f"the crawl was stopped; dowse.resume('{tmp_path / 'crawl'}') goes on with it"
    found = opened(tmp_path / "crawl")
    assert (found.stop_reason, found.status().pages) == ("interrupted", len(site.asked()))


def run_alone(folder: Path, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A process of its own: a notebook's client leaves threads and sockets behind, which would be taken for leaks."""
    private = {name: str(folder) for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    variables = os.environ | private | {"PATH": path}
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=180, check=False)


def test_the_notebook_runs_without_a_network(tmp_path: Path) -> None:
    done = run_alone(tmp_path, _RUN, str(NOTEBOOK), str(tmp_path), str(tmp_path / "ran.ipynb"))
    assert done.returncode == 0, done.stderr[-3_000:]
    ran = json.loads((tmp_path / "ran.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in ran["cells"] for output in cell.get("outputs", [])]
    shown = [kind for output in outputs for kind in output.get("data", {})]
    assert shown.count("image/png") == 2, "two drawings"
    assert shown.count("text/html") >= 5, "tables"
    assert outputs[-1]["data"]["text/plain"] == ["True"]
    lines = ["".join(output["data"]["text/plain"]) for output in outputs if output["output_type"] == "display_data"]
    drawn = [line for line in lines if " pages (" in line]
    crawls = sum("".join(cell["source"]).count("dowse.site(") for cell in ran["cells"] if cell["cell_type"] == "code")
    assert len(drawn) == crawls, "one line for a crawl, however often it was drawn"
    assert all(line.endswith((", complete", ", ended by max_pages")) for line in drawn)


def test_the_notebook_is_kept_without_what_it_printed() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert not [cell for cell in cells if cell["outputs"] or cell["execution_count"]]
