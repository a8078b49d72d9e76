"""Pins of the computer itself as a wire: two bytes a piece, a pin and its level.

Write `pin level` to drive an output, `LEVELS` to be told every level.  Edges of inputs come by themselves, bounces and
all.  Outputs are at their resting level from opening to the first word, and before closing.  gpiozero does the work, by
a pin factory that the address names: which one is used is never left to chance.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from firmware_bridge.access import refusal, refused
from firmware_bridge.transport import Receiver, TransportError

LEVELS: Final = b"\xff"
DESCRIPTION: Final = 0xFE  # first byte of what is told once, at opening: factory and board; the library's version
LAST_PIN: Final = 27  # of the header, by the numbers of the chip (BCM)
FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "native": ("gpiozero.pins.native", "NativeFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}
LOW: Final = 0
HIGH: Final = 1
PULLS: Final[Mapping[str, bool | None]] = MappingProxyType({"up": True, "down": False, "none": None})
DEV: Final = Path("/dev")
NODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(  # in it, what a factory opens; a board has one or two
    {"lgpio": ("gpiochip*",), "rpigpio": ("gpiomem*", "gpiochip*"), "native": ("gpiomem*",)}
)
_STEP: Final = "take gpio://gpiod, or install the system's package: apt install python3-rpi-lgpio"

_factories: Final[dict[str, Any]] = {}  # one per process: a chip has one owner


def pin_factory(name: str) -> Any:
    """Returns the pin factory of this process.

    TransportError says why there is none: the library, the pins, or permission.
    """
    if name in _factories:
        return _factories[name]
    # lgpio leaves a pipe in its working directory, at import, wherever that is.
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or tempfile.gettempdir())
    if name == "rpigpio" and _version("RPi.GPIO") and _version("rpi-lgpio"):
        cause = "RPi.GPIO and rpi-lgpio are both installed and overwrite each other: uninstall RPi.GPIO"
        raise TransportError("gpio.no-factory", f"{name}: {cause}")
    module, maker = FACTORIES[name]
    try:
        _factories[name] = getattr(import_module(module), maker)()
    except AttributeError as error:  # an empty lgpio: there is no wheel for this Python, and pip took a stub
        raise TransportError("gpio.no-factory", f"{name}: lgpio is an empty stub: {_STEP}") from error
    except ImportError as error:
        raise TransportError("gpio.no-factory", f"{name}: {error}: {_STEP}") from error
    except Exception as error:  # gpiozero's, lgpio's and RPi.GPIO's own have nothing in common
        raise _unusable(name, error) from error
    return _factories[name]


def _unusable(name: str, error: Exception) -> TransportError:
    """Returns why the library fails although it is there.  It seldom says why itself: the pins' own nodes do."""
    nodes = [str(node) for pattern in NODES.get(name, ()) for node in sorted(DEV.glob(pattern))]
    for node in nodes:
        if number := refused(node):
            kind, cause = refusal(number, node)
            return TransportError(f"gpio.{kind}", f"{name}: {node}: {cause}")
    if not nodes and name in NODES:
        wanted = " or ".join(f"{DEV}/{pattern}" for pattern in NODES[name])
        return TransportError("gpio.missing", f"{name}: this computer has no pins: there is no {wanted}")
    cause = f"{name}: {type(error).__name__} {error}: the library does not know this board"
    return TransportError("gpio.no-board", cause)


