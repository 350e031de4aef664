"""Lists without selectors: the items that a page repeats, and their columns."""
