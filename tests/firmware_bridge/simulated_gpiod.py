"""Chips of pins behind the interface of libgpiod's module, for machines whose kernel has none.

The kernel's own simulated chips are tried where there is a kernel for it: tests/vm.
"""

from __future__ import annotations

import enum
import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar


class Value(enum.Enum):
    INACTIVE = 0
    ACTIVE = 1


class Direction(enum.Enum):
    INPUT = 1
    OUTPUT = 2


class Bias(enum.Enum):
    DISABLED = 1
    PULL_UP = 2
    PULL_DOWN = 3


class Edge(enum.Enum):
    NONE = 0
    BOTH = 3


class EdgeType(enum.Enum):
    RISING_EDGE = 1
    FALLING_EDGE = 2


@dataclass
class LineSettings:
    direction: Direction
    output_value: Value = Value.INACTIVE
    edge_detection: Edge = Edge.NONE
    bias: Bias = Bias.DISABLED


@dataclass(frozen=True)
class EdgeEvent:
    Type: ClassVar = EdgeType  # as the library has it
    line_offset: int
    event_type: EdgeType


@dataclass
class Silicon:
    """One chip, as it is whoever looks: levels, who uses which pin, whether it is still plugged in."""

    name: str
    label: str
    count: int = 28
    levels: dict[int, Value] = field(default_factory=dict)
    users: dict[int, str] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    refuses: int = 0  # with this errno
    gone: bool = False

    def level(self, pin: int) -> int:
        return self.levels.get(pin, Value.INACTIVE).value

    def drive(self, pin: int, level: int) -> None:
        """Somebody outside drives an input."""
        self.levels[pin] = Value(level)
        for request in self.requests:
            request.notice(pin, level)

    def unplug(self) -> None:
        self.gone = True
        for request in self.requests:
            request.wake()

    def check(self) -> None:
        if self.gone:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))


class Request:
    """Lines that the kernel has given to one process."""

    def __init__(self, chip: Silicon, config: dict[int, LineSettings]) -> None:
        self.chip, self.config = chip, config
        self.fd, self._waker = os.pipe()
        self._events: list[EdgeEvent] = []
        for pin, settings in config.items():
            if settings.direction is Direction.OUTPUT:
                chip.levels[pin] = settings.output_value
            elif pin not in chip.levels:
                chip.levels[pin] = Value(int(settings.bias is Bias.PULL_UP))

    def notice(self, pin: int, level: int) -> None:
        if pin in self.config and self.config[pin].edge_detection is Edge.BOTH:
            self._events.append(EdgeEvent(pin, EdgeType.RISING_EDGE if level else EdgeType.FALLING_EDGE))
            self.wake()

    def wake(self) -> None:
        os.write(self._waker, b"!")

    def read_edge_events(self) -> list[EdgeEvent]:
        self.chip.check()
        os.read(self.fd, 4096)
        events, self._events = self._events, []
        return events

    def get_values(self, pins: Iterable[int]) -> list[Value]:
        self.chip.check()
        return [self.chip.levels[pin] for pin in pins]

    def set_values(self, values: dict[int, Value]) -> None:
        self.chip.check()
        assert all(self.config[pin].direction is Direction.OUTPUT for pin in values)
        self.chip.levels |= values

    def release(self) -> None:
        self.chip.requests.remove(self)
        for pin in self.config:
            del self.chip.users[pin]
        os.close(self.fd)
        os.close(self._waker)


class Library:
    """What `import gpiod` gives on a machine with these chips, whose nodes lie in a folder."""

    api_version = "2.3"
    LineSettings = LineSettings
    line = SimpleNamespace(Value=Value, Direction=Direction, Bias=Bias, Edge=Edge)

    def __init__(self, folder: Path, *chips: Silicon) -> None:
        self.chips = {str(folder / chip.name): chip for chip in chips}
        self.open = 0
        for node in self.chips:
            Path(node).touch()

    def Chip(self, path: str) -> Chip:
        chip = self.chips[path]
        if chip.refuses:
            raise OSError(chip.refuses, os.strerror(chip.refuses))
        self.open += 1
        return Chip(self, chip)


class Chip:
    def __init__(self, library: Library, chip: Silicon) -> None:
        self._library, self._chip = library, chip

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._library.open -= 1

    def get_info(self) -> Any:
        return SimpleNamespace(name=self._chip.name, label=self._chip.label, num_lines=self._chip.count)

    def get_line_info(self, pin: int) -> Any:
        return SimpleNamespace(used=pin in self._chip.users, consumer=self._chip.users.get(pin, ""))

    def request_lines(self, config: dict[int, LineSettings], consumer: str) -> Request:
        self._chip.check()
        if any(pin in self._chip.users for pin in config):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self._chip.users |= dict.fromkeys(config, consumer)
        request = Request(self._chip, config)
        self._chip.requests.append(request)
        return request