def _version(package: str) -> str:
    """Returns the version of an installed package; empty when it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


class GpioTransport:
    """A wire of pins: outputs, each with its resting level; inputs, each with what pulls it.  1 is high, 0 is low."""

    def __init__(
        self,
        factory: str,
        outputs: Mapping[int, int],
        inputs: Mapping[int, str],
        *,
        find_factory: Callable[[str], Any] = pin_factory,
    ) -> None:
        self.factory = factory
        self._outputs = dict(sorted(outputs.items()))
        self._inputs = dict(sorted(inputs.items()))
        self._find_factory = find_factory
        self._pins: dict[int, Any] = {}  # gpiozero devices
        self._receiver: Receiver | None = None

    async def open(self, receiver: Receiver) -> None:
        if self._receiver is not None:
            raise TransportError("gpio.busy", f"{self.factory}: opened already")
        factory = self._find_factory(self.factory)
        loop = asyncio.get_running_loop()
        self._receiver = receiver
        try:
            for pin in (*self._outputs, *self._inputs):
                self._pins[pin] = self._claim(pin, factory, loop)
        except TransportError:
            await self.close()
            raise
        board = getattr(getattr(factory, "board_info", None), "model", "unknown board")
        library = ".".join(itertools.takewhile(str.isdigit, _version("gpiozero").split(".")))
        receiver.received(bytes([DESCRIPTION]) + f"{type(factory).__name__} on {board}\n{library}".encode())

    def write(self, data: bytes) -> None:
        if self._receiver is None:
            return
        try:
            if data == LEVELS:
                levels = b"".join(bytes([pin, int(device.pin.state)]) for pin, device in self._pins.items())
                asyncio.get_running_loop().call_soon(self._pass_on, self._receiver, levels)
            else:
                for pin, level in zip(data[::2], data[1::2], strict=True):
                    self._pins[pin].value = level
        except Exception as error:  # as above
            self._lose(TransportError("gpio.lost", f"{self.factory}: {type(error).__name__} {error}"))

    async def close(self) -> None:
        self._receiver = None
        self._release()

    # ---- pins

    def _claim(self, pin: int, factory: Any, loop: asyncio.AbstractEventLoop) -> Any:
        import gpiozero

        try:
            if pin in self._outputs:
                return gpiozero.DigitalOutputDevice(pin, initial_value=bool(self._outputs[pin]), pin_factory=factory)
            pull = PULLS[self._inputs[pin]]
            floating = True if pull is None else None  # gpiozero asks for it then; we tell high and low all the same
            device = gpiozero.DigitalInputDevice(pin, pull_up=pull, active_state=floating, pin_factory=factory)
            device.when_activated = device.when_deactivated = lambda: self._edge(pin, device, loop)
            return device
        except gpiozero.GPIOPinInUse as error:
            raise TransportError("gpio.pin", f"{self.factory}: pin {pin} is used by something else here") from error
        except RuntimeError as error:  # the original RPi.GPIO on a kernel that took its interface away
            cause = f"{self.factory}: pin {pin}: {error}: on this kernel, take gpio://lgpio"
            raise TransportError("gpio.pin", cause) from error
        except Exception as error:  # as above
            raise TransportError("gpio.pin", f"{self.factory}: pin {pin}: {type(error).__name__} {error}") from error

    def _edge(self, pin: int, device: Any, loop: asyncio.AbstractEventLoop) -> None:
        """Passes the new level of an input to the loop; called by a thread of the library."""
        try:
            loop.call_soon_threadsafe(self._pass_on, self._receiver, bytes([pin, int(device.pin.state)]))
        except RuntimeError:
            pass  # the loop is closed

    def _pass_on(self, receiver: Receiver | None, data: bytes) -> None:
        if receiver is not None and self._receiver is receiver:
            receiver.received(data)

    # ---- the end

    def _lose(self, why: TransportError) -> None:
        self._release()
        _factories.pop(self.factory, None)  # the next one may be sound
        receiver = self._receiver
        asyncio.get_running_loop().call_soon(self._report_lost, receiver, why)

    def _report_lost(self, receiver: Receiver | None, why: TransportError) -> None:
        if receiver is not None and self._receiver is receiver:
            self._receiver = None
            receiver.lost(why)

    def _release(self) -> None:
        pins, self._pins = self._pins, {}
        for pin, device in pins.items():
            try:
                if pin in self._outputs:
                    device.value = self._outputs[pin]
            except Exception:  # as above
                pass  # it is let go all the same
            try:
                device.close()
            except Exception:  # as above; the kernel lets go of what we cannot
                continue
