"""What a game keeps of its own: only the game knows its type, and snapshots keep it encoded."""

from __future__ import annotations

from copy import copy
from typing import ClassVar, Final, Self, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class Flat(msgspec.Struct):
    """A struct whose lists and maps hold nothing that changes: a copy need not look into them, long as they are."""

    parts: ClassVar[tuple[str, ...]]  # the fields with lists and maps

    def copied(self) -> Self:
        """Returns an independent copy."""
        new = copy(self)
        for name in self.parts:
            setattr(new, name, getattr(self, name).copy())
        return new


F = TypeVar("F", bound=Flat)


def flat(kind: type[F]) -> type[F]:
    """Declares a struct flat, and finds its lists and maps."""
    fields = msgspec.structs.fields(kind)
    kind.parts = tuple(field.name for field in fields if field.default_factory in (list, dict))
    return kind


class Play:
    """One value of a game's own type, or nothing; encoded until the game asks for it."""

    __slots__ = ("_data", "_name", "_value")

    def __init__(self, value: msgspec.Struct | None = None) -> None:
        self._value = value
        self._name = type(value).__name__ if value is not None else ""
        self._data = b""

    def read(self, kind: type[T]) -> T | None:
        """Returns the value, to be changed in place by a step; None when there is none of this kind."""
        if self._name != kind.__name__:
            return None
        if self._value is None:
            self._value = msgspec.msgpack.decode(self._data, type=kind)
        if not isinstance(self._value, kind):
            raise TypeError(f"the table keeps another {kind.__name__}")
        return self._value

    @property
    def kind(self) -> str:
        """The name of the type of its value; "" when there is none."""
        return self._name

    def encoded(self) -> tuple[str, bytes] | None:
        """Returns how it is kept: the name of its kind, and its bytes."""
        if not self._name:
            return None
        return self._name, self._data if self._value is None else msgspec.msgpack.encode(self._value)

    @classmethod
    def decoded(cls, kept: object) -> Play:
        """Returns what was kept; raises msgspec.ValidationError on anything else."""
        if kept is None:
            return NOTHING_PLAYED
        play = cls()
        play._name, play._data = msgspec.convert(kept, tuple[str, bytes])
        return play

    def copied(self) -> Play:
        """Returns an independent copy; nothing stays the one nothing, which no snapshot has."""
        if not self._name:
            return NOTHING_PLAYED
        new, value = Play(), self._value
        new._name = self._name
        if isinstance(value, Flat):
            new._value = value.copied()
        else:
            new._data = self._data if value is None else msgspec.msgpack.encode(value)
        return new

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return False
        if self._value is None or other._value is None:
            return self.encoded() == other.encoded()
        return self._value == other._value

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"Play({self._name})"  # never its cards


NOTHING_PLAYED: Final = Play()  # where a game keeps nothing; the one that is not written into snapshots
