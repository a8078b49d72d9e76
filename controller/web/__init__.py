"""Pages for screens that people look at: read only, and nothing on them that the felt does not show."""

from controller.web import codes

__all__ = ["codes"]
