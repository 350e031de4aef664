"""Programs that crawl the same site in other ways: python -m benchmarks.rivals.NAME URL"""
