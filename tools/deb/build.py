"""Builds one package: wheels, root, environment, files, archive."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Final

from tools.deb import control, environment, roots, sbom, tree, wheels
from tools.deb.target import Target
from tools.deb.trouble import NotBuilt

LOCK: Final = tree.ROOT / "requirements/package.txt"
CACHE: Final = "FELTD_CACHE"  # the environment variable that names where roots and wheels are kept


def cache() -> Path:
    """Returns where roots and wheels are kept, outside of the repository."""
    return Path(os.environ.get(CACHE) or Path.home() / ".cache/feltd")


def own_version() -> str:
    """Returns the version of this tree."""
    return str(tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def own_epoch() -> int:
    """Returns the time that everything in a package has: SOURCE_DATE_EPOCH, or that of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    asked = ["git", "-C", str(tree.ROOT), "log", "-1", "--format=%ct"]
    moment = subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip()
    if not moment:
        raise NotBuilt("this tree does not say of when it is", "set SOURCE_DATE_EPOCH")
    return int(moment)


def build(target: Target, folder: Path) -> Path:
    """Builds the package for a target into a folder and returns its file."""
    roots.check_rights()
    os.umask(0o022)
    version, epoch = own_version(), own_epoch()
    fetched = wheels.download(LOCK.read_text(encoding="utf-8"), target, cache())
    archive = roots.archive(target, cache())
    with tempfile.TemporaryDirectory(prefix="feltd-deb-") as place, roots.unpacked(archive) as root:
        own = wheels.build_own(tree.ROOT, Path(place), epoch)
        environment.install(root, target, fetched, own)
        laid = Path(place, "tree")
        laid.mkdir(mode=0o755)
        tree.lay(laid, root, target, version, epoch)
        _prove(root, laid)
        listed = sbom.bill(
            control.deb_version(version, target),
            epoch,
            environment.site(root, target),
            [own, *fetched.glob("*.whl")],
            target.depends,
        )
        tree.finish(laid, listed)
        control.write(laid, version, target)
        return _pack(laid, folder, f"feltd_{control.deb_version(version, target)}_{target.arch}.deb", epoch)


def _prove(root: roots.Root, laid: Path) -> None:
    """Lets the program run once where it stands, and make the manifest of its files."""
    answer = root.run([f"{environment.PLACE}/bin/felt", "--version"]).stdout
    if own_version() not in answer:
        raise NotBuilt(f"felt --version says: {answer}")
    manifest, key = "/program.manifest", os.environ.get("MANIFEST_KEY")
    signed = []
    if key:
        shutil.copy2(key, root / "/manifest.key")
        signed = ["--key", "/manifest.key"]
    root.run([f"{environment.PLACE}/bin/felt", "program", "manifest", *signed, "-o", manifest])
    place = laid / tree.ABOUT
    place.mkdir(parents=True)
    shutil.copy2(root / manifest, place / "program.manifest")
    (place / "program.manifest").chmod(0o644)


def _pack(laid: Path, folder: Path, name: str, epoch: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    words = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--threads-max=1", "--build", str(laid)]
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "LC_ALL": "C.UTF-8"}
    subprocess.run([*words, str(folder / name)], check=True, env=environ, stdout=subprocess.DEVNULL)
    return folder / name
