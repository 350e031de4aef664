"""Where wanted links are: the crawl behind `dowse rules learn`."""
