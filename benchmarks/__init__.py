"""How fast and how big: dowse measured on real pages beside other crawlers. `python -m benchmarks` runs all of it."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does
