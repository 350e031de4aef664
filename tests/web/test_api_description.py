"""The API does what its description says, whatever it is asked: examples are made from the description itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from dowse.web.application import make_application
from dowse.web.log_ins import LogIns
from dowse.web.request_checks import Door
from dowse.web.served_folders import ServedFolders
from tests.web_pages import WebPage

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis comes with the extra for checks")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")
answers = pytest.importorskip("schemathesis.checks")

ACTS_ELSEWHERE = r"^/api/(demo|login|logout|builder/(pages|trial)$|builder/pages/\{page_id\}/column)"
"""What starts crawls of a site that is not there, asks other servers for pages, or ends the log-in."""

CHECKS = [
    answers.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


def described() -> dict[str, Any]:
    """The description, without a server."""
    door = Door(8717)
    log_ins = LogIns()
    app = make_application(ServedFolders([Path(__file__).parent]), door, log_ins)
    headers = {"authorization": f"Bearer {log_ins.begin(bearer=True)}", "host": "127.0.0.1:8717"}
    return dict(TestClient(app, headers=headers).get("/api/openapi.json").json())


schema = schemathesis.openapi.from_dict(described()).exclude(path_regex=ACTS_ELSEWHERE)


@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), database=None)
def test_every_answer_is_as_it_is_described(case: Any, looking: WebPage, crawl_ids: dict[str, str]) -> None:
    if case.method == "GET" and "crawl_id" in (case.path_parameters or {}) and not case.path_parameters["crawl_id"][4:]:
        case.path_parameters["crawl_id"] = crawl_ids["whole"]  # else every crawl would be one that is not there
    token = looking.log_ins.begin(bearer=True)
    case.call_and_validate(
        base_url=looking.url, headers={"authorization": f"Bearer {token}"}, checks=CHECKS, timeout=60
    )
