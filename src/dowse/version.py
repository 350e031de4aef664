"""The version of dowse, in the one place that the package, the user agent and the command line read it from."""

VERSION = "0.1.0"
