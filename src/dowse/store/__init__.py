"""The disk: the frontier and all that a crawl knows, as tables."""
