"""The ways of crawling: a folder each."""
