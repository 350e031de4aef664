"""How fast and how big: dowse measured on real pages beside other crawlers. `python -m benchmarks` runs all of it."""
