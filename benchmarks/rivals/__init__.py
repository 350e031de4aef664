"""Programs that crawl the same site in other ways, each run in a process of its own: python -m benchmarks.rivals.NAME URL"""
