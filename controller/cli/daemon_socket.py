"""How `felt` reaches the running daemon: HTTP over its Unix socket, with nothing but the standard library."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from controller.cli.session_file import SessionFile
from controller.errors import FeltError

TIMEOUT = 10.0
Json = dict[str, Any]


class Unreachable(FeltError):
    """The error of a daemon that did not answer.

    `absent`: nobody listens there, so it is not that it may not or cannot.
    """

    def __init__(self, cause: str, next_step: str, *, absent: bool) -> None:
        super().__init__("daemon.unreachable", cause, next_step)
        self.absent = absent


class DaemonSocket:
    """The way to one daemon, by the path of its socket."""

    def __init__(self, path: str, token: str | None = None) -> None:
        self.path = path
        self.token = token  # of who is signed in; None: the one that `felt sign-in` keeps

    def ask(self, method: str, what: str, body: bytes | None, timeout: float | None) -> Json:
        """Returns the daemon's answer; raises FeltError when it refuses or does not answer."""
        connection = _Connection(self.path, timeout)
        try:
            connection.ask(method, what, body, self._headers())
            response = connection.getresponse()
            answer: Json = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._unreachable(error) from None
        finally:
            connection.close()
        return _or_error(answer)

    def lines(self, method: str, what: str, body: bytes | None) -> Iterator[Json]:
        """Yields what the daemon reports of something that takes long; raises FeltError when it fails."""
        connection = _Connection(self.path, None)
        try:
            connection.ask(method, what, body, self._headers("application/octet-stream"))
            for line in connection.getresponse():
                yield _or_error(json.loads(line))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._unreachable(error) from None
        finally:
            connection.close()

    def listen(self, what: str, after: int) -> Iterator[Json]:
        """Yields server-sent events from behind `after` on, until the daemon ends; raises FeltError when it refuses."""
        connection = _Connection(self.path, None)
        try:
            connection.request("GET", what, headers={"Last-Event-ID": str(after)})
            response = connection.getresponse()
            if response.status != HTTPStatus.OK:
                _or_error(json.loads(response.read()))
            for line in response:
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from None
        finally:
            connection.close()

    def _headers(self, kind: str = "application/json") -> dict[str, str]:
        """Returns what kind of body a request has, and whose it is, if somebody has signed in."""
        token = SessionFile(self.path).read() if self.token is None else self.token
        return {"Content-Type": kind} | ({"Authorization": f"Bearer {token}"} if token else {})

    def _unreachable(self, error: Exception) -> Unreachable:
        why = error.strerror if isinstance(error, OSError) and error.strerror else (str(error) or type(error).__name__)
        step = "Is it running?  `systemctl status feltd`; or name its socket with --socket or FELT_SOCKET."
        if isinstance(error, PermissionError):
            step = "Your user must be in the group feltd: `sudo usermod -aG feltd $USER`, then sign in again."
        absent = isinstance(error, FileNotFoundError | ConnectionRefusedError)
        return Unreachable(f"no answer on {self.path}: {why}", step, absent=absent)


def _or_error(answer: Json) -> Json:
    if "error" in answer:
        error = answer["error"]
        rule = f" (rule {error['rule']})" if error.get("rule") else ""
        raise FeltError(error["code"], error["cause"] + rule, error["next_step"])
    return answer


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float | None) -> None:
        super().__init__("felt", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)

    def ask(self, method: str, what: str, body: bytes | None, headers: dict[str, str]) -> None:
        """Sends a request; who refuses it may hang up before all of its body is sent, and the answer says why."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.request(method, what, body, headers)
