"""Keeps the disks of machines by the digest of their recipe, and makes those that are not there."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from tests.vm import bounded, image, releases
from tests.vm.releases import Release

HERE: Final = Path(__file__).parent
RECIPE: Final = (
    "image.py",
    "releases.py",
    "sources.py",
    "cpio.py",
    "early_init.sh",
    "kernel",
    "inside/vm_agent.py",
    "inside/vm-agent.service",
)
TOOLS: Final = {
    "mmdebstrap": "mmdebstrap",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mke2fs": "e2fsprogs",
    "modprobe": "kmod",
}


@dataclass(frozen=True)
class Image:
    """What a machine starts from."""

    disk: Path
    kernel: Path
    initrd: Path
    version: str  # of the kernel


def missing_tools() -> list[str]:
    """Returns the packages of Debian that this machine lacks for it."""
    return [package for tool, package in TOOLS.items() if shutil.which(tool, path=image.environment()["PATH"]) is None]


def cache() -> Path:
    """Returns where images are kept: `FELTD_CACHE`, else `~/.cache/feltd`."""
    return Path(os.environ.get("FELTD_CACHE") or Path.home() / ".cache" / "feltd") / "vm"


def digest(release: Release) -> str:
    """Returns the digest of the recipe: another recipe makes another image."""
    whole = hashlib.sha256(repr(sorted(asdict(release).items())).encode())
    for path in _recipe():
        whole.update(f"{path.relative_to(HERE)}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def kept(release: Release) -> Image | None:
    """Returns the image of this recipe, when it was made before."""
    place = _place(release)
    if not (place / "version").is_file():
        return None
    return Image(place / "disk.raw", place / "vmlinuz", place / "initrd", (place / "version").read_text().strip())


def make(release: Release, until: float) -> Image:
    """Makes the image in a process of its own and keeps it; TimeoutError when it is not there in time."""
    with bounded.Program([sys.executable, "-m", "tests.vm.images", str(release.number)], shown=True) as program:
        program.wait(until)
    made = kept(release)
    assert made is not None
    return made


def make_here(release: Release) -> None:
    """Makes the image; needs root, and the package sources of this machine."""
    cache().mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"making-{release.number}-", dir=cache()))
    try:
        image.make(release, work)
        place = _place(release)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for name in ("disk.raw", "vmlinuz", "initrd", "version"):
            (work / name).rename(place / name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _place(release: Release) -> Path:
    return cache() / f"debian-{release.number}-{digest(release)}"


def _recipe() -> Iterator[Path]:
    for name in RECIPE:
        path = HERE / name
        yield from sorted(path.iterdir()) if path.is_dir() else [path]


def main() -> None:
    """Makes the image of the release that is named; ended from outside, it leaves nothing half made."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("the image was not made in time"))
    make_here(releases.RELEASES[int(sys.argv[1])])


if __name__ == "__main__":
    main()
