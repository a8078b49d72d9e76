"""A device of the reference firmware on an emulated Cortex-M3: its serial ports, and memory that outlives its power."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from tests.reference.process import Reference

MEMORY: Final = 16 << 20  # bytes of the board's PSRAM
ORDERS: Final = {"door open": "D", "door shut": "d", "pairing on": "P", "pairing off": "p", "restart": "R", "tell": "t"}


class Emulated(Reference):
    """Lamps on an emulated board.  What a hand does are letters on its second serial port."""

    def __init__(self, qemu: str, image: Path, folder: Path) -> None:
        super().__init__([], "lamps", folder)
        self.memory = folder / "psram"
        self._qemu = [
            *(qemu, "-display", "none", "-monitor", "none", "-kernel", str(image)),
            *("-machine", "mps2-an385,memory-backend=psram"),
            *("-object", f"memory-backend-file,id=psram,mem-path={self.memory},size={MEMORY},share=on"),
            *("-chardev", "pty,id=wire", "-serial", "chardev:wire"),
            *("-chardev", "stdio,id=hand,signal=off", "-serial", "chardev:hand"),
        ]
        self._held = -1

    def start(self, *more: str) -> Emulated:
        if not self.memory.exists():
            with self.memory.open("wb") as memory:
                memory.truncate(MEMORY)
        before = len(self.lines)
        self._launch([*self._qemu, *more], [])

        def pty() -> list[str]:
            return [line.split()[4] for line in self.lines[before:] if "redirected to" in line]

        self.wait(lambda _: bool(pty()))
        self._held = os.open(pty()[0], os.O_RDWR | os.O_NOCTTY)  # the emulator looks for a reader once a second only
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(pty()[0])
        self.wait(lambda lines: {"seed", "ready"} & set(lines[before:]) != set())
        if "ready" not in self.lines[before:]:
            self._order("s" + secrets.token_hex(8))
            self.wait(lambda lines: "ready" in lines[before:])
        return self

    def set_key(self, key: bytes) -> None:
        """Puts a key there, as a factory does."""
        before = len(self.lines)
        self._order("k" + key.hex())
        self.wait(lambda lines: any(line.startswith("device") for line in lines[before:]))

    def hand(self, line: str, answer: str = "done") -> str:
        before = len(self.lines)
        awaited = "ready" if line == "restart" else "device"

        def answers() -> list[str]:
            return [said for said in self.lines[before:] if said.startswith(awaited)]

        self._order(ORDERS[line])
        self.wait(lambda _: bool(answers()))
        return answers()[0]

    def put_away(self) -> None:
        self.kill()

    def _order(self, letters: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(letters)
        self._process.stdin.flush()

    def _end(self) -> int:
        status = super()._end()
        os.close(self._held)
        return status
