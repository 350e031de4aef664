"""Pages to records: what a page says, taken by rule."""
