"""A crawl that is on disk, read again: its tables, pages, index, changes, and the files it becomes."""
