"""What a crawl by worth knows of the links that wait, and what it made of pages."""
