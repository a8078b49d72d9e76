"""How `felt` talks to the running daemon, and what its commands share."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import update_wrapper
from typing import Any, NoReturn, TypeVar

import click
import msgspec

from controller.api.shapes import CauseShown, DatedCause, Device
from controller.cli import codes as codes  # what the errors of a command mean
from controller.cli.daemon_socket import TIMEOUT, DaemonSocket
from controller.cli.daemon_socket import Json as Json  # what every command handles
from controller.cli.main import STOPPED
from controller.cli.output import beside, too_wide, whole_lines
from controller.errors import Coded, FeltError
from controller.service.routes import Answer, AnyRoute, Route
from controller.views.moments import day_and_time
from controller.views.plain import one_line

DEFAULT_SOCKET = "/run/feltd/feltd.sock"
TROUBLE = 1
Command = TypeVar("Command", bound=Callable[..., Any])


class Client(DaemonSocket):
    """A client of one daemon: it asks by the declarations by which the daemon answers.

    `names` are filled into the path, in its order; `query` has only what is declared, and None is left out.
    """

    def __init__(self, path: str, timeout: float | None = TIMEOUT) -> None:
        super().__init__(path)
        self._timeout = timeout

    def get(self, route: Route[Answer], *names: str | int, **query: object) -> Answer:
        """Returns the daemon's answer; raises FeltError when it refuses or does not answer."""
        return self._typed(route, self.ask(route.method, route.at(*names, **query), None, self._timeout))

    def post(self, route: Route[Answer], body: Json, *names: str | int, **query: object) -> Answer:
        """Asks the daemon to do something; raises FeltError when it refuses or does not answer."""
        data = json.dumps(body).encode()
        return self._typed(route, self.ask(route.method, route.at(*names, **query), data, self._timeout))

    def work(self, route: Route[Answer], body: bytes | None, *names: str | int, **query: object) -> Iterator[Answer]:
        """Asks the daemon for something that takes long, and yields what it reports on the way.

        Raises FeltError when it fails.
        """
        return (self._typed(route, line) for line in self.lines(route.method, route.at(*names, **query), body))

    def stream(
        self, route: AnyRoute, kind: type[Answer], *names: str | int, after: int = 0, **query: object
    ) -> Iterator[Answer]:
        """Yields server-sent events of this kind from behind `after` on, until the daemon ends; or raises FeltError."""
        return (self._as(kind, route, event) for event in self.listen(route.at(*names, **query), after))

    def _typed(self, route: Route[Answer], answer: Json) -> Answer:
        """Returns an answer as what its route declares."""
        return self._as(route.answer, route, answer)

    def _as(self, kind: type[Answer], route: AnyRoute, answer: Json) -> Answer:
        """Returns an answer as this kind of data; raises FeltError when a daemon of another version answers."""
        try:
            return msgspec.convert(answer, kind)
        except msgspec.ValidationError as bad:
            raise FeltError("daemon.answer", f"{route.method} {route.path} on {self.path}: {bad}") from None


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
            sys.exit(STOPPED)

    return update_wrapper(run, command)  # type: ignore[return-value]


def dumped(answer: object) -> str:
    """Returns an answer as programs read it: one line of JSON."""
    return json.dumps(msgspec.to_builtins(answer))


def complain(code: str, cause: str, next_step: str, as_json: bool = False) -> NoReturn:
    """Prints an error with its next step, and ends the command with the status for trouble."""
    if as_json:
        print(json.dumps({"error": {"code": code, "cause": cause, "next_step": next_step}}))
    else:
        beside(f"{code}: {one_line(cause)}\n  -> {next_step}")
    sys.exit(TROUBLE)


def causes(device: Device | CauseShown, shown: CauseShown) -> Iterator[str]:
    """Yields what stands under the cause that was shown: the first one, what fails now, since when, what to do."""
    first, latest = device.get("first"), device.get("latest")
    if first and first["code"] != shown["code"]:
        yield f"  first {first['code']}{_at(first)}: {first['cause']}"
    if latest and latest["code"] != shown["code"]:
        yield f"  now {latest['code']}{_at(latest)}: {latest['cause']}"
        yield f"  -> {latest['next_step']}"
    else:
        yield f"  -> {shown['next_step']}"


def _at(cause: CauseShown | DatedCause) -> str:
    """Returns when it was so, for people; "" when nobody knows."""
    since = cause.get("since")
    return f", {day_and_time(since)} UTC" if since else ""


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
