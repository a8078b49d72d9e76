"""Everything that a package lays down: the program, and the files around it where Debian expects them."""

from __future__ import annotations

import gzip
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.cli.completion import SHELLS, source
from tools.deb import manpages, sbom
from tools.deb.environment import COMMANDS, PLACE, site
from tools.deb.roots import Root
from tools.deb.target import Target

ROOT: Final = Path(__file__).parents[2]
ABOUT: Final = "usr/share/feltd"  # what the package says of itself
SUMS: Final = f"{ABOUT}/SHA256SUMS"
EXAMPLE: Final = "etc/feltd/table.toml.example"
PLACES: Final = {  # from the repository: into the package
    "systemd/feltd.service": "usr/lib/systemd/system/feltd.service",
    "systemd/feltd-can@.service": "usr/lib/systemd/system/feltd-can@.service",
    "systemd/feltd.sysusers.conf": "usr/lib/sysusers.d/feltd.conf",
    "systemd/feltd.tmpfiles.conf": "usr/lib/tmpfiles.d/feltd.conf",
    "systemd/99-feltd.rules": "usr/lib/udev/rules.d/99-feltd.rules",
    "systemd/feltd.pam": "etc/pam.d/feltd",
    "systemd/feltd.polkit.rules": "usr/share/polkit-1/rules.d/50-feltd.rules",
    "packaging/deb/lintian-overrides": "usr/share/lintian/overrides/feltd",
    "examples/tables/casino-war.toml": EXAMPLE,
}
COMPLETIONS: Final = {
    "bash": "usr/share/bash-completion/completions/felt",
    "zsh": "usr/share/zsh/vendor-completions/_felt",
    "fish": "usr/share/fish/vendor_completions.d/felt.fish",
}
_DOC: Final = "usr/share/doc/feltd"


def lay(tree: Path, root: Root, target: Target, version: str, epoch: int) -> None:
    """Lays the files around the program, which stands in the root, and takes the program itself from there."""
    for command in COMMANDS:
        link = tree / "usr/bin" / command
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(f"..{PLACE.removeprefix('/usr')}/bin/{command}")
    for kept, place in PLACES.items():
        _write(tree / place, (ROOT / kept).read_bytes())
    for shell in SHELLS:
        _write(tree / COMPLETIONS[shell], f"{source(shell)}\n".encode())
    for name, text in manpages.pages(version, epoch).items():
        _write(tree / f"usr/share/man/man{name[-1]}/{name}.gz", _packed(text))
    _write(tree / f"{_DOC}/copyright", copyright_text(root, target).encode())
    _write(tree / f"{_DOC}/changelog.gz", _packed((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
    for example in sorted((ROOT / "examples/tables").iterdir()):
        _write(tree / f"{_DOC}/examples/tables/{example.name}", example.read_bytes())
    shutil.copytree(root / PLACE, tree / PLACE.lstrip("/"), symlinks=True)


def finish(tree: Path, bill: str) -> None:
    """Adds what names all the rest: the list of what it is made of, and the hash of every file."""
    _write(tree / ABOUT / "sbom.cdx.json", bill.encode())
    lines = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {name}\n" for name, file in files(tree))
    _write(tree / SUMS, lines.encode())


def files(tree: Path) -> Iterator[tuple[str, Path]]:
    """Yields every file of a tree but its list of hashes, by name; a link is no file."""
    paths = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    for path in paths:
        name = str(path.relative_to(tree))
        if name != SUMS:
            yield name, path


def copyright_text(root: Root, target: Target) -> str:
    """Returns whose the parts are and under which licences they may be used."""
    ours = (ROOT / "LICENSE").read_text(encoding="utf-8")
    lines = [f"{name} {version}: {licence}" for name, version, licence in sbom.licences(site(root, target))]
    head = f"feltd is made by the feltd authors.\n\n{ours}\n"
    theirs = f"Below {PLACE} stand besides, each with its own licence in its folder *.dist-info:\n\n"
    return head + theirs + "\n".join(line for line in lines if not line.startswith("feltd ")) + "\n"


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o644)


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), 9, mtime=0)
