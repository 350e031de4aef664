"""What a table of rules asks for."""
