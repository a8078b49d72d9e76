"""The files of an installation: everything below site-packages, and what stands beside the command itself.

Left out is what differs between two installations of the same packages: what pip notes of itself, and compiled code,
which is compared with its source instead (`controller.program.compiled`).
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import os
import re
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, NamedTuple

from controller.errors import FeltError

PACKAGES: Final = ("controller", "drivers", "firmware_bridge", "hw_sim", "pytest_felt")
COMMANDS: Final = ("felt", "feltd")
BESIDE: Final = "../../../bin"  # where the commands are, seen from site-packages
CACHE: Final = "__pycache__"
CODE: Final = ".pyc"
_NOTES: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")  # of pip, about one installation
_IMPORTABLE: Final = (".py", ".pyc", ".so", ".pth")
_INTERPRETER: Final = re.compile(rb"#!/\S*/python[\d.]*")  # the whole first line of a command, as pip writes it
_CHUNK: Final = 1 << 20


class FileSource(NamedTuple):
    """One file: its path below site-packages, and how its bytes are read."""

    path: str
    open: Callable[[], BinaryIO]


class Measured(NamedTuple):
    """What one file is: its size and digests; `keyed` only where there is a key."""

    path: str
    size: int
    sha256: str
    keyed: str = ""


def own_root() -> Path | None:
    """Returns the site-packages in which this program is installed; None when it runs from a checkout."""
    try:
        feltd = distribution("feltd")
    except PackageNotFoundError:
        return None
    root = Path(str(feltd.locate_file("")))
    return None if _is_editable(feltd) or not (root / "controller").is_dir() else root


def _is_editable(feltd: Distribution) -> bool:
    try:
        noted = json.loads(feltd.read_text("direct_url.json") or "{}")
    except ValueError:
        return False  # an installation whose files are compared, whatever pip noted
    return isinstance(noted, dict) and bool(noted.get("dir_info", {}).get("editable"))


def is_own(path: str) -> bool:
    """Tells whether a file belongs to the wheel of feltd, which is the same on every machine.

    >>> is_own("controller/money.py"), is_own("feltd-0.2.0.dist-info/METADATA"), is_own("msgspec/__init__.py")
    (True, True, False)
    """
    first, _, rest = path.partition("/")
    return bool(rest) and (first in PACKAGES or (first.startswith("feltd-") and first.endswith(".dist-info")))


def sources(root: Path) -> list[FileSource]:
    """Returns every file of an installation, by path; raises FeltError when the folder cannot be read."""
    if not root.is_dir():
        raise FeltError("program.files", f"{root} is no folder")
    listed = [*_below(root, ""), *_beside(root)]
    return sorted(listed, key=lambda source: source.path.encode())


def _below(folder: Path, at: str) -> Iterator[FileSource]:
    """Yields the files of a folder; a link is a file that says where it leads: nothing behind it counts as ours."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        raise FeltError("program.files", f"{folder}: {error.strerror}") from None
    for entry in entries:
        path = f"{at}{_printable(entry.name)}"
        if entry.is_symlink():
            yield _link(path, Path(entry.path))
        elif entry.is_dir():
            yield from _below(Path(entry.path), f"{path}/")
        elif not entry.is_file():
            yield FileSource(path, _bytes(b"no file"))  # a pipe or a device: whoever reads it may wait for ever
        elif not _left_out(path):
            yield FileSource(path, _file(Path(entry.path)))


def _link(path: str, link: Path) -> FileSource:
    return FileSource(path, _bytes(f"link to {link.readlink()}".encode(errors="surrogateescape")))


def _beside(root: Path) -> Iterator[FileSource]:
    """Yields the commands, and what else Python would import from their folder, which is the first on its path."""
    folder = (root / BESIDE).resolve()
    if not any((folder / command).is_file() for command in COMMANDS):
        return
    for entry in os.scandir(folder):
        path = f"{BESIDE}/{_printable(entry.name)}"
        if entry.is_dir():
            if entry.is_symlink():
                yield _link(path, Path(entry.path))
            elif entry.name != CACHE:
                yield from _below(Path(entry.path), f"{path}/")
        elif entry.name in COMMANDS and entry.is_file():
            yield FileSource(path, _bytes(_without_interpreter(Path(entry.path))))
        elif entry.name in COMMANDS or entry.name.endswith(_IMPORTABLE):
            yield FileSource(path, _file(Path(entry.path)) if entry.is_file() else _bytes(b"no file"))


