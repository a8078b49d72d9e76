"""What is collected here."""

from __future__ import annotations

collect_ignore = ["acme.py"]  # a package from outside: only what installs it may import it
