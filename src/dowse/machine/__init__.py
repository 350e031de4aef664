"""What is on this machine: secrets, packages of others, WordNet."""
