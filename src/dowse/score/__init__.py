"""Text to number: how much a text has to do with a topic. Pure."""
