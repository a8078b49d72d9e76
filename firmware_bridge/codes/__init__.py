"""What the codes of this package mean, and what to do about each; loaded with the package."""

from firmware_bridge.codes import links, wires

__all__ = ["links", "wires"]
