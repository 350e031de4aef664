"""Pages that are another one, and URLs that make no difference."""
