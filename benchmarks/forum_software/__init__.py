"""Real forum software on loopback with generated content, and the truth of what is in it."""
