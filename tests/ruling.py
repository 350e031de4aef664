"""Rule crawls for tests: a table from a few words, a crawl by it, and what must hold for every such crawl."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from dowse import app
from dowse.app import Crawl
from dowse.config import make_job
from dowse.modes.rules.rule_table import COLUMNS
from tests.crawling import FAST, opened, path_of


def rule(base: str, kind: str, way: str, pattern: str = "", **limits: str) -> dict[str, str]:
    """A row: rule("http://x/", "follow", "base>top", "/a/", tag="main"); `class_` stands for class."""
    from_type, _, to_type = way.partition(">")
    limits = {name.rstrip("_"): value for name, value in limits.items()}
    return {"baseURL": base, "ruleType": kind, "fromType": from_type, "toType": to_type, "pattern": pattern, **limits}


def follow(base: str, way: str, pattern: str = "", **limits: str) -> dict[str, str]:
    return rule(base, "follow", way, pattern, **limits)


def keep(base: str, way: str, pattern: str = "", **limits: str) -> dict[str, str]:
    return rule(base, "keep", way, pattern, **limits)


def write_table(path: Path, *rows: dict[str, str]) -> str:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(COLUMNS), restval="")
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def crawl_by(folder: Path, *rows: dict[str, str], **options: Any) -> Crawl:
    """Crawl by these rules to the end."""
    table = write_table(folder / "rules.csv", *rows)
    return crawl_table(folder / "out", table, **options)


def crawl_table(directory: Path, table: str, **options: Any) -> Crawl:
    app.start(make_job("rules", (), table=table, output=str(directory), **{**FAST, **options}))
    return checked(directory)


def checked(directory: Path) -> Crawl:
    """The crawl in a folder, after checking what holds for all of them."""
    found = opened(directory)
    assert len(list(found.instructions())) == found.status().pages, "as many instructions as pages"
    for file, table in (("keep.csv", found.kept), ("follow.csv", found.followed)):
        with (directory / file).open(encoding="utf-8", newline="") as stream:
            listed = list(csv.DictReader(stream))
        assert [row["url"] for row in listed] == [row["url"] for row in table], f"{file} is what the table is"
    return found


def kept(found: Crawl) -> list[str]:
    return [path_of(row["url"]) for row in found.kept]


def followed(found: Crawl) -> dict[str, str]:
    """Page type by path; several joined by a plus."""
    types: dict[str, str] = {}
    for row in found.followed:
        path = path_of(row["url"])
        types[path] = f"{types[path]}+{row['to_type']}" if path in types else row["to_type"]
    return types
