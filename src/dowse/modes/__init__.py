"""The modes: a folder each."""
