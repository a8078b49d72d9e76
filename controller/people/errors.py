"""The errors of people.toml and of signing in, each with the step of its code."""

from __future__ import annotations

from pathlib import Path

from controller.errors import FeltError


def unfit(why: str) -> FeltError:
    """Returns the error of something that cannot stand in people.toml."""
    return FeltError("people.unfit", why)


def missing(path: Path) -> FeltError:
    """Returns the error of a people.toml that is not there."""
    return FeltError("people.missing", f"there is no {path}: the table takes only a dealer")


def unwritable(path: Path, why: str) -> FeltError:
    """Returns the error of a people.toml that cannot be written, or not by this account."""
    return FeltError("people.unwritable", f"{path}: {why}")


def wrong() -> FeltError:
    """Returns the error of a badge and a PIN that do not belong together."""
    return FeltError("sign-in.wrong", "badge and PIN do not belong together")
