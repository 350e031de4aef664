"""A crawl as one HTML page with plots."""
