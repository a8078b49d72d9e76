"""felt config: look at a table's configuration before the daemon does."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from controller.cli.client import DEFAULT_SOCKET, TROUBLE, explained, with_json
from controller.cli.people import FILE as PEOPLE
from controller.cli.reach import DEFAULT_CONFIG
from controller.counts import many

if TYPE_CHECKING:
    from controller.cli.first_steps import FirstSteps
    from controller.config import Problem, TableConfig


STATE: Final = Path("/var/lib/feltd")


@click.group(name="config")
def command() -> None:
    """Check, show or begin a table's configuration."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_json
def check(file: Path, as_json: bool) -> None:
    """Tell every mistake in FILE at once, and what may surprise although it can be used.

    Exit status 0: it can be used; 1: it cannot.
    """
    from controller.config.hints import hints

    config = _usable(file, as_json)
    problems = hints(config, file)
    if as_json:
        print(json.dumps({"ok": True, "table": config.table.name, "game": config.table.game, "hints": _json(problems)}))
        return
    print(f"{file} can be used: table {config.table.name}, {config.table.game}, {many(len(config.devices), 'device')}")
    if problems:
        print("\n".join(["but look at this:", *(hint.at(str(file)) for hint in problems)]))


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--digest", "only_digest", is_flag=True, help="Print its digest, as each start records it, and no more.")
@with_json
def show(file: Path, only_digest: bool, as_json: bool) -> None:
    """Print everything that is in force with FILE, defaults too, and where each value comes from.

    What is printed is a configuration that says the same. Exit status 1: FILE cannot be used.
    """
    from controller.config.lines import dotted
    from controller.config.show import digest, in_force, written

    config = _usable(file, as_json)
    if only_digest:
        print(json.dumps({"digest": digest(config)}) if as_json else digest(config))
        return
    values = in_force(config, file)
    if as_json:
        rows = [{"key": dotted(v.path), "value": v.value, "line": v.line} for v in values]
        print(json.dumps({"ok": True, "file": str(file), "values": rows}))
        return
    print("\n".join([f"# {file}, and what it leaves to defaults", *written(values)]))


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@with_json
def udev(file: Path, as_json: bool) -> None:
    """Print udev rules by which USB devices that FILE does not know are not used.

    They go to /etc/udev/rules.d/98-feltd-usb.rules and hold from the next start of the computer.  Read docs/wiring.md
    first: it says how a keyboard is let in, and the way out.  Exit status 1: FILE cannot be used.
    """
    from controller.config.usb import udev_rules

    lines = list(udev_rules(_usable(file, as_json)))
    print(json.dumps({"ok": True, "lines": lines}) if as_json else "\n".join(lines))


@command.command()
@click.argument("file", type=click.Path(path_type=Path), default=DEFAULT_CONFIG)
@click.option("--game", help="What is played; see docs/options.md.")
@click.option("--name", help="What the floor calls the table: letters, digits, hyphens.")
@click.option("--areas", "seats", type=click.IntRange(1, 99), help="How many betting areas, or seats.")
@click.option("--state", type=click.Path(path_type=Path), default=STATE, show_default=True, help="For the journal.")
@click.option("--api-socket", "socket", default=DEFAULT_SOCKET, show_default=True, help="Where the daemon will answer.")
@click.option(
    "--table/--only-file",
    "whole",
    default=None,
    help="Make the journal, offer a first supervisor and start the service too; or write FILE and no more.  "
    "[default: --table for the file of the service]",
)
@click.option("--yes", is_flag=True, help="Ask nothing: what is not given gets its default.")
@click.option(
    "--people",
    type=click.Path(path_type=Path),
    default=Path(PEOPLE),
    show_default=True,
    envvar="FELT_PEOPLE",
    help="Where the first supervisor goes; also from FELT_PEOPLE.",
)
@with_json
@explained
def init(  # each is an option
    file: Path,
    state: Path,
    socket: str,
    whole: bool | None,
    yes: bool,
    people: Path,
    as_json: bool,
    **given: Any,
) -> None:
    """Make a first FILE from what is plugged in and what you answer; it never overwrites one.

    A device that is not plugged in yet is simulated; change its address later.  What is written can be used: it was
    checked as `felt config check` does.  For the file that the service reads, the rest of a new table follows: its
    journal, as by `felt table init`, its first supervisor, as by `felt people add`, rules that refuse strange USB
    devices, as by `felt config udev`, if you say so, and the start of the service.
    """
    from controller.cli import config_init as make
    from controller.cli import first_steps as first
    from controller.games import find

    if file.exists():
        raise make.exists(file)
    first.may_write(file)
    of_service = file == DEFAULT_CONFIG
    plugged = make.plugged_in()
    ask = sys.stdin.isatty() and not yes and not as_json
    answers = make.asked(plugged, given, ask=ask)
    simulated = sorted(name for name, address in answers.addresses.items() if address.startswith("sim://"))
    hidden = of_service or len(simulated) < len(answers.addresses)
    key = file.absolute().with_name(make.CARDS_KEY.name) if hidden else None
    lines = list(make.text(answers, find(answers.game), plugged, state.absolute(), socket, key))
    make.checked(lines)
    make.write(file, lines)
    steps = first.FirstSteps(file, people, ask=ask)
    wanted = (of_service and (ask or yes)) if whole is None else whole
    lines_of_steps = _first_steps(steps, of_service) if wanted else iter(())
    if as_json:
        for _ in lines_of_steps:
            pass
        answer = {"file": str(file), "table": answers.name, "game": answers.game, "areas": answers.seats}
        print(json.dumps({**answer, "devices": dict(answers.addresses), "simulated": simulated, **steps.done}))
        return
    print(f"{file}: table {answers.name}, {answers.game}, {many(len(answers.addresses), 'device')}")
    if simulated:
        print(f"simulated until you give their addresses: {', '.join(simulated)}")
    for line in lines_of_steps:
        print(line, flush=True)
    if not wanted:
        print(f"  -> Look at it, then `felt config check {file}`.")


def _first_steps(steps: FirstSteps, of_service: bool) -> Iterator[str]:
    """Yields what was made for the new table, as it is made, and what is next."""
    from controller.cli.first_steps import enabled

    yield from steps.journal()
    yield from steps.supervisor()
    if of_service:
        yield from steps.usb()
        yield from steps.service(enabled)
    yield from steps.next_steps()


def _usable(file: Path, as_json: bool) -> TableConfig:
    """Returns the configuration in this file; when it cannot be used, prints every mistake and ends the command."""
    from controller.config import ConfigError
    from controller.daemon.check import checked

    try:
        return checked(file)
    except ConfigError as error:
        if as_json:
            print(json.dumps({"ok": False, "code": error.code, "problems": _json(error.problems)}))
        else:
            print(error.cause)
        sys.exit(TROUBLE)


def _json(problems: Iterable[Problem]) -> list[dict[str, object]]:
    return [{"line": p.line, "key": p.key, "message": p.message} for p in problems]
