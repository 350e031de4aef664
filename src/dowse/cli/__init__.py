"""The command line: a thin face over `dowse.app`."""
