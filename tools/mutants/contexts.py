"""A plugin of pytest that keeps which blocks of the pure rooms each test comes by, and how long it took.

FELT_REACH is the folder into which that is written: a file for each process that runs tests.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Generator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

import msgspec
import pytest

from tools.mutants.blocks import HIT
from tools.mutants.map import ROOT, BlockMap

VARIABLE: Final = "FELT_REACH"


class Came(msgspec.Struct, frozen=True):
    """A test that passed: how long it took, and the blocks that it came by, a bit for each."""

    test: str
    seconds: float
    blocks: bytes


class _Loader(SourceFileLoader):
    """Loads a module whose blocks are marked."""

    def get_code(self, fullname: str) -> CodeType:
        """Returns the module's code, marked."""
        return compile(_map.tree(str(Path(self.path).relative_to(ROOT))), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Finds the modules of the pure rooms."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Returns how such a module is loaded; None for all others."""
        file = _map.modules.get(name)
        if file is None:
            return None
        return spec_from_file_location(name, str(ROOT / file), loader=_Loader(name, str(ROOT / file)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Notes what a test comes by."""
    _hits.clear()
    _seconds.clear()
    result = yield
    if item.nodeid in _seconds:
        blocks = bytearray(_map.count // 8 + 1)
        for number in _hits:
            blocks[number >> 3] |= 1 << (number & 7)
        _came.append(Came(item.nodeid, _seconds[item.nodeid], bytes(blocks)))
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Notes how long a test took; one that did not pass is left out."""
    if report.when == "call" and report.passed:
        _seconds[report.nodeid] = report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes what was noted."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    (Path(os.environ[VARIABLE]) / f"came-{worker}").write_bytes(msgspec.msgpack.encode(_came))


_came: Final[list[Came]] = []
_seconds: Final[dict[str, float]] = {}
_hits: Final[set[int]] = set()
if VARIABLE in os.environ:
    _map: Final = BlockMap()
    if late := sorted(set(_map.modules).intersection(sys.modules)):
        raise RuntimeError(f"imported before they could be marked: {', '.join(late)}")
    setattr(builtins, HIT, _hits.add)
    sys.meta_path.insert(0, _Finder())
