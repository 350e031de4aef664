"""Where workers run: in this process, or in several."""
