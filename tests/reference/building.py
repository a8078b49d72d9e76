"""The reference firmware, built once for its content into a folder beside the tests' other output."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCE: Final = ROOT / "firmware_bridge/reference"
KEPT: Final = 4  # builds that are left for the next run

COMPILER: Final = shutil.which("gcc")
CROSS: Final = shutil.which("arm-none-eabi-gcc")
QEMU: Final = shutil.which("qemu-system-arm")
VALGRIND: Final = shutil.which("valgrind")


def content(*words: str) -> str:
    """Returns a digest of all sources and of these words."""
    digest = hashlib.sha256("\0".join(words).encode())
    for path in sorted(SOURCE.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(SOURCE)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def build(target: str, **settings: str) -> Path:
    """Returns the folder in which `make TARGET` has built this content; the output of the build is `log` there."""
    given = [f"{name}={value}" for name, value in sorted(settings.items())]
    cache = ROOT / "build/reference"
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / content(target, *given, sys.platform)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of several test processes one builds
        if not (folder / "done").exists():
            _forget(cache)
            shutil.rmtree(folder, ignore_errors=True)
            environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
            ran = subprocess.run(
                ["make", "-C", SOURCE, target, f"OUT={folder}", *given], capture_output=True, text=True, env=environment
            )
            assert ran.returncode == 0, ran.stderr
            (folder / "log").write_text(ran.stdout)
            (folder / "done").touch()
        os.utime(folder)
    return folder


def _forget(cache: Path) -> None:
    """Removes the oldest builds."""
    built = sorted((path for path in cache.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for path in built[: -4 * KEPT]:
        shutil.rmtree(path, ignore_errors=True)
