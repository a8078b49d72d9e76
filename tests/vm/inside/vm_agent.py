"""Carries out, inside the machine, what the outside asks for: one line of JSON a request, one an answer.

`{"id": 1, "run": "COMMAND", "seconds": 60}` runs a command of the shell, `{"id": 2, "get": "/devices"}` asks the daemon
of the table, `{"id": 3, "sim": {...}, "at": "/run/sim"}` the simulated devices.  Each is answered when it is done,
whatever came after it.
"""

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

PORT = "feltd.vm"
DAEMON = "/run/feltd/feltd.sock"
WAIT = 10.0  # seconds for an answer on a socket


class Daemon(http.client.HTTPConnection):
    """A connection to the socket of the daemon."""

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(WAIT)
        self.sock.connect(DAEMON)


def run(command: str, seconds: float) -> dict[str, Any]:
    """Runs a command; what takes longer than that is ended, with all that it started."""
    with subprocess.Popen(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
        errors="replace",
    ) as process:
        try:
            said = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return {"status": -1, "said": process.communicate()[0] + f"\nnot done in {seconds:.0f} s"}
        return {"status": process.returncode, "said": said}


def get(path: str) -> dict[str, Any]:
    """Asks the daemon; no answer is an answer, too."""
    daemon = Daemon("table")
    try:
        daemon.request("GET", path)
        return {"answer": json.loads(daemon.getresponse().read())}
    except (OSError, http.client.HTTPException, ValueError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        daemon.close()


def sim(request: dict[str, Any], at: str) -> dict[str, Any]:
    """Asks the control channel of simulated devices."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(WAIT)
        try:
            line.connect(f"{at}/control.sock")
            line.sendall(json.dumps(request).encode() + b"\n")
            with line.makefile("rb") as lines:
                return {"answer": json.loads(lines.readline())}
        except (OSError, ValueError) as error:
            return {"error": f"{type(error).__name__}: {error}"}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Carries out one request."""
    if "run" in request:
        return run(request["run"], request["seconds"])
    if "get" in request:
        return get(request["get"])
    return sim(request["sim"], request["at"])


def port() -> Path:
    """Waits for the line to the outside."""
    while True:
        for name in Path("/sys/class/virtio-ports").glob("*/name"):
            if name.read_text().strip() == PORT and (path := Path("/dev", name.parent.name)).exists():
                return path
        time.sleep(0.05)


def main() -> None:
    """Answers for as long as the machine runs."""
    line = os.open(port(), os.O_RDWR)
    lock = threading.Lock()

    def tell(message: dict[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        with lock:
            while data:
                data = data[os.write(line, data) :]

    def serve(request: dict[str, Any]) -> None:
        tell({"id": request["id"], **answer(request)})

    tell({"hello": Path("/proc/sys/kernel/random/boot_id").read_text().strip()})
    rest = b""
    while True:
        data = os.read(line, 65536)
        if not data:
            time.sleep(0.1)  # nobody listens outside
            continue
        *lines, rest = (rest + data).split(b"\n")
        for text in lines:
            threading.Thread(target=serve, args=(json.loads(text),), daemon=True).start()


if __name__ == "__main__":
    main()
