"""Packages from outside, in a folder of their own: installed by pip, or made up; and `felt` with them."""

from __future__ import annotations

import importlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from controller.cli.group import cli
from controller.games import INSTALLED
from drivers.families import FAMILIES
from drivers.vendors.register import VENDORS
from firmware_bridge import errors
from firmware_bridge.address import SCHEMES
from firmware_bridge.extensions import Register
from hw_sim.models.register import MODELS
from hw_sim.vendors.register import SIMULATORS

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FELT = "from controller.cli.main import main; main()"
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps")
REGISTERS: tuple[Register[Any], ...] = (INSTALLED, FAMILIES, VENDORS, SCHEMES, MODELS, SIMULATORS)


def installed(site: Path, *sources: Path) -> Path:
    """Installs packages into a folder, from their sources and without any network; returns the folder."""
    command = [sys.executable, *PIP, "--no-build-isolation", "--target", str(site), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    return site


def made_up(site: Path, package: str, code: str, points: str) -> None:
    """Puts a package of one module into a folder, as if pip had done so."""
    about = site / f"{package}-1.0.dist-info"
    about.mkdir(parents=True)
    (site / f"{package}.py").write_text(code)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(points)


def environment(site: Path) -> dict[str, str]:
    """Returns the environment of a process that sees the packages of this folder beside ours."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))}


class Said(NamedTuple):
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def python(site: Path, *arguments: str) -> Said:
    """Runs Python with the packages of this folder, as a process of its own."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment(site), capture_output=True, text=True, timeout=50, check=False)
    return Said(done.returncode, done.stdout, done.stderr)


def felt(site: Path, *arguments: str) -> Said:
    """Runs the command `felt` with the packages of this folder, without the cost of a process."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with seen(site), redirect_stdout(out), redirect_stderr(err):
        try:
            cli.main(list(arguments), prog_name="felt")
        except SystemExit as end:
            status = int(end.code or 0)
    return Said(status, out.getvalue(), err.getvalue())


@contextmanager
def seen(site: Path) -> Iterator[None]:
    """Lets this process find the packages of a folder, as a new one would; forgets them at the end."""
    before = set(sys.modules)
    for register in REGISTERS:
        list(register.ours())  # loaded now, they stay
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        for register in REGISTERS:
            patch.setattr(register, "_points", None)
            patch.setattr(register, "_items", dict(register.loaded))
        yield
    for name in set(sys.modules) - before:
        if str(site) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
            for code in [code for code, known in errors._DECLARED.items() if known.room == name]:
                del errors._DECLARED[code]
    importlib.invalidate_caches()
