"""What people ask at every door where they can sign in."""

from __future__ import annotations

from typing import Final, TypedDict

import msgspec

from controller.service.routes import ErrorShown, Route

SIGNED_IN: Final = "who is signed in"
FOR_EVERYBODY: Final = "whoever has a badge and its PIN"


class SignInWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to sign in."""

    badge: str
    pin: str
    role: str = ""  # another one than the highest

    def __repr__(self) -> str:
        return f"SignInWish(badge={self.badge!r}, withheld)"


class KeyWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to press a key."""

    key: str
    args: tuple[str, ...] = ()


class DeviceReset(TypedDict):
    """The faults that a device was led out of."""

    device: str
    reset: list[str]


class Me(TypedDict, total=False):
    """Who is signed in with a request; the token and the word for writes are told to who signs in alone."""

    signed_in: bool
    person: str
    role: str
    place: str
    left: int  # seconds
    token: str
    csrf: str


class KeyPrompt(TypedDict):
    """What a key led people to be told."""

    role: str
    text: str
    rule: str
    place: str


class KeyRuling(TypedDict):
    """What a key ruled."""

    ruling: str
    rule: str
    text: str


class Pressed(TypedDict, total=False):
    """What became of a key."""

    accepted: bool
    seq: int
    prompts: list[KeyPrompt]
    rulings: list[KeyRuling]
    error: ErrorShown


ME: Final = Route("GET", "/me", "Tells who is signed in with this request.", Me, refuses=(403,))
SIGN_IN: Final = Route(
    "POST", "/sign-in", "Opens a session by badge and PIN.", Me, takes=SignInWish, who=FOR_EVERYBODY, refuses=(401, 429)
)
SIGN_OUT: Final = Route("POST", "/sign-out", "Ends the session of this request.", Me, who=SIGNED_IN, refuses=(401,))
PRESS: Final = Route(
    "POST",
    "/keys",
    "Presses a key of the console; the table's rules may refuse it.",
    Pressed,
    takes=KeyWish,
    who=SIGNED_IN,
    refuses=(401, 409),
)
