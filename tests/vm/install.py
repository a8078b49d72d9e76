"""How feltd comes into the machine: its package is built, the commands of README are read, and typed word for word."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.docs.blocks import Block, blocks
from tests.vm import bounded, images
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
CHAPTERS: Final = ("## 1. The program", "## 2. The service", "## 3. The table", "## 4. The people", "## 5. Start")
BESIDE: Final = ("pyproject.toml", "requirements/package.txt")  # what only people read changes nothing that is tried


def commands(page: Path, heading: str) -> list[str]:
    """Returns the commands of a page's blocks below a heading, as a person sees and types them."""
    lines = page.read_text(encoding="utf-8").splitlines()
    begin = lines.index(heading)
    end = next((at for at, line in enumerate(lines) if at > begin and line.startswith("## ")), len(lines))
    seen = [
        block for block in blocks(page) if begin < block.line <= end and not lines[block.line - 1].startswith("<!--")
    ]
    return [command for block in seen if block.kind in ("sh", "console") for command in _typed(block)]


def of_readme() -> list[str]:
    """Returns the whole installation, as README has it: the first command that it has for a real table."""
    return commands(ROOT / "README.md", "## On a table")[:1]


def of_the_page(*chapters: str) -> list[str]:
    """Returns the commands of these chapters of docs/installing.md, or of all that a new table goes through."""
    page = ROOT / "docs/installing.md"
    return [command for chapter in chapters or CHAPTERS for command in commands(page, chapter)]


@contextmanager
def packing(release: Release) -> Iterator[Callable[[float], Path]]:
    """Lets the package for that release be built, or takes the one that was built of these very files.

    What it yields waits for the package and returns it; TimeoutError when it is not there in time.
    """
    kept = images.cache() / "packages" / _digest(release)
    if list(kept.glob("*.deb")):
        yield lambda until: next(kept.glob("*.deb"))
        return
    half = kept.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    words = [sys.executable, "-m", "tools.deb", "--release", str(release.number), "--arch", "amd64"]
    with bounded.Program([*words, "--output", str(half)]) as program:

        def package(until: float) -> Path:
            program.wait(until)
            shutil.rmtree(kept, ignore_errors=True)
            half.rename(kept)
            return next(kept.glob("*.deb"))

        yield package


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
