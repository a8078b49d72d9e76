"""The checks, a module for each part of a table; they are run in the order of the modules' names."""

from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    """Puts all checks into the register."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda found: found.name):
        importlib.import_module(f"{__name__}.{module.name}")
