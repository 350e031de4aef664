"""Explored pages and examples -> rule table."""
