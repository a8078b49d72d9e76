"""Simulated devices in a process of this machine, each behind a TCP port: they outlive the machine under test."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hw_sim.control import ControlClient


class Outside:
    """One process of `hw_sim serve`; its devices stay as they are while the machine is off."""

    def __init__(self, directory: Path, seats: int, protocols: Sequence[str] = ()) -> None:
        words = [
            sys.executable,
            "-m",
            "hw_sim",
            "serve",
            "--directory",
            str(directory),
            "--wire",
            "tcp",
            "--seats",
            str(seats),
        ]
        words += [word for protocol in protocols for word in ("--protocol", protocol)]
        self._process = subprocess.Popen(
            [*words, "--until-stdin-closes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("hw_sim serve did not start")
        told = json.loads(line)
        self._control = Path(told["control"])
        self.ports = {name: int(address.rpartition(":")[2]) for name, address in told["addresses"].items()}

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Asks the devices; SimError when they say no."""
        with ControlClient(self._control) as client:
            return client.request(request)

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._process.stdout.close()
