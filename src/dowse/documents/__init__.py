"""Documents that are no HTML (PDF, office files, e-books) as HTML: read in a process of its own, within limits."""
