"""Packages from outside, in a folder of their own: installed by pip, or made up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FELT = "from controller.cli.main import main; main()"
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps")


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


def python(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with the packages of this folder."""
    return subprocess.run(
        [sys.executable, *arguments], env=environment(site), capture_output=True, text=True, timeout=50, check=False
    )


def felt(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command `felt` with the packages of this folder."""
    return python(site, "-c", FELT, *arguments)
