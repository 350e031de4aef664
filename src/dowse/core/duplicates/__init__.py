"""Pages that are the same, or nearly: fingerprints, sketches, and what a site repeats."""
