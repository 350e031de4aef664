"""What takes several crawls, or reads what crawls left."""
