"""One local HTTP API: how people and tools see the table."""

from controller.api import codes

__all__ = ["codes"]
