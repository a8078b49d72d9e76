"""Prize meter systems: pure rules, and where meters are kept."""

from controller.jackpot import codes

__all__ = ["codes"]
