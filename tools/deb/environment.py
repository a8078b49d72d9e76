"""The program of a package: a virtual environment with its own copy of everything, made in the root of its release."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

from tools.deb.roots import Root
from tools.deb.target import Target
from tools.deb.trouble import NotBuilt

PLACE: Final = "/usr/lib/feltd"
COMMANDS: Final = ("felt", "feltd")
_MATERIAL: Final = "/feltd-build"  # in the root, while it is built
_SYSTEM: Final = "/usr/lib/python3/dist-packages"


def install(root: Root, target: Target, wheels: Path, own: Path) -> None:
    """Makes the environment in the root, from these wheels and no others, compiled."""
    material = root / _MATERIAL
    shutil.copytree(wheels, material)
    shutil.copy2(own, material / own.name)
    root.run([f"/usr/bin/{target.python}", "-m", "venv", "--without-pip", PLACE])
    pip = ["-m", "pip", "--quiet", "--no-cache-dir", "--disable-pip-version-check", "install", "--no-index"]
    pip += ["--no-deps", "--no-compile", "--root-user-action=ignore"]
    python = [f"{PLACE}/bin/{target.python}"]
    outside = {"PYTHONPATH": _pip_of_debian(root), "PYTHONDONTWRITEBYTECODE": "1"}
    locked = ["--require-hashes", f"--find-links={_MATERIAL}", f"--requirement={_MATERIAL}/requirements.txt"]
    root.run([*python, *pip, *locked], outside)
    root.run([*python, *pip, f"{_MATERIAL}/{own.name}"], outside)
    shutil.rmtree(material)
    _tidy(root / PLACE, target)
    _compile(root, target)
    for name in target.links:
        (site(root, target) / name).symlink_to(f"{_SYSTEM}/{name}")


def site(root: Root, target: Target) -> Path:
    """Returns the folder with the modules of the environment."""
    return root / f"{PLACE}/lib/{target.python}/site-packages"


def _pip_of_debian(root: Root) -> str:
    wheels = sorted((root / "/usr/share/python-wheels").glob("pip-*.whl"))
    if not wheels:
        raise NotBuilt("the root has no pip", "remove it from the cache and build again")
    return f"/usr/share/python-wheels/{wheels[-1].name}"


def _tidy(place: Path, target: Target) -> None:
    """Takes away what nobody needs, and what says how this copy came to be."""
    for entry in (place / "bin").iterdir():
        if entry.name not in COMMANDS and not entry.name.startswith("python"):
            entry.unlink()
    for folder in ("include", "share"):
        shutil.rmtree(place / folder, ignore_errors=True)
    for noted in (place / "lib").rglob("direct_url.json"):
        noted.unlink()
    if (lib64 := place / "lib64").is_symlink():
        lib64.unlink()
    for cache in list(place.rglob("__pycache__")):
        shutil.rmtree(cache)
    for library in (place / "lib").rglob("*.so*"):
        library.chmod(0o644)
    subprocess.run(["chmod", "--recursive", "u=rwX,go=rX", str(place)], check=True)


def _compile(root: Root, target: Target) -> None:
    """Compiles every module once, for good: nothing is compared with times, so that the same files come of it."""
    words = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", f"{PLACE}/lib"]
    done = root.run([f"{PLACE}/bin/{target.python}", "-W", "ignore", *words], check=False)
    if done.returncode:
        raise NotBuilt(f"not every module compiles:\n{done.stdout}")
