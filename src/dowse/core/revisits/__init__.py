"""Pages that are visited again: how often they change, what they are worth, what changed."""
