"""What waits, what is out, what is done: admission, leasing and commits."""
