"""What is wrong with a PostgreSQL server and not with the program, by the codes of its errors."""

from __future__ import annotations

import psycopg

from dowse.store.database import Trouble

_BY_CODE = {
    "53100": Trouble.FULL,
    "58030": Trouble.FULL,
    "53300": Trouble.AWAY,  # too many connections
    "55P03": Trouble.BUSY,
    "40001": Trouble.BUSY,
    "40P01": Trouble.BUSY,
    "25006": Trouble.READ_ONLY,
    "42501": Trouble.READ_ONLY,
    "57P01": Trouble.AWAY,
    "57P02": Trouble.AWAY,
    "57P03": Trouble.AWAY,
    "57P05": Trouble.AWAY,
}
_BY_CLASS = {"08": Trouble.AWAY, "53": Trouble.FULL, "58": Trouble.AWAY, "XX": Trouble.DAMAGED}


def trouble_of(error: psycopg.Error, *, is_broken: bool) -> Trouble | None:
    """None where the mistake is in a statement. `is_broken`: the connection is gone."""
    code = error.sqlstate
    if code is None:
        return Trouble.AWAY if is_broken else None
    found = _BY_CODE.get(code) or _BY_CLASS.get(code[:2])
    return Trouble.AWAY if is_broken else found
