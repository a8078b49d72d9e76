"""What can go wrong on a wire, between the device's end and the wire itself, in both directions, repeatably."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from typing import Any

from hw_sim.errors import SimError, unknown
from hw_sim.wire import Deliver, Lane, Wire

WIRE_FAULTS = ("split", "drop", "corrupt", "duplicate", "reorder", "delay", "babble", "hang", "unplug", "power")
NOISE_BYTES = 20
NOISE_EVERY = 0.05  # seconds
_LONGEST_PIECE = 4096  # a stream without delimiters is passed on in pieces of this size
_COUNTED = ("drop", "corrupt", "duplicate", "reorder")
Cut = Callable[[bytes], tuple[list[bytes], bytes]]
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_LONGEST = 10.0**9  # seconds: thirty years


class FaultyWire:
    """A wire with faults, in the place of the device's own; any faults may be in force together.

    `reboot` is what the fault `power` does to the device.  `cutter` finds frames in a stream of bytes.
    """

    def __init__(self, wire: Wire, reboot: Callable[[], None], *, seed: str = "", cutter: Cut | None = None) -> None:
        self._wire = wire
        self._reboot = reboot
        self._seed = seed
        self.cut = cutter or cut
        self._random: random.Random | None = None  # made when first needed: most devices never fail
        self._received: Deliver | None = None
        self._up = _Direction(self, wire.send)
        self._down = _Direction(self, self._to_device)
        self._counts = dict.fromkeys(_COUNTED, 0)
        self._babble: asyncio.TimerHandle | None = None
        self._running = False
        self._troubled = False  # False: the short way, untouched
        self.split = False
        self.delay = 0.0
        self.hung = False
        wire.attach(self._from_controller)

    @property
    def active(self) -> list[str]:
        """Names of the faults in force."""
        if not self._troubled:
            return [] if self._wire.plugged else ["unplug"]
        state: dict[str, bool] = {
            "split": self.split,
            **{name: count > 0 for name, count in self._counts.items()},
            "reorder": self._counts["reorder"] > 0 or self._up.holding or self._down.holding,
            "delay": self.delay > 0,
            "babble": self._babble is not None,
            "hang": self.hung,
            "unplug": not self._wire.plugged,
        }
        return [name for name, on in state.items() if on]

    def attach(self, received: Deliver) -> None:
        """Sets who gets what the controller sends."""
        self._received = received

    def send(self, data: bytes) -> None:
        """Sends bytes from the device to the controller."""
        if not self._troubled:
            self._wire.send(data)
        elif not self.hung:
            self._up.put(data)

    def start(self) -> None:
        """Plugs the device in."""
        self._running = True
        self._wire.plug()

    def stop(self) -> None:
        """Takes the device away."""
        self._running = self._troubled = False
        self._calm()
        self._unplug()

    def inject(self, name: str, *args: Any) -> None:
        """Begins a fault: `drop`, `corrupt`, `duplicate`, `reorder` take how many frames [1], `delay` how long."""
        if name not in WIRE_FAULTS:
            raise unknown("fault of a wire", name, WIRE_FAULTS)
        fewest, most = (1, 1) if name == "delay" else (0, 1) if name in _COUNTED else (0, 0)
        if not fewest <= len(args) <= most:
            raise SimError(f"{name} takes {most} argument{'s' * (most != 1)}, not {len(args)}")
        self._troubled = self._troubled or name not in ("unplug", "power")
        if name in _COUNTED:
            self._counts[name] = _count(args[0] if args else 1)
        elif name == "delay":
            self.delay = duration(args[0])
        elif name == "split":
            self.split = True
        elif name == "hang":
            self.hung = True
        elif name == "babble":
            self._make_noise()
        elif name == "unplug":
            self._unplug()
        else:
            self._reboot()

    def clear(self) -> None:
        """Ends all faults of the wire; what was delayed arrives now."""
        self._calm()
        self._up.release()
        self._down.release()
        # While delayed chunks are still under way, the short way would overtake them.
        self._troubled = bool(self._up.busy or self._down.busy)
        if self._running:
            self._wire.plug()

    def mangle(self, frame: bytes) -> list[bytes]:
        """Returns what becomes of one frame: none, one or two."""
        counts = self._counts
        if counts["drop"]:
            counts["drop"] -= 1
            return []
        if counts["corrupt"]:
            counts["corrupt"] -= 1
            frame = self._flip_a_bit(frame)
        if counts["duplicate"]:
            counts["duplicate"] -= 1
            return [frame, frame]
        return [frame]

    def overtaken(self) -> bool:
        """Tells whether the next frame in its direction arrives before this one."""
        late = self._counts["reorder"] > 0
        self._counts["reorder"] -= late
        return late

    @property
    def counting(self) -> bool:
        """Whether a fault is in force that looks at frames."""
        return any(self._counts.values())

    def _calm(self) -> None:
        self.split = self.hung = False
        self.delay = 0.0
        self._counts = dict.fromkeys(_COUNTED, 0)
        if self._babble is not None:
            self._babble.cancel()
            self._babble = None

    def _unplug(self) -> None:
        self._up.lose()
        self._down.lose()
        self._wire.unplug()

    def _from_controller(self, data: bytes) -> None:
        if self._troubled:
            self._down.put(data)
        elif self._received is not None:
            self._received(data)

    def _to_device(self, data: bytes) -> None:
        if self._received is not None and not self.hung:
            self._received(data)

    def _make_noise(self) -> None:
        if self._babble is not None:
            self._babble.cancel()
        self._babble = asyncio.get_running_loop().call_later(NOISE_EVERY, self._make_noise)
        self._up.forward(self._chance().randbytes(NOISE_BYTES))

    def _flip_a_bit(self, frame: bytes) -> bytes:
        """Changes one bit of the content, not of a delimiter."""
        chance = self._chance()
        where = chance.choice([index for index, byte in enumerate(frame) if byte] or [0])
        return frame[:where] + bytes([frame[where] ^ 1 << chance.randrange(8)]) + frame[where + 1 :]

    def _chance(self) -> random.Random:
        if self._random is None:
            self._random = random.Random(self._seed)
        return self._random


class _Direction:
    """One direction of a troubled wire."""

    def __init__(self, faults: FaultyWire, deliver: Deliver) -> None:
        self._faults = faults
        self._deliver = deliver
        self._lane = Lane(deliver)
        self._rest = b""  # the beginning of a frame
        self._late: list[bytes] = []  # a frame that waits to be overtaken

    @property
    def holding(self) -> bool:
        """Whether a frame waits to be overtaken."""
        return bool(self._late)

    @property
    def busy(self) -> bool:
        """Whether delayed bytes are under way."""
        return len(self._lane) > 0

    def put(self, data: bytes) -> None:
        """Takes bytes and passes on what the faults leave of their frames."""
        if not self._faults.counting and not self._late:
            data, self._rest = self._rest + data, b""
            self.forward(data)
            return
        frames, self._rest = self._faults.cut(self._rest + data)
        for frame in frames:
            pieces = self._faults.mangle(frame)
            if pieces and not self._late and self._faults.overtaken():
                self._late = pieces
                continue
            late, self._late = (self._late, []) if pieces else ([], self._late)
            for piece in (*pieces, *late):
                self.forward(piece)

    def forward(self, data: bytes) -> None:
        """Passes a frame on, past the faults that count frames."""
        chunks = [data[index : index + 1] for index in range(len(data))] if self._faults.split else [data]
        for chunk in chunks:
            if self._faults.delay or self.busy:
                self._lane.put(chunk, self._faults.delay)
            else:
                self._deliver(chunk)

    def release(self) -> None:
        """Delivers at once what was held back or delayed."""
        data, self._late, self._rest = b"".join((*self._late, self._rest)), [], b""
        if data:
            self._lane.put(data)
        self._lane.deliver_now()

    def lose(self) -> None:
        """Drops what was held back or delayed."""
        self._late, self._rest = [], b""
        self._lane.clear()


def cut(data: bytes) -> tuple[list[bytes], bytes]:
    """Returns the whole frames with their delimiters, and the beginning of the next one.

    >>> cut(b"\\0ab\\0\\0cd\\0\\0e")
    ([b'\\x00ab\\x00', b'\\x00cd\\x00'], b'\\x00e')
    """
    frames: list[bytes] = []
    start = 0
    for match in re.finditer(rb"\0*[^\0]+\0", data):
        frames.append(match[0])
        start = match.end()
    rest = data[start:]
    if len(rest) > _LONGEST_PIECE:
        frames.append(rest)
        rest = b""
    return frames, rest


def duration(value: object) -> float:
    """Returns the seconds of a script's duration, or of a plain number of seconds; SimError for any other.

    >>> duration("19m59s")
    1199.0
    """
    seconds: float = -1
    if isinstance(value, str) and re.fullmatch(r"(?:[0-9]{1,9}(?:h|ms|m|s))+", value):
        seconds = sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"([0-9]+)(h|ms|m|s)", value))
    elif isinstance(value, int | float):
        seconds = value
    if 0 <= seconds <= _LONGEST:
        return float(seconds)
    raise SimError(f"no duration {value!r}; as in 500ms, 90s, 19m59s, 1h")


def _count(value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = 0
    if number < 1:
        raise SimError(f"{value!r} is not a number of frames")
    return number
