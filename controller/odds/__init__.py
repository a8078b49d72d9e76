"""The house's edge of every wager, exactly, by the rules and pay tables that the table itself settles with."""

from controller.odds import codes

__all__ = ["codes"]
