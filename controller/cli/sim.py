"""felt sim: a simulated table that deals itself, with the daemon, the journal and the API of a real one."""

from __future__ import annotations

import asyncio
import json
import shlex
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from controller.cli.client import TROUBLE, complain, with_json
from controller.cli.output import whole_lines
from controller.cli.soak import command as soak_command

if TYPE_CHECKING:
    from controller.config import TableConfig

DEFAULT = "casino-war"


@click.group(name="sim", invoke_without_command=True)
@click.option("--rounds", type=click.IntRange(0), help="Stop after so many rounds; without it, at Ctrl-C.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed deals other cards.")
@click.option("--speed", type=click.FloatRange(0), help="Rounds a second; 0 is as fast as it goes.")
@click.option("--game", help="Which game, such as holdem.  [default: casino-war]")
@click.option("--config", "file", type=click.Path(path_type=Path), help="A table.toml with sim:// addresses.")
@click.option("--state", type=click.Path(path_type=Path, file_okay=False), help="Keep the journal in this directory.")
@click.option("--serve", is_flag=True, help="Stay up when the rounds are over, until Ctrl-C.")
@with_json
@click.pass_context
def command(
    context: click.Context,
    rounds: int | None,
    seed: int,
    speed: float | None,
    game: str | None,
    file: Path | None,
    state: Path | None,
    serve: bool,
    as_json: bool,
) -> None:
    """A simulated table that deals itself.

    With --json each line is an object with one name: table, prompt, refused, round, serving, end or error.

    Exit status 0: dealt, and the journal is sound; 1: something went wrong; 2: the configuration is wrong.
    """
    if context.invoked_subcommand is not None:
        _nothing_before(context)
        return
    from controller.cli.demo import DealPlan, demo, demo_config
    from controller.cli.demo_show import USUAL
    from controller.cli.demo_telling import JsonTelling, StoryTelling
    from controller.config import ConfigError
    from controller.daemon.check import checked
    from controller.errors import FeltError
    from controller.games import find
    from controller.journal import JournalError
    from firmware_bridge.extensions import ExtensionError

    if game is not None and file is not None:
        raise click.UsageError("the file of --config says which game it is")
    try:
        find(game or DEFAULT)
    except ExtensionError as error:
        raise click.UsageError(f"{error.cause}; {error.next_step}") from None
    quiet_logs()
    if as_json:
        whole_lines()
    telling = JsonTelling(_say) if as_json else StoryTelling(_say, _called())
    pace = USUAL if rounds is None and speed is None else 0.0  # people look at it
    with tempfile.TemporaryDirectory(prefix="felt-sim-") as directory:
        try:
            another = partial(_another, Path(directory), state) if file is None and rounds is None else None
            config = checked(file) if file is not None else demo_config(Path(directory), state, game or DEFAULT)
            plan = DealPlan(rounds, seed, speed or 0.0, pace, serve)
            sound = asyncio.run(demo(config, plan, telling, another))
        except ConfigError as error:
            if as_json:
                print(json.dumps({"error": {"code": error.code, "cause": error.cause, "next_step": error.next_step}}))
            else:
                print(error.cause, file=sys.stderr)
            sys.exit(2)
        except (FeltError, JournalError) as error:
            complain(error.code, error.cause, error.next_step, as_json)
    sys.exit(0 if sound else TROUBLE)


def _nothing_before(context: click.Context) -> None:
    """Refuses options in front of the next word: they would be those of another command, and passed over."""
    for option in context.command.params:
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE:
            name, word = option.opts[0], context.invoked_subcommand
            raise click.UsageError(
                f"{name} in front of {word} does nothing: `felt sim {word} --help` has what it takes"
            )


@command.command(name="do")
@click.argument("device")
@click.argument("deed")
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@click.option("--control", type=click.Path(path_type=Path), help="Which table; needed when several run.")
@with_json
def do_command(device: str, deed: str, words: tuple[str, ...], control: Path | None, as_json: bool) -> None:
    """Play one deed at a simulated table that runs.

    \b
    felt sim do shoe draw Kh 2c              cards leave the shoe
    felt sim do sensor.1 bet war=10 tie=5    chips in dollars; 0 takes them off
    felt sim do console press no-more-bets   a key, with what is entered with it
    felt sim do shoe fault jam               it fails; `shoe clear` ends it
    """
    from controller.errors import Coded
    from controller.sim.by_hand import do

    try:
        path = do(control, device, deed, words)
    except Coded as error:
        complain(error.code, error.cause, error.next_step, as_json)
    if as_json:
        print(json.dumps({"control": str(path), "device": device, "deed": deed, "done": True}))
    else:
        print(f"{device} {deed}: done")


command.add_command(soak_command)


def _another(directory: Path, state: Path | None, game: str, listen: str) -> TableConfig:
    """Returns the table of another game, whose pages are where they were.

    It has a journal of its own: a table whose players were not told does not change its game.
    """
    from controller.cli.demo import demo_config

    return demo_config(directory, (state or directory) / game, game, listen)


def _say(line: str) -> None:
    print(line, flush=True)


def _called() -> str:
    """Returns how this command is called from another terminal: by its name only where that leads to it."""
    ours = Path(sys.argv[0]).absolute()
    other = shutil.which("felt")
    if not ours.is_file() or (other is not None and Path(other).samefile(ours)):
        return "felt"
    return shlex.quote(str(ours))


def quiet_logs() -> None:
    """Leaves out all but errors of the log: the story is the output, and says what happens to the devices."""
    import structlog

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(40),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
