"""How feltd comes into the machine: the commands of the documents are read, and typed word for word."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.docs.blocks import Block, blocks
from tests.vm.releases import Release

ROOT: Final = Path(__file__).parents[2]
PLATFORMS: Final = (
    "manylinux_2_34_x86_64",
    "manylinux_2_28_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux2014_x86_64",
    "any",
)
PYTHONS: Final = {12: "3.11", 13: "3.13"}
LIKE_A_TABLE: Final = (
    "export PIP_NO_INDEX=1 PIP_FIND_LINKS=/vm/wheels PIP_DISABLE_PIP_VERSION_CHECK=1; cd /vm"  # no network there
)


def commands(page: Path, first: str, last: str) -> list[str]:
    """Returns the commands of a page's blocks from the heading `first` to before the heading `last`, in their order."""
    text = page.read_text(encoding="utf-8").splitlines()
    begin, end = text.index(first), text.index(last)
    return [command for block in blocks(page) if begin < block.line <= end for command in _typed(block)]


def _typed(block: Block) -> Iterator[str]:
    if block.kind == "sh":
        yield from (line for line in block.text.splitlines() if line and not line.startswith("#"))
    elif block.kind == "console":
        yield from (line.removeprefix("$ ") for line in block.text.splitlines() if line.startswith("$ "))


def by_hand() -> list[str]:
    """Returns the commands of docs/installing.md for the program and its service, without those for people and CAN."""
    typed = commands(ROOT / "docs/installing.md", "## 1. The program", "## 3. The table")
    return [
        command
        for command in typed
        if not command.startswith(("usermod", "systemctl enable", "install -D -m 0644 systemd/feltd.pam"))
    ]


def sources() -> dict[str, Path]:
    """Returns the files of this checkout that git knows, by name."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True, timeout=60
    ).stdout
    names = [name for name in listed.split("\0") if name and not name.startswith(("tests/", "benchmarks/"))]
    return {name: ROOT / name for name in names if (ROOT / name).is_file()}


def wheels(release: Release, folder: Path) -> Path:
    """Fetches the locked wheels of a table for that release's Python, by the package index of this machine."""
    place = folder / f"wheels-{release.number}"
    words = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    words += ["-r", str(ROOT / "requirements/run.txt"), "--python-version", PYTHONS[release.number], "-d", str(place)]
    words += [word for platform in PLATFORMS for word in ("--platform", platform)]
    subprocess.run(words, check=True, timeout=600, capture_output=True)
    return place
