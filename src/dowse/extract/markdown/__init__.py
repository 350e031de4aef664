"""The main content of a page as Markdown and as plain lines."""
