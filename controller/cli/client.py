"""How `felt` talks to the running daemon: HTTP over its Unix socket, with nothing but the standard library."""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import update_wrapper
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlencode

import click

from controller.cli import codes as codes  # what the errors of a command mean
from controller.cli.output import beside, too_wide, whole_lines
from controller.cli.session_file import SessionFile
from controller.errors import Coded, FeltError
from controller.views.plain import one_line

DEFAULT_SOCKET = "/run/feltd/feltd.sock"
TIMEOUT = 10.0
TROUBLE = 1
Json = dict[str, Any]
Command = TypeVar("Command", bound=Callable[..., Any])


class Unreachable(FeltError):
    """The error of a daemon that did not answer.

    `absent`: nobody listens there, so it is not that it may not or cannot.
    """

    def __init__(self, cause: str, next_step: str, *, absent: bool) -> None:
        super().__init__("daemon.unreachable", cause, next_step)
        self.absent = absent


class Client:
    """A client of one daemon, by the path of its socket."""

    def __init__(self, path: str, token: str | None = None) -> None:
        self.path = path
        self.token = token  # of who is signed in; None: the one that `felt sign-in` keeps

    def get(self, what: str, timeout: float | None = TIMEOUT, **query: object) -> Json:
        """Returns the daemon's answer; raises FeltError when it refuses or does not answer."""
        wanted = {name: str(value) for name, value in query.items() if value is not None}
        return self._ask("GET", f"{what}?{urlencode(wanted)}" if wanted else what, None, timeout)

    def post(self, what: str, body: Json, timeout: float | None = TIMEOUT) -> Json:
        """Asks the daemon to do something; raises FeltError when it refuses or does not answer."""
        return self._ask("POST", what, json.dumps(body).encode(), timeout)

    def work(self, what: str, body: bytes | None, method: str = "POST") -> Iterator[Json]:
        """Asks the daemon for something that takes long, and yields what it reports on the way.

        Raises FeltError when it fails.
        """
        connection = _Connection(self.path, None)
        try:
            connection.ask(method, what, body, self._headers())
            for line in connection.getresponse():
                yield _or_error(json.loads(line))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._unreachable(error) from None
        finally:
            connection.close()

    def events(self, after: int) -> Iterator[Json]:
        """Yields facts as they happen, from behind `after` on, until the daemon ends."""
        return self.stream("/events", after)

    def stream(self, what: str, after: int = 0) -> Iterator[Json]:
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

    def _ask(self, method: str, what: str, body: bytes | None, timeout: float | None) -> Json:
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

    def _headers(self) -> dict[str, str]:
        """Returns whose request it is, if somebody has signed in."""
        token = SessionFile(self.path).read() if self.token is None else self.token
        return {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})

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


# ---- what the commands share


class Noun(click.Group):
    """A group of commands about one thing; it takes --socket for each of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(socket_of_all())


def socket_of_all() -> click.Option:
    """Returns the option --socket of a group: what it says holds for the command behind it, unless that has its own."""

    def keep(_ctx: click.Context, _option: click.Parameter, path: str | None) -> None:
        if path is not None:
            os.environ["FELT_SOCKET"] = path

    words = "The daemon's socket; also from FELT_SOCKET."
    return click.Option(["--socket"], expose_value=False, callback=keep, metavar="PATH", help=words)


def with_socket(command: Command) -> Command:
    """Returns the option --socket, by default from FELT_SOCKET."""
    return click.option(
        "--socket",
        "path",
        envvar="FELT_SOCKET",
        default=DEFAULT_SOCKET,
        show_default=True,
        help="The daemon's socket; also from FELT_SOCKET.",
    )(command)


def with_json(command: Command) -> Command:
    """Adds the option --json to a command."""
    return click.option("--json", "as_json", is_flag=True, help="For programs: JSON.")(command)


def explained(command: Command) -> Command:
    """Makes a command whose errors are printed as code, cause and next step, with exit status 1."""

    def run(*args: Any, as_json: bool = False, **kwargs: Any) -> None:
        if as_json:
            whole_lines()
        try:
            command(*args, as_json=as_json, **kwargs)
        except Coded as error:
            complain(error.code, error.cause, error.next_step, as_json)
        except KeyboardInterrupt:
            sys.exit(130)

    return update_wrapper(run, command)  # type: ignore[return-value]


def complain(code: str, cause: str, next_step: str, as_json: bool = False) -> NoReturn:
    """Prints an error with its next step, and ends the command with the status for trouble."""
    if as_json:
        print(json.dumps({"error": {"code": code, "cause": cause, "next_step": next_step}}))
    else:
        beside(f"{code}: {one_line(cause)}\n  -> {next_step}")
    sys.exit(TROUBLE)


def causes(device: Json, shown: Json) -> Iterator[str]:
    """Yields what stands under the cause that was shown: the first one, what fails now, since when, what to do."""
    first, latest = device.get("first"), device.get("latest")
    if first and first["code"] != shown["code"]:
        yield f"  first {first['code']}: {first['cause']}, at {first['since']}"
    if latest and latest["code"] != shown["code"]:
        yield f"  now {latest['code']}: {latest['cause']}, since {latest['since']}"
        yield f"  -> {latest['next_step']}"
    else:
        yield f"  -> {shown['next_step']}"


def columns(rows: list[tuple[str, ...]], right: tuple[int, ...] = (), spare: tuple[int, ...] = ()) -> Iterator[str]:
    """Yields a plain table; the columns in `right` are numbers.

    On a terminal that is too narrow those in `spare` are left out, the first of them first.
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    shown = list(range(len(widths)))
    for each in spare:
        if not too_wide(sum(widths[i] + 2 for i in shown) - 2):
            break
        shown.remove(each)
    for row in rows:
        cells = (row[i].rjust(widths[i]) if i in right else row[i].ljust(widths[i]) for i in shown)
        yield "  ".join(cells).rstrip()
