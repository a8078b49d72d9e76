"""The errors about the installed program that other rooms raise, with the step of their code."""

from __future__ import annotations

from controller.errors import FeltError


def no_seed(cause: str) -> FeltError:
    """Returns the error of a challenge without a seed that can be used."""
    return FeltError("program.seed", cause)


def busy() -> FeltError:
    """Returns the error of a challenge while the files are read already."""
    return FeltError("program.busy", "the files of the program are being read")


def unchecked(cause: str) -> FeltError:
    """Returns the error of a check that could not be done."""
    return FeltError("program.unchecked", cause)


def no_files(cause: str) -> FeltError:
    """Returns the error of files that cannot be looked at."""
    return FeltError("program.files", cause)


def no_manifest(cause: str) -> FeltError:
    """Returns the error of a manifest that is not there."""
    return FeltError("program.manifest", cause)


def not_on_record() -> FeltError:
    """Returns the error of a journal that names no program."""
    return FeltError("program.none", "the journal names no program")
