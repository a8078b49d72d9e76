"""feltd: the daemon's command.  Reads the configuration, runs the table until a signal, and explains every failure."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

import click
import structlog

from controller.config import ConfigError, TableConfig, cards_key
from controller.config.errors import GameUnknown
from controller.config.hints import hints
from controller.config.wiring import NO_SCHEMES, Schemes, is_for_trying_out, needs_simulation
from controller.daemon import logs
from controller.daemon.check import checked
from controller.daemon.compose import running
from controller.daemon.memory import keep_private
from controller.daemon.notify import Notifier, heartbeat
from controller.daemon.read_only import missing_game, reading
from controller.errors import Coded, step_for, topic_of
from controller.service.clock import SYSTEM_CLOCKS, SystemClocks
from controller.service.missing_game import GameMissing
from controller.service.tidying import tidied

FAILED, MISCONFIGURED = 1, 2  # the unit knows them: after the second it waits for a person
CONFIGURED = ("address", "extension", "cards", "test")  # families of errors that only another table.toml cures
OTHERS = ("sim.wire", "journal.missing", "keys.undecided")  # more that only a person cures

log = structlog.get_logger()


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    "path",
    type=click.Path(path_type=Path),
    default=Path("/etc/feltd/table.toml"),
    show_default=True,
    help="The table's configuration.",
)
@click.version_option(package_name="feltd", prog_name="feltd")
def main(path: Path) -> None:
    """Run one electronic gaming table until SIGTERM or SIGINT."""
    keep_private()
    sys.exit(run(path))


def run(path: Path) -> int:
    """Runs the table and returns the exit status.

    0 after an orderly end, 1 if it could not run, 2 if misconfigured.
    """
    try:
        return _run(path)
    except ConfigError as error:
        print(f"feltd: {error.code}\n{error.cause}\n{error.next_step}", file=sys.stderr)
        return MISCONFIGURED
    except Coded as error:
        print(f"feltd: {error.code}: {error.cause}\n{error.next_step}", file=sys.stderr)
        configured = topic_of(error.code) in CONFIGURED or error.code in OTHERS
        return MISCONFIGURED if configured else FAILED
    except OSError as error:  # of the system, outside of everything that has words of its own
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
        print(f"feltd: system.error: {what}\nCheck the machine's disks, permissions and limits.", file=sys.stderr)
        return FAILED


def _run(path: Path) -> int:
    """Runs the table; one whose game is missing is only read, so that a person can look and nothing is overwritten."""
    try:
        config = checked(path)
    except GameUnknown as error:
        logs.configure()
        missing = missing_game(error.config)
        if missing is None:
            raise
        asyncio.run(only_read(error.config, missing))
        return 0
    logs.configure()
    if not is_for_trying_out(config) and cards_key.place_of(config.journal.cards_key) is None:
        log.warning("cards.plain", next_step=step_for("cards.plain"))
    for hint in hints(config, path):
        log.warning("config.hint", line=hint.line, key=hint.key, hint=hint.message)
    try:
        asyncio.run(serve(config))
    except GameMissing as missing:
        asyncio.run(only_read(config, missing))
    return 0


async def serve(config: TableConfig) -> None:
    """Runs the table until a signal.

    A table with a real device gets its journal from a person: one that is gone must not look like a new table.
    """
    stop, create = _stop_at_signal(), is_for_trying_out(config)
    async with simulated(config) as schemes, running(config, schemes, _clocks(config), create=create) as daemon:
        with tidied(daemon.service.engine):
            await _until(stop, daemon.healthy, daemon.status)


async def only_read(config: TableConfig, why: GameMissing) -> None:
    """Serves the journal of a table that cannot be played, until a signal."""
    stop = _stop_at_signal()
    async with reading(config, why):
        await _until(stop, lambda: True, lambda: f"{why.code}: {why.cause}")


def _stop_at_signal() -> asyncio.Event:
    """Returns what is set when somebody wants the daemon to end."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.log_loop_exception)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


async def _until(stop: asyncio.Event, healthy: Callable[[], bool], status: Callable[[], str]) -> None:
    """Tells the service manager how it goes, until somebody wants an end."""
    notifier = Notifier()
    async with asyncio.TaskGroup() as tasks:
        notifier.ready(status())
        beating = tasks.create_task(heartbeat(notifier, healthy, status))
        await stop.wait()
        notifier.stopping()
        beating.cancel()


def simulated(config: TableConfig) -> AbstractAsyncContextManager[Schemes]:
    """Returns what `sim://` leads to.  The one place where the daemon meets a simulator, and only when asked."""
    if not needs_simulation(config):
        return nullcontext(NO_SCHEMES)
    from controller.sim.addresses import simulated_devices

    return simulated_devices(config)


def _clocks(config: TableConfig) -> SystemClocks:
    """Returns the clocks of the table: those of the computer; at a table for trying out nobody has to confirm them."""
    if not is_for_trying_out(config):
        return SYSTEM_CLOCKS
    from controller.sim.clocks import SIMULATED_CLOCKS

    return SIMULATED_CLOCKS


if __name__ == "__main__":
    main()
