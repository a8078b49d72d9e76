"""A plugin of pytest that plants one fault: FELT_MUTANT names the file and the number of the fault.

The module is changed while it is imported; nothing is written to disk, so that trials can run side by side.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from tools.mutants.operators import planted

VARIABLE: Final = "FELT_MUTANT"
ROOT: Final = Path(__file__).resolve().parents[2]


class _Loader(SourceFileLoader):
    """Loads a module with the fault in it."""

    def __init__(self, name: str, path: str, number: int) -> None:
        super().__init__(name, path)
        self._number = number

    def get_code(self, fullname: str) -> CodeType:
        """Returns the module's code, with the fault."""
        return compile(planted(Path(self.path).read_text(encoding="utf-8"), self._number), self.path, "exec")


class _Finder(MetaPathFinder):
    """Finds the one module that gets the fault."""

    def __init__(self, file: str, number: int) -> None:
        self._name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._path, self._number = str(ROOT / file), number

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Returns how that module is loaded; None for all others."""
        if name != self._name:
            return None
        return spec_from_file_location(name, self._path, loader=_Loader(name, self._path, self._number))


if VARIABLE in os.environ:
    wanted, _, which = os.environ[VARIABLE].rpartition("#")
    sys.meta_path.insert(0, _Finder(wanted, int(which)))
