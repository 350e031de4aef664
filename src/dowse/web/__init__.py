"""The web page: what `dowse serve` shows, and the JSON API under it."""
