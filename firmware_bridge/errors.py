"""The one base of every error that a person can do something about, and the index of what each code means.

A room declares its codes when it is loaded.  An error that is raised without a step of its own has that of its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

SOME_BUS: Final = "can0"


def topic_of(code: str) -> str:
    """Returns the part of a code before the point.

    >>> topic_of("link.timeout")
    'link'
    """
    return code.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means: its cause in general, what to do next, and which part of the house says it.

    A `*` stands for any characters: a vendor's device has more codes than anybody lists.
    """

    code: str
    cause: str
    step: str  # {bus} is the CAN interface that it is about
    where: str  # for people
    room: str  # the package that declares it
    by_people: str = ""  # what people at the table do, where `step` is for technicians alone

    @property
    def topic(self) -> str:
        """The part before the point."""
        return topic_of(self.code)

    @property
    def any_of_topic(self) -> bool:
        """Whether it stands for whatever its topic has no code of its own for."""
        return self.code.endswith(".*")

    def step_on(self, bus: str = "") -> str:
        """Returns what to do, about this CAN interface."""
        return self.step.replace("{bus}", bus or SOME_BUS)

    @property
    def step_at_table(self) -> str:
        """What people at the table do: they give no commands."""
        return self.by_people or self.step_on()


_DECLARED: Final[dict[str, Code]] = {}


def declare(module: str, where: str, meanings: Mapping[str, tuple[str, str] | tuple[str, str, str]]) -> None:
    """Adds codes to the index, each with its cause and its next step; `module` is the `__name__` of the caller.

    Where that step is a command, what people at the table do stands behind it.
    A code is declared once: ValueError, when another module has it.
    """
    room = module.partition(".codes")[0]
    for name, (cause, step, *by_people) in meanings.items():
        code = Code(name, cause, step, where, room, *by_people)
        if _DECLARED.setdefault(name, code) != code:
            raise ValueError(f"{name} is declared by {_DECLARED[name].room} and by {room}")


def declared() -> tuple[Code, ...]:
    """Returns all codes of the rooms that are loaded, in the order of the alphabet."""
    return tuple(_DECLARED[name] for name in sorted(_DECLARED))


def meaning(code: str) -> Code | None:
    """Returns what a code means; None when nobody has declared it, nor one that stands for it.

    >>> meaning("serial.missing").cause
    'The device node of the port is not there, or nothing is behind it.'
    >>> meaning("serial.unheard-of").code
    'serial.*'
    """
    if code in _DECLARED:
        return _DECLARED[code]
    fitting = [known for known in _DECLARED if "*" in known and fnmatchcase(code, known)]
    return _DECLARED[max(fitting, key=_precision)] if fitting else None


def step_for(code: str) -> str:
    """Returns what to do about a code; nothing when nobody has declared it."""
    known = meaning(code)
    return known.step_on() if known is not None else ""


def _precision(pattern: str) -> tuple[bool, int]:
    """Returns how precise a code with a `*` is, to be compared: one for a whole topic is the least precise."""
    return not pattern.endswith(".*"), len(pattern)


class Coded(Exception):
    """An error with a code that never changes, a cause in words, and what to do next.

    >>> error = Coded("serial.missing", "/dev/ttyS9 is not there")
    >>> (error.code, str(error))
    ('serial.missing', 'serial.missing: /dev/ttyS9 is not there')
    >>> error.next_step
    'Plug the device in and check its cable; compare its address with /dev/serial/by-id.'
    """

    def __init__(self, code: str, cause: str, next_step: str = "") -> None:
        super().__init__(f"{code}: {cause}")
        self.code = code
        self.cause = cause
        self.next_step = next_step or step_for(code)
