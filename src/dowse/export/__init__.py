"""Tables of a crawl as files."""
