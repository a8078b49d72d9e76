"""Facts and the round: what a table is, without any I/O."""

from controller.table import codes

__all__ = ["codes"]
