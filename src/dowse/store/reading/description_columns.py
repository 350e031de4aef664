"""The columns of pages that say what each says of itself, from the records that were made of it."""

from __future__ import annotations

from dowse.core.record import ABOUT
from dowse.store.fragments import json_part

COLUMNS = ("description", "canonical", "h1", "language", "words")

SELECTED = "".join(f"{json_part('about.fields', f'$.{name}')} AS {name}, " for name in COLUMNS)
JOINED = f" LEFT JOIN record AS about ON about.task = task.id AND about.kind = '{ABOUT}' AND about.key = ''"
"""What a query for pages has more."""
