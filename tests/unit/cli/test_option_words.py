"""Messages about a job name options as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest

import dowse
from tests.commands import invoke
from tests.servers import Site

Capture = pytest.CaptureFixture[str]

REFUSED = [
    (("-i", "nolist"), "-i/--seeds-from: nolist: No such file or directory"),
    (("--ready", ".x"), "--ready: only for rendered pages; add --fetch browser, or --fetch auto"),
    (("--include", "("), "--include: '(' is not a regular expression"),
    (("--on", "x"), "--on: nothing to extract from these pages; name a field, such as --extract 'title=//h1'"),
    (("--sign-key", "file:x"), "--sign-key and --signature-agent belong together"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_a_command_names_options_as_they_are_typed(
    tmp_path: Path, capsys: Capture, words: tuple[str, ...], said: str
) -> None:
    ended = invoke(capsys, "site", "http://127.0.0.1:9/", "-o", tmp_path / "out", *words)
    assert ended.code == 2
    assert ended.err.startswith(f"dowse: error: {said}")


def test_a_job_file_and_a_password_in_a_url(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "job.toml"
    file.write_text('mode = "site"\nseeds = ["http://127.0.0.1:9/"]\nready = ".x"\n')
    assert f"{file}: ready: only for rendered pages; add fetch = 'browser'" in invoke(capsys, "run", file).err
    with_password = invoke(capsys, "site", "http://me:secret@127.0.0.1:9/", "-o", tmp_path / "out").err
    assert "; use --auth 'USER:PASSWORD'\n" in with_password


def test_python_names_them_as_keywords(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    with pytest.warns(UserWarning, match="^store_only matches none of 1 page, so none is stored"):
        dowse.site(site.url, delay=0.0, store_only="nothing", output=tmp_path / "out")
    with pytest.raises(dowse.JobError, match="ready: only for rendered pages; add fetch = 'browser'"):
        dowse.site(site.url, ready=".x", output=tmp_path / "other")
