"""The example notebook runs from its first cell to its last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "examples" / "site_as_data.ipynb"

_RUN = """
import sys, nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
"""


def test_the_notebook_runs_without_a_network(tmp_path: Path) -> None:
    # A process of its own: a notebook's client leaves threads and sockets behind, which would be taken for our leaks.
    private = {name: str(tmp_path) for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-c", _RUN, str(NOTEBOOK), str(tmp_path), str(tmp_path / "ran.ipynb")]
    variables = os.environ | private | {"PATH": path}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=55, check=False)
    assert done.returncode == 0, done.stderr[-3_000:]
    ran = json.loads((tmp_path / "ran.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in ran["cells"] for output in cell.get("outputs", [])]
    shown = [kind for output in outputs for kind in output.get("data", {})]
    assert shown.count("image/png") == 2, "two drawings"
    assert shown.count("text/html") >= 5, "tables"
    assert outputs[-1]["data"]["text/plain"] == ["True"]


def test_the_notebook_is_kept_without_what_it_printed() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert not [cell for cell in cells if cell["outputs"] or cell["execution_count"]]
