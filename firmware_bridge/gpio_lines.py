"""Pins of the computer as a wire, by the kernel's own interface (libgpiod): no thread, no board that must be known.

It speaks as `firmware_bridge.gpio` does: `pin level` drives an output, `LEVELS` asks for every level, edges of inputs
come by themselves.  The kernel keeps the edges, in their order, until the loop reads them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from errno import EBUSY
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from firmware_bridge.access import REFUSALS, refusal
from firmware_bridge.gpio import DESCRIPTION, DEV, LEVELS
from firmware_bridge.transport import Receiver, TransportError

GPIOD: Final = "gpiod"  # the name of this way in an address
HEADERS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")  # labels of chips behind the header of a Pi
_BIAS: Final[Mapping[str, str]] = MappingProxyType({"up": "PULL_UP", "down": "PULL_DOWN", "none": "DISABLED"})
_STEP: Final = "pip install gpiod, or name another library in the address (gpio://lgpio)"


def library() -> Any:
    """Returns the module gpiod; TransportError where it is not installed, or an old one of another make is."""
    try:
        import gpiod
        import gpiod.line
    except ImportError as error:
        raise TransportError("gpio.no-factory", f"{GPIOD}: {error}: {_STEP}") from error
    if not hasattr(gpiod, "LineSettings"):
        raise TransportError("gpio.no-factory", f"{GPIOD}: libgpiod 1 is installed, and 2 is needed: {_STEP}")
    return gpiod


class LineTransport:
    """A wire of pins: outputs, each with its resting level; inputs, each with what pulls it.  1 is high, 0 is low."""

    def __init__(
        self,
        chip: str,
        outputs: Mapping[int, int],
        inputs: Mapping[int, str],
        *,
        find_library: Callable[[], Any] = library,
    ) -> None:
        """Prepares the pins of a chip, by its name or label; "" means that of the computer's header."""
        self.chip = chip
        self._outputs = dict(sorted(outputs.items()))
        self._inputs = dict(sorted(inputs.items()))
        self._find_library = find_library
        self._lines: Any = None
        self._high: Any = None  # the library's words for the two levels
        self._low: Any = None
        self._receiver: Receiver | None = None

    async def open(self, receiver: Receiver) -> None:
        if self._receiver is not None:
            raise TransportError("gpio.busy", f"{GPIOD}: opened already")
        gpiod = self._find_library()
        self._high, self._low = gpiod.line.Value.ACTIVE, gpiod.line.Value.INACTIVE
        with self._wanted_chip(gpiod) as chip:
            info = chip.get_info()
            self._lines = self._requested(gpiod, chip)
        self._receiver = receiver
        if self._inputs:
            asyncio.get_running_loop().add_reader(self._lines.fd, self._edges)
        receiver.received(bytes([DESCRIPTION]) + f"{GPIOD} on {info.label} ({info.name})\n{gpiod.api_version}".encode())

    def write(self, data: bytes) -> None:
        if self._receiver is None or self._lines is None:
            return
        try:
            if data == LEVELS:
                pins = (*self._outputs, *self._inputs)
                levels = [value is self._high for value in self._lines.get_values(pins)]
                answer = b"".join(bytes(pair) for pair in zip(pins, levels, strict=True))
                asyncio.get_running_loop().call_soon(self._pass_on, self._receiver, answer)
            else:
                pairs = zip(data[::2], data[1::2], strict=True)
                self._lines.set_values({pin: self._value(level) for pin, level in pairs})
        except OSError as error:
            self._lose(error)

    async def close(self) -> None:
        self._receiver = None
        self._release()

    # ---- pins

    def _wanted_chip(self, gpiod: Any) -> Any:
        """Returns the chip that is wanted, open; TransportError when there is none, or it may not be opened."""
        nodes = sorted(DEV.glob("gpiochip*"))
        if not nodes:
            raise TransportError("gpio.missing", f"{GPIOD}: this computer has no pins: there is no {DEV}/gpiochip*")
        others: dict[str, Path] = {}
        for node in nodes:
            chip = self._opened(gpiod, node)
            info = chip.get_info()
            if self.chip in (info.name, info.label) or (not self.chip and info.label in HEADERS):
                return chip
            chip.close()
            others[f"{info.name} ({info.label})"] = node
        if len(others) == 1 and not self.chip:
            return self._opened(gpiod, next(iter(others.values())))
        wanted = f"no chip is called {self.chip!r}" if self.chip else "none of the chips is that of a known header"
        raise TransportError("gpio.no-board", f"{GPIOD}: {wanted}; there are {', '.join(others)}")

    def _opened(self, gpiod: Any, node: Path) -> Any:
        try:
            return gpiod.Chip(str(node))
        except OSError as error:
            if error.errno in REFUSALS:
                kind, cause = refusal(error.errno, str(node))
                raise TransportError(f"gpio.{kind}", f"{GPIOD}: {node}: {cause}") from error
            raise TransportError("gpio.no-board", f"{GPIOD}: {node}: {os.strerror(error.errno or 0)}") from error

    def _requested(self, gpiod: Any, chip: Any) -> Any:
        """Returns all lines of this wire as the kernel gives them; TransportError names the pin that it does not."""
        count = chip.get_info().num_lines
        if beyond := [pin for pin in (*self._outputs, *self._inputs) if pin >= count]:
            raise TransportError("gpio.pin", f"{GPIOD}: pin {beyond[0]}: the chip has the pins 0 to {count - 1}")
        line = gpiod.line
        settings = {
            pin: gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=self._value(level))
            for pin, level in self._outputs.items()
        }
        for pin, pull in self._inputs.items():
            settings[pin] = gpiod.LineSettings(
                direction=line.Direction.INPUT, edge_detection=line.Edge.BOTH, bias=getattr(line.Bias, _BIAS[pull])
            )
        try:
            return chip.request_lines(config=settings, consumer="feltd")
        except OSError as error:
            raise TransportError("gpio.pin", f"{GPIOD}: {_whose(chip, settings, error)}") from error

    def _value(self, level: int) -> Any:
        return self._high if level else self._low

    def _edges(self) -> None:
        """Passes on the edges that the kernel has kept."""
        try:
            events = self._lines.read_edge_events()
        except OSError as error:
            self._lose(error)
            return
        for event in events:
            self._pass_on(self._receiver, bytes([event.line_offset, event.event_type is event.Type.RISING_EDGE]))

    def _pass_on(self, receiver: Receiver | None, data: bytes) -> None:
        if receiver is not None and self._receiver is receiver:
            receiver.received(data)

    # ---- the end

    def _lose(self, error: OSError) -> None:
        """Lets the pins go, and reports it behind whatever was told before; the chip may have been unplugged."""
        receiver = self._receiver
        self._release()
        why = TransportError("gpio.lost", f"{GPIOD}: {error.strerror or error}")
        asyncio.get_running_loop().call_soon(self._report_lost, receiver, why)

    def _report_lost(self, receiver: Receiver | None, why: TransportError) -> None:
        if receiver is not None and self._receiver is receiver:
            self._receiver = None
            receiver.lost(why)

    def _release(self) -> None:
        lines, self._lines = self._lines, None
        if lines is None:
            return
        asyncio.get_running_loop().remove_reader(lines.fd)
        try:
            if self._outputs:
                lines.set_values({pin: self._value(level) for pin, level in self._outputs.items()})
        except OSError:
            pass  # the chip is gone: it is let go all the same
        lines.release()


def _whose(chip: Any, settings: Mapping[int, Any], error: OSError) -> str:
    """Returns why the kernel refuses the pins: which one is taken, and by whom, where that is the reason."""
    if error.errno == EBUSY:
        for pin in settings:
            info = chip.get_line_info(pin)
            if info.used:
                return f"pin {pin} is used by {info.consumer or 'the kernel'}"
    return f"pins {', '.join(map(str, settings))}: {error.strerror or error}"
