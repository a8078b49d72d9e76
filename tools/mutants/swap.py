"""Plants a fault into modules that are imported already: the code of the functions that differ is put in their place.

A function is the same object wherever it was imported to, so its callers run the new code.  What was computed while
modules were imported does not change with it: such a fault needs a new process.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeAlias

from tools.mutants.operators import planted

Place: TypeAlias = tuple[str, str, int]  # file, qualified name, first line


def functions(root: Path) -> dict[Place, list[FunctionType]]:
    """Returns all functions of files below `root` that exist now."""
    every: dict[Place, list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(str(root)):
            every.setdefault(_place(each.__code__), []).append(each)
    return every


def swap(path: Path, number: int, known: dict[Place, list[FunctionType]]) -> bool:
    """Plants a fault; False when that is not possible this way, and then nothing may be done with this process."""
    source = path.read_text(encoding="utf-8")
    new: dict[Place, CodeType] = {}
    for code in _within(compile(planted(source, number), str(path), "exec", dont_inherit=True)):
        if _place(code) in new:
            return False  # two functions in one line
        new[_place(code)] = code
    return _replace(new, known)


def _replace(new: dict[Place, CodeType], known: dict[Place, list[FunctionType]]) -> bool:
    swapped = False
    for place, code in new.items():
        for function in known.get(place, ()):
            if function.__code__ == code:
                continue
            if function.__code__.co_freevars != code.co_freevars:
                return False
            function.__code__ = code
            swapped = True
    return swapped


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _within(code: CodeType) -> Iterator[CodeType]:
    """Yields the code of all functions below a module; comprehensions belong to the function that they are in."""
    for const in code.co_consts:
        if isinstance(const, CodeType):
            if not const.co_name.endswith(("comp>", "genexpr>")):
                yield const
            yield from _within(const)
