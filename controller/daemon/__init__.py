"""The daemon: puts the rooms together, tells the service manager, and ends in order."""

from controller.daemon import plain_log  # isort: skip  # before anything else loads structlog
from controller.daemon import codes

__all__ = ["codes", "plain_log"]
