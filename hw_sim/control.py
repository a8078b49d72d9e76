"""The control channel of a served table: whoever plays dealer, players and bad luck talks here, in JSON lines."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from hw_sim.errors import NO_TABLE, SimError
from hw_sim.table import SimTable

SOCKET = "control.sock"
LONGEST_LINE = 65_536  # bytes
CLIENT_TIMEOUT = 10.0  # seconds


def answer(table: SimTable, line: bytes) -> dict[str, Any]:
    """Carries out one request and returns the answer; every defect of it becomes an answer, never an exception.

    `{"device": "shoe", "do": "draw", "args": ["Kh"]}`, `{"device": "shoe", "fault": "delay", "args": ["50ms"]}`,
    `{"device": "shoe", "clear": true}`, `{"state": true}`.  A bus of CAN devices answers to its kind:
    `{"device": "slcan", "fault": "unplug"}` pulls out its adapter.
    """
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            raise SimError("a request is one JSON object on one line")
        return {"ok": True, **_carry_out(table, request)}
    except SimError as error:
        return {"ok": False, "error": error.cause}
    except Exception as error:  # whatever it broke: its client is told, and the others go on
        return {"ok": False, "error": f"{type(error).__name__}: {error}"}


def _carry_out(table: SimTable, request: dict[str, Any]) -> dict[str, Any]:
    known = {"device", "do", "fault", "clear", "state", "args"}
    wishes = [wish for wish in ("do", "fault", "clear", "state") if wish in request]
    if len(wishes) != 1 or not known.issuperset(request):
        raise SimError("a request has one of do, fault, clear or state, and besides only device and args")
    if wishes == ["state"]:
        return {"devices": {name: device.state() for name, device in table.devices.items()}}
    device = table.cabling.buses.get(str(request.get("device"))) or table.device(str(request.get("device")))
    args = request.get("args", [])
    if not isinstance(args, list):
        raise SimError("args is a list")
    if wishes == ["do"]:
        device.do(str(request["do"]), *args)
    elif wishes == ["fault"]:
        device.fault(str(request["fault"]), *args)
    else:
        device.clear()
    return {}


class ControlServer:
    """Listens on a Unix socket; each client's requests are carried out in the order in which they come."""

    def __init__(self, table: SimTable, path: Path) -> None:
        self.table = table
        self.path = path
        self.clients: set[asyncio.BaseTransport] = set()
        self._server: asyncio.AbstractServer | None = None

    async def start(self) -> None:
        """Begins to listen; a socket left by a process that was killed is replaced."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(lambda: _Session(self), self.path)

    def close(self) -> None:
        """Closes all connections and removes the socket.  Idempotent."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        for client in self.clients:
            client.close()
        self.path.unlink(missing_ok=True)


class _Session(asyncio.Protocol):
    """The connection of one client."""

    def __init__(self, server: ControlServer) -> None:
        self._server = server
        self._rest = b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._server.clients.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.clients.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._reply(answer(self._server.table, line))
        if len(self._rest) > LONGEST_LINE:
            self._rest = b""
            self._reply({"ok": False, "error": "the line is too long"})
            self._transport.close()

    def _reply(self, reply: dict[str, Any]) -> None:
        self._transport.write(json.dumps(reply).encode() + b"\n")


class ControlClient:
    """Talks to a served table, one request at a time; SimError when the table says no."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(CLIENT_TIMEOUT)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._lines = self._socket.makefile("rb")

    def do(self, device: str, verb: str, *args: Any) -> None:
        """Does something at a device."""
        self.request({"device": device, "do": verb, "args": args})

    def fault(self, device: str, name: str, *args: Any) -> None:
        """Begins a fault of a device."""
        self.request({"device": device, "fault": name, "args": args})

    def clear(self, device: str) -> None:
        """Ends all faults of a device."""
        self.request({"device": device, "clear": True})

    def state(self) -> dict[str, dict[str, Any]]:
        """Returns how every device stands, by name."""
        devices: dict[str, dict[str, Any]] = self.request({"state": True})["devices"]
        return devices

    def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Sends any request as it is and returns the reply; SimError when the table refuses or has gone."""
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        line = self._lines.readline()
        if not line:
            raise SimError("the simulated table has gone")
        try:
            reply = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:  # such as the daemon's API, which speaks HTTP
            raise SimError(f"{self._path}: what answers there is no simulated table", NO_TABLE) from None
        if not reply["ok"]:
            raise SimError(reply["error"])
        return reply

    def close(self) -> None:
        """Closes the connection."""
        self._lines.close()
        self._socket.close()

    def __enter__(self) -> ControlClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
