"""Where a forum is to be made and served; whoever starts it tells by FORUM_FOLDER and FORUM_PORT."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(os.environ.get("FORUM_FOLDER", ".")).resolve()
PORT = int(os.environ.get("FORUM_PORT", "0"))
BASE = f"http://127.0.0.1:{PORT}"
