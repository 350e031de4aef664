"""What pyproject.toml cannot say: the parts of dowse that are compiled.

dowse works without them: where there is no compiler, crawls build trees, look words up one by one, and take longer.
Nothing is compiled for Python without its lock, which has no stable ABI before 3.15: setuptools would refuse to install
dowse.
"""

import os
import sysconfig

from setuptools import Extension, setup

is_optional = not os.environ.get("DOWSE_MUST_COMPILE")  # as for wheels, which are made once for many

scan = Extension(
    "dowse.parse._scan",
    [
        f"src/dowse/parse/{name}.c"
        for name in ("_scan", "_anchors", "_anchor_parts", "_tags", "_hrefs", "_text", "_outline")
    ],
    depends=[f"src/dowse/parse/{name}.h" for name in ("_anchors", "_tags", "_hrefs", "_text", "_outline")],
    optional=is_optional,
    py_limited_api=True,
)
words = Extension(
    "dowse.score._words",
    ["src/dowse/score/_words.c", "src/dowse/score/_rows.c"],
    depends=["src/dowse/score/_rows.h"],
    extra_compile_args=["-O3", "-ffp-contract=off"],  # numbers are rounded as numpy does
    libraries=["m"],
    optional=is_optional,
    py_limited_api=True,
)

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    setup()
else:
    setup(ext_modules=[scan, words], options={"bdist_wheel": {"py_limited_api": "cp311"}})
