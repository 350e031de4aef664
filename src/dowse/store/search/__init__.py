"""The full-text index of a crawl."""
