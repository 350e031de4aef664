"""What things are: the nouns of a crawl and the pure decisions about them. No I/O, no clock."""
