"""The errors of people.toml and of signing in, each with the step of its code."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from controller.errors import FeltError

MISSING: Final = "people.missing"
EMPTY: Final = "people.empty"
_NOBODY: Final = {  # by the code of the trouble; whoever is not signed in reads no path and no line of the file
    MISSING: "there is no people.toml",
    EMPTY: "people.toml has nobody in it",
    "people.unreadable": "people.toml cannot be read",
    "people.permissions": "people.toml has the wrong owner or mode",
}


def unfit(why: str) -> FeltError:
    """Returns the error of something that cannot stand in people.toml."""
    return FeltError("people.unfit", why)


def missing(path: Path) -> FeltError:
    """Returns the error of a people.toml that is not there."""
    step = f"As root, make the first person: `felt people add NAME --badge NUMBER --role ROLE --file {path}`."
    return FeltError(MISSING, f"there is no {path}: the table takes only a dealer", step)


def empty(path: Path) -> FeltError:
    """Returns the error of a people.toml with nobody in it."""
    return FeltError(EMPTY, f"{path} has nobody in it: nobody can sign in")


def unwritable(path: Path, why: str) -> FeltError:
    """Returns the error of a people.toml that cannot be written, or not by this account."""
    return FeltError("people.unwritable", f"{path}: {why}")


def wrong() -> FeltError:
    """Returns the error of a badge and a PIN that do not belong together."""
    return FeltError("sign-in.wrong", "badge and PIN do not belong together")


def locked(until: datetime) -> FeltError:
    """Returns the error of too many wrong PINs."""
    return FeltError("sign-in.locked", f"too many wrong PINs: locked until {until:%H:%M:%S}")


def no_role(role: str) -> FeltError:
    """Returns the error of somebody who has not the role that they asked for."""
    return FeltError("sign-in.role", f"people.toml does not give this person the role {role[:40]!r}")


def unchecked() -> FeltError:
    """Returns the error of a PIN of which nobody could tell whether it is right."""
    return FeltError("sign-in.unchecked", "nobody could tell in time whether the PIN is right")


def nobody(trouble: FeltError | None) -> FeltError:
    """Returns the error of a table at which nobody can sign in, by the trouble with its people.toml."""
    why = _NOBODY.get(trouble.code if trouble is not None else "", "people.toml has a mistake")
    return FeltError("sign-in.nobody", f"nobody can sign in: {why}")


def barred() -> FeltError:
    """Returns the error of a right password of an account that may not be used."""
    return FeltError("sign-in.account", "the account is locked, expired, or needs a new password")


def busy() -> FeltError:
    """Returns the error of too many who sign in at once."""
    return FeltError("sign-in.busy", "too many PINs wait to be checked")


def needed(why: str = "nobody is signed in here, or the session is over") -> FeltError:
    """Returns the error of somebody who is not signed in."""
    return FeltError("sign-in.needed", why)


def foreign(why: str) -> FeltError:
    """Returns the error of a request that somebody else's page may have made."""
    return FeltError("sign-in.origin", why)


def not_understood(why: str) -> FeltError:
    """Returns the error of a request with the wrong shape."""
    return FeltError("sign-in.request", f"the request is not understood: {why}")


def too_large(most: int) -> FeltError:
    """Returns the error of a request with more than anybody has to say here."""
    return FeltError("sign-in.too-large", f"the request has more than {most} bytes")


def refused(why: str) -> FeltError:
    """Returns the error of a key that the table refuses."""
    return FeltError("key.refused", why)


def unknown_key(why: str, near: str) -> FeltError:
    """Returns the error of a key that the table has not; `near` is what may have been meant, or empty."""
    return FeltError("key.unknown", why + (f'; did you mean "{near}"?' if near else ""))
