"""The processor of a simulated device: firmware in two slots, started and restarted, around its end of the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from firmware_bridge.messages import (
    Command,
    Event,
    FlashBegin,
    FlashConfirm,
    FlashFinish,
    FlashSwitch,
    FlashWrite,
    Identity,
    Reply,
)
from hw_sim.device import DeviceEnd
from hw_sim.line import Line
from hw_sim.models.base import Model

if TYPE_CHECKING:  # ciphers are loaded only where firmware is signed
    from hw_sim.slots import Slots

START = 0.05  # seconds to start
WATCHDOG = 2.0  # seconds until firmware that does not start is given up
TRIAL = 20.0  # seconds that firmware on trial waits for its confirmation
_ABOUT_FIRMWARE = (FlashBegin, FlashWrite, FlashFinish, FlashSwitch, FlashConfirm)


class Board:
    """The board of a device: an `End` that can be restarted by its own firmware."""

    def __init__(
        self,
        identity: Identity,
        model: Model,
        send: Callable[[bytes], None],
        key: bytes | None = None,
        signers: Sequence[bytes] = (),
        line: Line | None = None,
    ) -> None:
        self.end = DeviceEnd(identity, self._execute, send, model.safe, key, line)
        self._model = model
        self._identity = identity
        self._signers = signers
        self._slots: Slots | None = None
        self._starting = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def pending(self) -> int:
        return self.end.pending

    @property
    def firmware(self) -> str:
        """The version that runs."""
        return self._slots.version if self._slots is not None else self._identity.firmware

    def report(self, events: Iterable[Event]) -> None:
        self.end.report(events)

    def received(self, data: bytes) -> None:
        if not self._starting:
            self.end.received(data)

    def restart(self) -> None:
        """Starts anew as after a power cut: firmware that nobody confirmed is gone."""
        self.end.restart()
        self._set_timer()
        self._starting = False
        if self._slots is not None:
            if self._slots.boot():
                self._started()
            else:
                self._set_timer(WATCHDOG, self.restart)
                self._starting = True

    def off(self) -> None:
        """Stops everything that runs."""
        self._set_timer()
        self._starting = False

    def state(self) -> dict[str, Any]:
        """Returns how the board stands, as plain JSON data."""
        end = self.end
        return {
            "firmware": self.firmware,
            "keyed": end.keyed,
            "pairing": end.pairing,
            "code": end.code,
            "tampered": end.tampered,
            "speed": end.line.speed,
        }

    def _execute(self, command: Command) -> tuple[Reply, Iterable[Event]]:
        if not isinstance(command, _ABOUT_FIRMWARE):
            return self._model.execute(command)
        if self._slots is None:
            from hw_sim.slots import Slots

            who = self._identity
            self._slots = Slots(who.family, who.model, who.firmware, self._signers)
        reply = self._slots.execute(command)
        assert reply is not None
        if self._slots.restart_due:
            self._set_timer(START, self._restart_by_itself)
        elif isinstance(command, FlashConfirm) and reply.ok:
            self._set_timer()
        return reply, ()

    def _restart_by_itself(self) -> None:
        self._model.restart()
        self.restart()

    def _started(self) -> None:
        self.end.set_firmware(self.firmware)
        if self._slots is not None and self._slots.trial:
            self._set_timer(TRIAL, self._restart_by_itself)

    def _set_timer(self, after: float = 0.0, then: Callable[[], None] | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if then is not None:
            self._timer = asyncio.get_running_loop().call_later(after, then)
