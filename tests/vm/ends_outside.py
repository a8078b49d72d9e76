"""Simulated devices in a process of this machine, each behind a TCP port: they outlive the machine under test."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from hw_sim.control import SOCKET, ControlClient
from hw_sim.tcp import PORTS

ROOT: Final = Path(__file__).parents[2]


class Outside:
    """One process with these devices; they stay as they are while the machine is off, and keep their ports for ever."""

    def __init__(self, directory: Path, names: Sequence[str], seats: int, protocols: Sequence[str] = ()) -> None:
        self._control = directory / SOCKET
        self.ports = dict(zip(names, random.sample(PORTS, len(names)), strict=True))
        words = [sys.executable, "-m", "tests.vm.inside.ends", str(directory), "--seats", str(seats)]
        words += [word for name, port in self.ports.items() for word in ("--wire", f"{name}=port:{port}")]
        self._command = [*words, *(word for protocol in protocols for word in ("--protocol", protocol))]
        self._process: subprocess.Popen[bytes] | None = None
        self.renew()

    def renew(self) -> None:
        """Puts new devices in the place of these, with nothing in their memory, as a new table has them."""
        self.close()
        process = subprocess.Popen(self._command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self._process = process
        assert process.stdout is not None
        if not process.stdout.readline():
            raise OSError(f"simulated devices did not start: {' '.join(self._command)}")

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Asks the devices; SimError when they say no."""
        with ControlClient(self._control) as client:
            return client.request(request)

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        assert process.stdout is not None
        process.stdout.close()
