"""The numbers of all blocks of the pure rooms: the same for everybody who counts them in the same sources."""

from __future__ import annotations

import ast
from pathlib import Path

from tools.covered import ROOT, pure_modules
from tools.mutants.blocks import marked

__all__ = ["ROOT", "BlockMap", "files", "modules", "places"]


def modules() -> list[str]:
    """Returns the pure modules and packages."""
    return pure_modules((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def places() -> list[str]:
    """Returns the folders and files of the pure rooms, whose docstrings have tests too."""
    rooms = [module.replace(".", "/") for module in modules()]
    return [place if (ROOT / place).is_dir() else f"{place}.py" for place in rooms]


def files() -> list[str]:
    """Returns the files of the pure rooms.

    >>> "controller/money.py" in files()
    True
    """
    paths: set[Path] = set()
    for module in modules():
        place = ROOT / module.replace(".", "/")
        paths |= set(place.rglob("*.py")) if place.is_dir() else {place.with_suffix(".py")}
    return sorted(str(path.relative_to(ROOT)) for path in paths)


class BlockMap:
    """The blocks of every file."""

    def __init__(self) -> None:
        self.count = 0
        self.modules: dict[str, str] = {}  # the file of each module
        self._trees: dict[str, ast.Module] = {}
        self._blocks: dict[str, dict[int, int]] = {}
        self._spans: dict[str, tuple[int, int]] = {}
        for file in files():
            source = marked((ROOT / file).read_text(encoding="utf-8"), self.count)
            self.modules[module_name(file)] = file
            self._trees[file], self._blocks[file] = source.tree, source.blocks
            self._spans[file] = (self.count, source.size)
            self.count += source.size

    def tree(self, file: str) -> ast.Module:
        """Returns a module with its blocks marked."""
        return self._trees[file]

    def block(self, file: str, line: int) -> int | None:
        """Returns the block that a line belongs to; None when it is in no function."""
        return self._blocks[file].get(line)

    def within(self, file: str) -> int:
        """Returns the blocks of a file, a bit for each."""
        first, count = self._spans[file]
        return ((1 << count) - 1) << first


def module_name(file: str) -> str:
    """Returns the name that a file is imported by.

    >>> module_name("controller/poker/__init__.py"), module_name("controller/money.py")
    ('controller.poker', 'controller.money')
    """
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