def _printable(name: str) -> str:
    """Returns a name as it stands on one line: no wheel has another one, so such a file is always one too many."""
    plain = name.isprintable() and not name.startswith(" ") and not name.endswith(" ")
    return name if plain else ascii(name)


def _left_out(path: str) -> bool:
    parts = PurePosixPath(path).parts
    if parts[-1].endswith(CODE) and parts[-2:-1] == (CACHE,):
        return True
    return len(parts) == 2 and parts[0].endswith(".dist-info") and parts[1] in _NOTES


def _without_interpreter(command: Path) -> bytes:
    """Returns a command without its first line, which says where this one environment has its interpreter.

    A first line that says more stays: what follows the interpreter, `-c CODE`, it would run in place of the command.
    """
    text = command.read_bytes()
    first, _, rest = text.partition(b"\n")
    return rest if _INTERPRETER.fullmatch(first) else text


def _file(path: Path) -> Callable[[], BinaryIO]:
    return lambda: path.open("rb")


def _bytes(data: bytes) -> Callable[[], BinaryIO]:
    return lambda: io.BytesIO(data)


def wheel_sources(wheels: Iterable[Path]) -> list[FileSource]:
    """Returns the files that these wheels would install below site-packages."""
    inside: dict[str, FileSource] = {}
    for wheel in wheels:
        try:
            archive = zipfile.ZipFile(wheel)
        except (OSError, zipfile.BadZipFile) as error:
            raise FeltError("program.files", f"{wheel}: {error}") from None
        with archive:
            for name in archive.namelist():
                path = _placed(name)
                if path and not _left_out(path):
                    inside[path] = FileSource(path, _bytes(archive.read(name)))
    return sorted(inside.values(), key=lambda source: source.path.encode())


def _placed(name: str) -> str:
    """Returns where a file of a wheel goes below site-packages; "" when it does not go there.

    >>> _placed("controller/money.py"), _placed("x-1.data/platlib/x.so"), _placed("x-1.data/scripts/x")
    ('controller/money.py', 'x.so', '')
    """
    first, _, rest = name.partition("/")
    if name.endswith("/"):
        return ""
    if not first.endswith(".data"):
        return name
    kind, _, path = rest.partition("/")
    return path if kind in ("purelib", "platlib") else ""


def measured(files: Iterable[FileSource], key: bytes | None = None) -> list[Measured]:
    """Reads every file once and returns what it is; with a key also its keyed digest (HMAC-SHA-256)."""
    return [_measure(each, key) for each in files]


def _measure(source: FileSource, key: bytes | None) -> Measured:
    digest, size = hashlib.sha256(), 0
    keyed = hmac.new(key, digestmod="sha256") if key is not None else None
    try:
        with source.open() as file:
            while data := file.read(_CHUNK):
                size += len(data)
                digest.update(data)
                if keyed is not None:
                    keyed.update(data)
    except OSError as error:  # what cannot be read is not what it should be
        return Measured(source.path, -1, f"unreadable: {error.strerror}"[:64])
    return Measured(source.path, size, digest.hexdigest(), keyed.hexdigest() if keyed is not None else "")


# ---- where Python looks for modules


def foreign_paths(paths: Iterable[str], root: Path) -> list[str]:
    """Returns where Python looks for modules besides the installation and its own library, in its order."""
    known = {*_library(), str(root), str(root.resolve()), str((root / BESIDE).resolve())}
    return [path for path in dict.fromkeys(paths) if os.path.normpath(path or ".") not in known]


def foreign_modules(modules: Mapping[str, object], root: Path) -> list[tuple[str, str]]:
    """Returns the modules that were loaded from elsewhere: name and file."""
    within = tuple(f"{place}{os.sep}" for place in {*_library(), str(root), str(root.resolve())})
    beside = str((root / BESIDE).resolve())
    loaded = {name: getattr(module, "__file__", None) for name, module in list(modules.items())}
    return [
        (name, file)
        for name, file in sorted(loaded.items())
        if isinstance(file, str) and not file.startswith(within) and str(Path(file).parent) != beside
    ]


def _library() -> set[str]:
    """Returns the folders of Python's own library, which belong to the operating system."""
    places = sysconfig.get_paths()
    version = f"python{sys.version_info[0]}{sys.version_info[1]}.zip"
    own = {places["stdlib"], places["platstdlib"]}
    return {*own, *(f"{place}/lib-dynload" for place in own), *(str(Path(place).parent / version) for place in own)}
