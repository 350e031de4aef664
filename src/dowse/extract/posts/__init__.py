"""Forum pages to threads and boards: posts by their structure, on software that nobody has described."""
