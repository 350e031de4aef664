"""A crawl that was made: its tables, its link graph, its sums."""
