"""The daemon: puts the rooms together, tells the service manager, and ends in order."""

from controller.daemon import codes

__all__ = ["codes"]
