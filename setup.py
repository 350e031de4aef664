"""What pyproject.toml cannot say: the one part of dowse that is compiled.

dowse works without it: where there is no compiler, plain crawls take half as long again.
"""

from setuptools import Extension, setup

scan = Extension("dowse.parse._scan", ["src/dowse/parse/_scan.c"], optional=True, py_limited_api=True)

setup(ext_modules=[scan], options={"bdist_wheel": {"py_limited_api": "cp311"}})
