"""Bytes to pages: media type, charset, tree, links and what a page says about itself."""
