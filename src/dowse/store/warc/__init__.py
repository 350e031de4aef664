"""What servers answered, as WARC files."""
