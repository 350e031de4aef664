"""A mode with rows and an order of its own, as a package outside of dowse."""
