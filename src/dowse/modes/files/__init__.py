"""The files of some types."""
