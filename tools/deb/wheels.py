"""The wheels of a package: those of the lock that a target needs, each with its hash, and our own."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.markers import Marker

from tools.deb.target import Target
from tools.deb.trouble import NotBuilt

_PINNED: Final = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+)(?: *; *(?P<marker>.*?))?(?P<hashes>(?: --hash=\S+)+)")
_PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


@dataclass(frozen=True)
class Pin:
    """One line of a lock: a package, its version, for whom it is, and the hashes of its files."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    def is_for(self, target: Target) -> bool:
        return not self.marker or Marker(self.marker).evaluate(target.markers())

    def line(self) -> str:
        """Returns the line without its marker: who it is for was decided already."""
        return " ".join((f"{self.name}=={self.version}", *(f"--hash={each}" for each in self.hashes)))


def pins(lock: str) -> Iterator[Pin]:
    r"""Yields the lines of a lock.

    >>> [pin] = pins("attrs==1.0 ; os_name == 'nt' \\\n    --hash=sha256:00 \\\n    --hash=sha256:ff\n    # via y\n")
    >>> pin.marker, pin.hashes
    ("os_name == 'nt'", ('sha256:00', 'sha256:ff'))
    """
    for line in re.sub(r"\\\n *", "", lock).splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = _PINNED.fullmatch(" ".join(line.split()))
        if parts is None:
            raise NotBuilt(f"a line of the lock has no version or no hash: {line[:80]!r}", "run `make lock`")
        hashes = tuple(word.removeprefix("--hash=") for word in parts["hashes"].split())
        yield Pin(parts["name"], parts["version"], parts["marker"] or "", hashes)


def needed(lock: str, target: Target) -> list[Pin]:
    """Returns what of a lock belongs into the package for this target."""
    return [pin for pin in pins(lock) if pin.is_for(target)]


def download(lock: str, target: Target, cache: Path) -> Path:
    """Returns a folder with the wheels of a lock and their requirements.txt; what is there is not fetched again."""
    text = "".join(f"{pin.line()}\n" for pin in needed(lock, target))
    folder = cache / "wheels" / f"{target.name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    whole = folder / "requirements.txt"
    if whole.is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / "requirements.draft"
    draft.write_text(text, encoding="utf-8")
    major, minor = target.release.python
    words = ["download", "--require-hashes", "--no-deps", "--only-binary=:all:", "--implementation=cp"]
    words += [f"--python-version={major}.{minor}", f"--abi=cp{major}{minor}", "--abi=abi3", "--abi=none"]
    words += [f"--platform={tag}" for tag in target.platforms()]
    fetched = subprocess.run([*_PIP, *words, f"--dest={folder}", f"--requirement={draft}"], check=False)
    if fetched.returncode:
        raise NotBuilt(
            f"pip did not get every wheel for {target.name}", "what it says stands above; then `make deb` again"
        )
    draft.rename(whole)
    return folder


def build_own(root: Path, folder: Path, epoch: int) -> Path:
    """Builds the wheel of this tree into a folder and returns it; all its times are `epoch`."""
    words = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", f"--wheel-dir={folder}", str(root)]
    environ = {"SOURCE_DATE_EPOCH": str(epoch), "PATH": "/usr/bin:/bin"}
    subprocess.run([*_PIP, *words], check=True, env=environ)
    (wheel,) = folder.glob("feltd-*.whl")
    return wheel
