"""The root of a release: its own files in a folder, in which its own Python builds the package and tries it.

Made by mmdebstrap from the sources that apt has on this machine, and kept as an archive by what it is made of.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tools.deb.target import Target
from tools.deb.trouble import NotBuilt

RECIPE: Final = 1  # another number makes every root anew
BINFMT: Final = Path("/proc/sys/fs/binfmt_misc")
_FORMAT: Final = "$(CREATED_BY)|$(LABEL)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)"
_LABELS: Final = ("Debian", "Debian-Security")
EMULATED: Final = {
    "QEMU_CPU": "cortex-a72"
}  # its emulation is much faster than that of the newest, which is the default
# What programs in the root may know: nothing of this machine.
ENVIRON: Final = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "PYTHONHASHSEED": "0",
    **EMULATED,
}


def sources(target: Target) -> list[str]:
    """Returns the lines of a sources.list for a release, from where apt of this machine has its own."""
    asked = ["apt-get", "indextargets", "--format", _FORMAT]
    listing = (
        subprocess.run(asked, check=False, capture_output=True, text=True).stdout if shutil.which(asked[0]) else ""
    )
    return lines_for(target.release.codename, listing)


def lines_for(codename: str, listing: str) -> list[str]:
    r"""Returns those lines from what apt told of its sources; NotBuilt when it has none of Debian.

    >>> lines_for("trixie", "Packages|Debian|mirror/debian/|bookworm-updates|main\n")
    ['deb mirror/debian/ trixie-updates main']
    """
    lines = set()
    for line in listing.splitlines():
        kind, label, uri, release, component = line.split("|")
        if kind == "Packages" and label in _LABELS and component == "main":
            _, hyphen, rest = release.partition("-")
            lines.add(f"deb {uri} {codename}{hyphen}{rest} main")
    if not lines:
        raise NotBuilt("apt of this machine has no sources of Debian", "run `apt-get update` on a Debian system")
    return sorted(lines)


def included(target: Target) -> list[str]:
    """Returns the packages of a root: what ours depends on, and what builds it."""
    return sorted({*target.depends, f"{target.python}-venv", "apt", "init-system-helpers", "kmod"})


def archive(target: Target, cache: Path) -> Path:
    """Returns the archive with the root of a target; makes it when it is not kept."""
    lines, packages = sources(target), included(target)
    made_of = "\n".join((str(RECIPE), target.name, *lines, *packages))
    path = cache / "roots" / f"{target.name}-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}.tar"
    if path.is_file():
        return path
    check_emulator(target)
    if shutil.which("mmdebstrap") is None:
        raise NotBuilt("mmdebstrap is not installed", "apt-get install mmdebstrap")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft.tar")
    words = ["mmdebstrap", "--quiet", "--variant=minbase", f"--architectures={target.arch}"]
    words += [f"--include={','.join(packages)}", target.release.codename, str(draft), *lines]
    if subprocess.run(words, check=False, env={**os.environ, **EMULATED}).returncode:
        draft.unlink(missing_ok=True)
        cause = f"mmdebstrap made no root of Debian {target.release.number} for {target.arch}"
        raise NotBuilt(cause, "what it says stands above; a newer release needs a newer debian-archive-keyring")
    draft.rename(path)
    return path


def check_emulator(target: Target) -> None:
    """Raises NotBuilt where programs of a target do not run: the kernel knows no emulator for them."""
    if not target.foreign or (BINFMT / f"qemu-{target.machine}").exists():
        return
    step = "apt-get install qemu-user-static binfmt-support arch-test"
    if shutil.which(f"qemu-{target.machine}-static"):
        step = f"mount -t binfmt_misc binfmt_misc {BINFMT} && update-binfmts --enable qemu-{target.machine}"
    raise NotBuilt(f"programs for {target.arch} do not run on this machine", step)


def check_rights() -> None:
    """Raises NotBuilt where roots cannot be made: chroot is for root alone."""
    if os.geteuid() != 0:
        raise NotBuilt("only root may change into the root of a release", "run the same with sudo")


class Root:
    """A folder with a whole system of a release."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __truediv__(self, name: str) -> Path:
        return self.path / name.lstrip("/")

    def run(
        self, words: Sequence[str], environ: Mapping[str, str] | None = None, *, check: bool = True, seen: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program of the root in the root; what it says goes to the terminal only when `seen`."""
        done = subprocess.run(
            ["chroot", str(self.path), *words],
            env={**ENVIRON, **(environ or {})},
            stdin=subprocess.DEVNULL,
            stdout=None if seen else subprocess.PIPE,
            stderr=None if seen else subprocess.STDOUT,
            text=True,
            check=False,
        )
        if check and done.returncode:
            raise NotBuilt(f"in the root, {' '.join(words)} ended with {done.returncode}:\n{done.stdout or ''}")
        return done


@contextmanager
def unpacked(archive: Path) -> Iterator[Root]:
    """Yields a fresh root in a folder of its own, with /proc and /dev/pts, which is removed afterwards."""
    place = Path(tempfile.mkdtemp(prefix="feltd-root-"))
    mounts = (("proc", place / "proc"), ("devpts", place / "dev/pts"))
    mounted: list[Path] = []
    try:
        place.chmod(0o755)
        subprocess.run(["tar", "--numeric-owner", "-xf", str(archive), "-C", str(place)], check=True)
        for kind, point in mounts:
            point.mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", "-t", kind, kind, str(point)], check=True)
            mounted.append(point)
        yield Root(place)
    finally:
        for point in reversed(mounted):
            subprocess.run(["umount", "--lazy", str(point)], check=True)
        shutil.rmtree(place)
