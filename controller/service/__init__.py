"""One running table: its engine, its devices, what they show, and its prize meter."""

from controller.service import codes

__all__ = ["codes"]
