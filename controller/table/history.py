"""What has happened in the round so far, shared by all tables of the round instead of copied by each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, overload

if TYPE_CHECKING:
    from controller.table.state import Seen


class History(Sequence["Seen"]):
    """The facts of a round in their order; never changes.

    `then` gives the history with one fact more.  Both stand on the same list and differ in how much of it they see, so
    that a fact costs the same however many came before it.
    """

    __slots__ = ("_length", "_log")

    def __init__(self, seen: Sequence[Seen] = ()) -> None:
        self._log = list(seen)
        self._length = len(self._log)

    def then(self, seen: Seen) -> History:
        """Returns this history with one fact more."""
        log = self._log if len(self._log) == self._length else self._log[: self._length]  # somebody told it otherwise
        log.append(seen)
        longer = History.__new__(History)
        longer._log, longer._length = log, self._length + 1
        return longer

    def position(self, seq: int) -> int | None:
        """Returns where the fact with this number stands; None when it is not of this round."""
        return next((n for n, seen in enumerate(self) if seen.seq == seq), None)

    def shares(self, other: History) -> bool:
        """Tells whether both stand on the same list."""
        return self._log is other._log

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Seen]:
        log = self._log
        return (log[n] for n in range(self._length))

    @overload
    def __getitem__(self, index: int) -> Seen: ...

    @overload
    def __getitem__(self, index: slice) -> list[Seen]: ...

    def __getitem__(self, index: int | slice) -> Seen | list[Seen]:
        if isinstance(index, slice):
            return [self._log[n] for n in range(*index.indices(self._length))]
        return self._log[range(self._length)[index]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"History({list(self)!r})"


NOTHING: Final = History()  # before the first fact of a round; the one that is not written into snapshots
