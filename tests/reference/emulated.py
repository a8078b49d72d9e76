"""Devices of the reference firmware on an emulated Cortex-M3: serial ports, and flash that outlives their power."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final, Self

from tests.reference.cable import Cabled
from tests.reference.process import Reference

MEMORY: Final = 16 << 20  # bytes of the board's PSRAM
MACHINE: Final = "mps2-an385"


class Emulated(Reference):
    """A device on an emulated board, whose first serial port is a pseudo-terminal, and the second one the hand's lines.

    The command is the emulator, and the folder in which `make mps2` has built.
    """

    def __init__(self, command: list[str], family: str, folder: Path, **options: str) -> None:
        super().__init__(command, family, folder, **options)
        qemu, built = command
        self._settings = options
        self._qemu = [
            *(qemu, "-display", "none", "-monitor", "none", "-kernel", f"{built}/felt-mps2-{family}.elf"),
            *("-machine", f"{MACHINE},memory-backend=psram"),
            *("-object", f"memory-backend-file,id=psram,mem-path={self.flash},size={MEMORY},share=on"),
            *("-chardev", "stdio,id=hand,signal=off"),
        ]
        self._held = -1

    def start(self, *more: str) -> Self:
        before = len(self.lines)
        if not self.flash.exists():
            with self.flash.open("wb") as memory:
                memory.truncate(MEMORY)
        wire, handed = self._wire()
        self._launch([*self._qemu, *wire, "-serial", "chardev:wire", "-serial", "chardev:hand", *more], handed)
        self.wait(lambda lines: "settings" in lines[before:])
        if not handed:
            self._hold(next(line.split()[4] for line in self.lines[before:] if "redirected to" in line))
        self._set()
        self.wait(lambda lines: "ready" in lines[before:])
        return self

    def _wire(self) -> tuple[list[str], list[int]]:
        return ["-chardev", "pty,id=wire"], []

    def _handed(self, number: int) -> list[str]:
        return ["-chardev", f"socket,id=wire,fd={number}"]

    def _hold(self, pty: str) -> None:
        """Keeps a reader at the pseudo-terminal, for the emulator looks only once a second whether there is one."""
        self._held = os.open(pty, os.O_RDWR | os.O_NOCTTY)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(pty)

    def _set(self) -> None:
        """Says what a factory would, and what the board cannot have: chance."""
        assert self._process is not None and self._process.stdin is not None
        settings = {"seed": secrets.token_hex(32), **self._settings}
        for name, value in settings.items():
            self._process.stdin.write(f"{name.replace('_', '-')} {value}\n")
        self._process.stdin.write("start\n")

    def stop(self) -> int:
        """Takes its power away: nothing else ends an emulator."""
        self.kill()
        assert "there is no such setting" not in self.lines
        return 0

    def _end(self) -> int:
        status = super()._end()
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
        return status


class CabledEmulated(Cabled, Emulated):
    """The same behind a cable on which everything can go wrong."""
