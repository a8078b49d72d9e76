"""Loads structlog without rich, which it takes where that is installed: the daemon never draws a traceback.

Some fifty modules and their memory are spared so.  Whoever wants rich afterwards gets it.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from types import ModuleType

_modules: MutableMapping[str, ModuleType | None] = sys.modules  # type: ignore[assignment]  # None: not to be found

if "structlog" not in _modules and "rich" not in _modules:
    _modules["rich"] = None
    try:
        import structlog  # noqa: F401
    finally:
        del _modules["rich"]
