"""Compares an installation with its signed manifest."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from controller.errors import Coded, FeltError
from controller.program import manifest as manifests
from controller.program.challenge import KeyedAnswer, answered
from controller.program.compiled import wrong_code
from controller.program.installed import BESIDE, Measured, measured, sources
from controller.program.manifest import LARGEST, ProgramManifest

SignatureState: TypeAlias = Literal["signed", "unsigned", "untrusted", "unreadable", "checkout"]
MOST_NAMED: Final = 5


class CheckWish(msgspec.Struct, frozen=True):
    """What a check is about: the installation, its manifest, whose signature counts, and what Python has loaded.

    `root` "": the program runs from a checkout.  `seed`: answer a challenge, too.
    """

    root: str
    manifest: str = ""  # the path; "": none is wished
    keys: tuple[str, ...] = ()  # in hexadecimal digits
    elsewhere: tuple[str, ...] = ()  # folders on Python's path besides the installation
    loaded: tuple[tuple[str, str], ...] = ()  # modules that came from elsewhere: name and file
    seed: str = ""


class CheckResult(msgspec.Struct, frozen=True):
    """What a check result."""

    signature: SignatureState
    files: int = 0
    digest: str = ""  # of all installed files
    manifest: str = ""  # its digest
    approved: str = ""  # the version that the manifest is of
    key: str = ""  # which signed it
    differs: tuple[str, ...] = ()  # each file with what is wrong with it
    code: str = ""  # what is wrong; "": nothing
    cause: str = ""
    answer: KeyedAnswer | None = None

    @property
    def trouble(self) -> Coded | None:
        """What is wrong, as an error; None when nothing is."""
        return FeltError(self.code, self.cause) if self.code else None


def check(wanted: CheckWish) -> CheckResult:
    """Returns how the installation stands.  Raises nothing: what cannot be checked is said to be so."""
    if not wanted.root:
        checkout = CheckResult("checkout")
        if not wanted.manifest:
            return checkout
        cause = "the program runs from a checkout, whose files no manifest can have"
        return msgspec.structs.replace(checkout, code="program.unchecked", cause=cause)
    root = Path(wanted.root)
    key = bytes.fromhex(wanted.seed) if wanted.seed else None
    try:
        files = measured(sources(root), key)
    except (FeltError, OSError) as error:
        cause = error.cause if isinstance(error, FeltError) else str(error.strerror or error)
        return CheckResult("unreadable", code="program.unchecked", cause=cause)
    answer = answered(key, files) if key is not None else None
    result = CheckResult("unsigned", len(files), manifests.installation_digest(files), answer=answer)
    return _against(wanted, root, files, result) if wanted.manifest else result


def _against(wanted: CheckWish, root: Path, files: Sequence[Measured], result: CheckResult) -> CheckResult:
    """Returns the same with what the manifest says of it."""
    try:
        manifest = read_file(Path(wanted.manifest))
    except FeltError as error:
        return msgspec.structs.replace(result, signature="unreadable", code=error.code, cause=error.cause)
    result = msgspec.structs.replace(result, manifest=manifest.digest, approved=manifest.version)
    try:
        key = manifests.check_signature(manifest, [bytes.fromhex(each) for each in wanted.keys])
    except FeltError as error:
        return msgspec.structs.replace(result, signature="untrusted", code=error.code, cause=error.cause)
    differs = [*differences(manifest, files), *_elsewhere(wanted, manifest)]
    differs += [f"{path}: is not what its source compiles to" for path in wrong_code(root)]
    differs += [f"{BESIDE}/{path}: is not what its source compiles to" for path in wrong_code(root / BESIDE)]
    result = msgspec.structs.replace(result, signature="signed", key=key, differs=tuple(differs))
    if not differs:
        return result
    return msgspec.structs.replace(result, code="program.altered", cause=in_words(result.differs))


def read_file(path: Path) -> ProgramManifest:
    """Returns the manifest in this file; raises FeltError program.manifest."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe: whoever reads it may wait for ever
            raise FeltError("program.manifest", f"{path} is no file")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise FeltError("program.manifest", f"{path} has more than {LARGEST} bytes")
        return manifests.read(data.decode())
    except OSError as error:
        raise FeltError("program.manifest", f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise FeltError("program.manifest", f"{path} is no text") from None


def differences(manifest: ProgramManifest, files: Iterable[Measured]) -> list[str]:
    """Returns every file that is not as the manifest has it, with what is wrong with it; by path."""
    present = {each.path: each for each in files}
    wrong = dict.fromkeys(manifest.files.keys() - present.keys(), "is missing")
    wrong |= dict.fromkeys(present.keys() - manifest.files.keys(), "is not in the manifest")
    for path in manifest.files.keys() & present.keys():
        if (present[path].size, present[path].sha256) != (manifest.files[path].size, manifest.files[path].sha256):
            wrong[path] = "is altered"
    return [f"{path}: {wrong[path]}" for path in sorted(wrong)]


def _elsewhere(wanted: CheckWish, manifest: ProgramManifest) -> list[str]:
    """Returns where Python looks, or has looked, outside of what the manifest knows."""
    unknown = [path for path in wanted.elsewhere if path not in manifest.paths]
    known = tuple(f"{path}/" for path in manifest.paths)
    loaded = [f"{file}: was loaded as {name}" for name, file in wanted.loaded if not file.startswith(known)]
    return [f"{path}: is on Python's path" for path in unknown] + loaded


def in_words(differs: Sequence[str]) -> str:
    """Returns the first differences and how many more there are.

    >>> in_words(["a.py: is altered"]), in_words(["a: is missing"] * 7)[-13:]
    ('a.py: is altered', 'g; and 2 more')
    """
    more = [f"and {len(differs) - MOST_NAMED} more"] if len(differs) > MOST_NAMED else []
    return "; ".join([*differs[:MOST_NAMED], *more])
