"""What a job needs before it runs: its seeds, its weights, the code of its user; and the form it is kept in."""
