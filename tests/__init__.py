"""The tests, and the web servers they run against."""
