"""A bundled sample web site on 127.0.0.1, for the demo and the tutorials."""

from dowse.demo.server import DemoSite

__all__ = ["DemoSite"]
