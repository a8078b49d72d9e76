"""What devices mean at the table: families, readings, and the supervision of each device."""

from drivers import codes

__all__ = ["codes"]
