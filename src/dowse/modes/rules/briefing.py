"""The rules of a crawl as a briefing, and the watch that notices changes of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from dowse.core.briefing import Briefing
from dowse.modes.rules.rule_places import live_rules
from dowse.modes.rules.rule_table import RuleTable

_RULES = "rules"

_decode = msgspec.json.Decoder(RuleTable).decode


def pack_rules(table: RuleTable) -> Briefing:
    return {_RULES: msgspec.json.encode(table)}


def unpack_rules(briefing: Briefing) -> RuleTable:
    return _decode(briefing[_RULES]) if _RULES in briefing else RuleTable(())


class RuleWatch:
    """Sees when the table of a running crawl is another: its own copy, or the one in the database it was given."""

    def __init__(self, name: str, directory: Path, bases: Sequence[str] = ()) -> None:
        self._live = live_rules(name, directory, bases)
        self._table = self._live.current()

    def look(self) -> Briefing | None:
        table = self._live.current()
        if table is self._table:
            return None
        self._table = table
        return pack_rules(table)

    def notice(self) -> str:
        return self._live.notice()

    def close(self) -> None:
        self._live.close()
