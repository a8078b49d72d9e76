"""A small installation, made as pip makes one: some of our files, a dependency, what pip notes, and the commands."""

from __future__ import annotations

import compileall
import shutil
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.program.installed import measured, sources
from controller.program.manifest import make, signed_by

ROOT = Path(__file__).resolve().parents[2]
OURS = ("controller/money.py", "controller/web/static/felt.svg", "drivers/families.py")
VERSION = "9.9.0"
KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
PUBLIC = KEY.public_key().public_bytes_raw().hex()
OTHER = Ed25519PrivateKey.from_private_bytes(b"o" * 32)


def installed(directory: Path) -> Path:
    """Returns the site-packages of a new installation."""
    root = directory / "lib" / "python3" / "site-packages"
    for path in OURS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    _write(root / "acme/__init__.py", "def price() -> int:\n    return 5\n")
    _write(root / "acme-1.0.dist-info/METADATA", "Name: acme\nVersion: 1.0\n")
    _write(root / "acme-1.0.dist-info/RECORD", "acme/__init__.py,,\n")
    _write(root / f"feltd-{VERSION}.dist-info/METADATA", f"Name: feltd\nVersion: {VERSION}\n")
    _write(root / f"feltd-{VERSION}.dist-info/direct_url.json", '{"url": "file:///somewhere"}')
    for command in ("felt", "feltd"):
        _write(directory / "bin" / command, f"#!{directory}/bin/python\nfrom controller.cli.main import main\nmain()\n")
    assert compileall.compile_dir(root, quiet=2)
    return root


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def manifest_of(root: Path, path: Path, key: Ed25519PrivateKey = KEY) -> Path:
    """Writes the signed manifest of an installation."""
    path.write_text(signed_by(make(VERSION, measured(sources(root))), key.private_bytes_raw()).to_text())
    return path
