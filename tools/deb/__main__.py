"""`python -m tools.deb`: builds the packages of this machine's release, or of those that are named."""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from pathlib import Path

from tools.deb.build import build
from tools.deb.target import MACHINES, RELEASES, Target, own_arch, own_release
from tools.deb.tree import ROOT
from tools.deb.trouble import NotBuilt


def main() -> int:
    """Builds what was asked for; returns 1, and says why, when something stands in the way."""
    parser = argparse.ArgumentParser(prog="tools.deb", description=__doc__)
    numbers = [str(release.number) for release in RELEASES]
    parser.add_argument("--release", choices=[*numbers, "all"], help="of Debian; without it that of this machine")
    parser.add_argument("--arch", choices=[*MACHINES, "all"], help="without it that of this machine")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder for the packages")
    parser.add_argument("--check", action="store_true", help="build twice, and compare")
    asked = parser.parse_args()
    try:
        for target in targets(asked.release, asked.arch):
            began = time.monotonic()
            print(f"    {target.name} ...", flush=True)
            package = build(target, asked.output)
            print(f"    {package}: {package.stat().st_size:,} bytes, {time.monotonic() - began:.0f} s")
            print(f"    SHA-256 {_sha256(package)}", flush=True)
            if asked.check:
                compare(target, package)
    except NotBuilt as why:
        print(f"Not built: {why}", file=sys.stderr)
        return 1
    return 0


def targets(number: str | None, arch: str | None) -> list[Target]:
    """Returns for whom packages were asked; NotBuilt when this machine cannot be the answer."""
    own = own_release()
    if number is None:
        number = str(own.number) if own is not None else ""
    if not number:
        raise NotBuilt("this machine is no Debian for which packages are made", "say which: RELEASE=12 or RELEASE=13")
    chosen = [each for each in RELEASES if number in ("all", str(each.number))]
    arches = list(MACHINES) if arch == "all" else [arch or own_arch()]
    if "" in arches:
        raise NotBuilt("for this architecture no packages are made", f"say which: ARCH={' or ARCH='.join(MACHINES)}")
    return [Target(release, each) for release in chosen for each in arches]


def compare(target: Target, package: Path) -> None:
    """Builds the same once more, elsewhere; raises NotBuilt when other bytes come of it."""
    with tempfile.TemporaryDirectory(prefix="feltd-again-") as place:
        again = build(target, Path(place))
        if again.read_bytes() != package.read_bytes():
            raise NotBuilt(
                f"{package.name} is another one each time: {_sha256(package)}, then {_sha256(again)}",
                "unpack both with `dpkg-deb -R` and compare",
            )
    print(f"    {package.name}: built twice, the same bytes")


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
