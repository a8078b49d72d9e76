"""How feltd comes into the machine: its package is built, the commands of README are read, and typed word for word."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.docs.blocks import Block, blocks
from tests.vm import image
from tests.vm.releases import Release
from tests.vm.results import ROOT

SHIPPED: Final = (
    "controller",
    "drivers",
    "firmware_bridge",
    "hw_sim",
    "pytest_felt",
    "systemd",
    "packaging",
    "tools/deb",
)
BESIDE: Final = ("pyproject.toml", "requirements/package.txt", "README.md", "CHANGELOG.md", "LICENSE")
PATIENCE: Final = 1200.0  # seconds for a package whose root has to be made first


def commands(page: Path, heading: str) -> list[str]:
    """Returns the commands of a page's first block below a heading."""
    begin = page.read_text(encoding="utf-8").splitlines().index(heading)
    first = next(block for block in blocks(page) if block.line > begin and block.kind in ("sh", "console"))
    return list(_typed(first))


def of_readme() -> list[str]:
    """Returns the whole installation, as README has it."""
    return commands(ROOT / "README.md", "## On a table")


def package(release: Release) -> Path:
    """Returns the package for that release, built now or when these very files were packed before."""
    kept = image.cache() / "packages" / _digest(release)
    if not list(kept.glob("*.deb")):
        shutil.rmtree(kept, ignore_errors=True)
        words = [sys.executable, "-m", "tools.deb", "--release", str(release.number), "--arch", "amd64"]
        made = subprocess.run(
            [*words, "--output", str(kept)], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
        )
        if made.returncode:
            shutil.rmtree(kept, ignore_errors=True)
            raise RuntimeError(f"make deb ended with {made.returncode}: {made.stderr[-2000:]}")
    (found,) = kept.glob("*.deb")
    return found


def _digest(release: Release) -> str:
    whole = hashlib.sha256(str(release.number).encode())
    for path in files(SHIPPED, BESIDE):
        whole.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def files(folders: tuple[str, ...], beside: tuple[str, ...]) -> list[Path]:
    """Returns every file of these folders, without what Python compiled, and these files."""
    inside = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    found = [path for path in inside if "__pycache__" not in path.parts]
    return sorted([*found, *(ROOT / name for name in beside)])


def _typed(block: Block) -> Iterator[str]:
    if block.kind == "sh":
        yield from (line for line in block.text.splitlines() if line and not line.startswith("#"))
    else:
        yield from (line.removeprefix("$ ") for line in block.text.splitlines() if line.startswith("$ "))
