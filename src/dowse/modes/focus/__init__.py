"""What is about a topic."""
