"""Whether what dowse has in C can be compiled here, and so has to be there."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest

_HAS_COMPILER = shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]) is not None
_HAS_HEADERS = Path(sysconfig.get_path("include"), "Python.h").exists()  # Debian has them in python3-dev
_HAS_STABLE_ABI = not sysconfig.get_config_var("Py_GIL_DISABLED")

needs_compiler = pytest.mark.skipif(
    not (_HAS_COMPILER and _HAS_HEADERS and _HAS_STABLE_ABI), reason="nothing to compile it with"
)
