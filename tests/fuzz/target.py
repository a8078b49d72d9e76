"""What is fuzzed: a target makes inputs, which are bytes, changes them, runs them and judges what came of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any, ClassVar

from tests.fuzz import changes


class Finding(AssertionError):
    """What a target's judge does not accept."""


class Target(ABC):
    """One kind of input and the code that must stand it.

    `daily`: how many inputs every test run tries.  `words`: what often stands in such inputs.
    """

    name: ClassVar[str]
    daily: ClassVar[int] = 200
    words: tuple[bytes, ...] = ()

    @abstractmethod
    def seeds(self) -> list[bytes]:
        """Returns inputs to begin with, most of them good."""

    def generate(self, rng: Random) -> bytes:
        """Returns a new input."""
        return self.mutate(rng, rng.choice(self.seeds()))

    def mutate(self, rng: Random, data: bytes) -> bytes:
        """Returns an input that is like another one."""
        return changes.changed(rng, data, self.words, self.seeds())

    @abstractmethod
    def run(self, data: bytes) -> Any:
        """Runs an input; returns what came of it.  Whatever it raises is a finding."""

    def judge(self, data: bytes, outcome: Any) -> None:  # noqa: B027 - most find by running alone
        """Raises Finding when what came of an input cannot be accepted."""

    def smaller(self, data: bytes) -> list[bytes]:
        """Returns inputs that are smaller than this one, the smallest first."""
        return changes.smaller(data)

    def close(self) -> None:  # noqa: B027 - most take nothing
        """Gives back what the target took."""

    def attempt(self, data: bytes) -> None:
        """Runs and judges one input."""
        self.judge(data, self.run(data))


def expect(holds: object, what: str, /, **known: object) -> None:
    """Raises Finding with what is known, unless it holds."""
    if not holds:
        raise Finding(f"{what}: {', '.join(f'{name}={value!r}'[:2000] for name, value in known.items())}")
