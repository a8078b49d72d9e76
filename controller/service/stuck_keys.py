"""Keys of the console that are stuck: their presses are recorded and do nothing until the console frees them."""

from __future__ import annotations

from typing import Final

from controller.table.facts import AnyFact, DeviceCleared, DeviceFault, Key, Noted
from controller.table.faults import STUCK_KEY
from controller.table.state import Table

CODE: Final = STUCK_KEY


class StuckKeys:
    """The keys that are stuck, by console, as far as the devices have said it."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}

    def recover(self, table: Table) -> None:
        """Takes over what the table knows of them after a restart."""
        self._keys = {device: codes[CODE] for device, codes in table.faults.items() if CODE in codes}

    def as_recorded(self, device: str, fact: AnyFact) -> AnyFact:
        """Returns the fact as it is recorded: a press of a stuck key is only noted."""
        match fact:
            case DeviceFault(code=code, detail=key) if code == CODE:
                self._keys[device] = key
            case DeviceCleared(code=code) if code == CODE:
                self._keys.pop(device, None)
            case Key(key) if self._keys.get(device) == key:
                return Noted(device, f"the key {key} is stuck: ignored")
        return fact
