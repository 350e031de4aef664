"""The crawl of a forum: its boards and threads, and nothing else."""
