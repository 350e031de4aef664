"""What pyproject.toml cannot say: the one part of dowse that is compiled.

dowse works without it: where there is no compiler, plain crawls build trees and take longer. Nothing is
compiled for Python without its lock, which has no stable ABI before 3.15: setuptools would refuse to install dowse.
"""

import sysconfig

from setuptools import Extension, setup

scan = Extension(
    "dowse.parse._scan",
    [f"src/dowse/parse/{name}.c" for name in ("_scan", "_tags", "_text", "_outline")],
    depends=[f"src/dowse/parse/{name}.h" for name in ("_tags", "_text", "_outline")],
    optional=True,
    py_limited_api=True,
)

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    setup()
else:
    setup(ext_modules=[scan], options={"bdist_wheel": {"py_limited_api": "cp311"}})
