"""What a detector finds: the same words for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from controller.table.shoe import Out

Kind: TypeAlias = Literal["cards", "order", "takes", "pace", "win", "door", "forced", "pins"]


class Suspicion(msgspec.Struct, frozen=True):
    """Something that a person should look at.

    `cards` are those that it is about.  `text` holds while they may not be named; `named` has "{}" in their place.
    """

    kind: Kind
    about: str  # the same whenever it is about the same
    text: str
    step: str
    round: int = 0
    named: str = ""
    cards: tuple[Out, ...] = ()


Suspicions: TypeAlias = Iterator[Suspicion]
