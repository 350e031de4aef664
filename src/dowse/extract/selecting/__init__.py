"""Selectors of the user: XPath and CSS, checked before the crawl, and kept from taking minutes."""
