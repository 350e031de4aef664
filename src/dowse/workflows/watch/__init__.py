"""Crawls that are visited again by a schedule, and the people and programs that are told what changed."""
