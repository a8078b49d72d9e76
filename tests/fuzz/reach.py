"""Which blocks of our modules an input came by, so that a search keeps the inputs that reach something new.

Modules are marked as they are loaded (tools/mutants/blocks.py), so this is switched on before anything of ours is
imported.  A marked module runs at about two thirds of its speed; a tracer would take ten times as long.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from tools.mutants.blocks import HIT, marked

ROOMS: Final = ("controller", "drivers", "firmware_bridge", "hw_sim")


class Reach:
    """The blocks that were come by since it was last asked, and all that ever were."""

    def __init__(self) -> None:
        self.known: set[int] = set()
        self.blocks = 0
        self._now: set[int] = set()

    def switch_on(self) -> None:
        """Marks every module of ours that is loaded from now on."""
        if late := [name for name in sys.modules if name.split(".")[0] in ROOMS]:
            raise RuntimeError(f"imported before they could be marked: {', '.join(late)}")
        setattr(builtins, HIT, self._now.add)
        sys.meta_path.insert(0, _Finder(self))

    def fresh(self) -> int:
        """Returns how many blocks were come by for the first time since it was last asked."""
        new = len(self._now - self.known)
        self.known |= self._now
        self._now.clear()
        return new


class _Finder(MetaPathFinder):
    """Finds our modules."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Returns how a module of ours is loaded; None for all others."""
        if name.split(".")[0] not in ROOMS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(self._reach, spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    """Loads a module whose blocks are marked."""

    def __init__(self, reach: Reach, name: str, path: str) -> None:
        super().__init__(name, path)
        self._reach = reach

    def get_code(self, fullname: str) -> CodeType:
        """Returns the module's code, marked."""
        found = marked(Path(self.path).read_text(encoding="utf-8"), self._reach.blocks)
        self._reach.blocks += found.size
        return compile(found.tree, self.path, "exec", dont_inherit=True)
