"""feltd: the daemon's command.  Reads the configuration, runs the table until a signal, and explains every failure."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

import click
import structlog

from controller.config import ConfigError, TableConfig
from controller.config.begin import load_config
from controller.config.hints import hints
from controller.config.wiring import NO_SCHEMES, Schemes, needs_simulation
from controller.daemon import logs
from controller.daemon.compose import running
from controller.daemon.notify import Notifier, heartbeat
from controller.errors import Coded

FAILED, MISCONFIGURED = 1, 2  # the unit knows them: after the second it waits for a person
CONFIGURED = ("address", "extension")  # families of errors that only another table.toml cures

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
    sys.exit(run(path))


def run(path: Path) -> int:
    """Runs the table and returns the exit status.

    0 after an orderly end, 1 if it could not run, 2 if misconfigured.
    """
    try:
        config = load_config(path)
    except ConfigError as error:
        print(f"feltd: {error.code}\n{error.cause}\n{error.next_step}", file=sys.stderr)
        return MISCONFIGURED
    logs.configure()
    for hint in hints(config, path):
        log.warning("config.hint", line=hint.line, key=hint.key, hint=hint.message)
    try:
        asyncio.run(serve(config))
    except Coded as error:
        print(f"feltd: {error.code}: {error.cause}\n{error.next_step}", file=sys.stderr)
        return MISCONFIGURED if error.code.partition(".")[0] in CONFIGURED else FAILED
    except OSError as error:  # of the system, outside of everything that has words of its own
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
        print(f"feltd: system.error: {what}\nCheck the machine's disks, permissions and limits.", file=sys.stderr)
        return FAILED
    return 0


async def serve(config: TableConfig) -> None:
    """Runs the table until a signal."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.log_loop_exception)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    notifier = Notifier()
    async with simulated(config) as schemes, running(config, schemes) as daemon, asyncio.TaskGroup() as tasks:
        gc.freeze()  # what was loaded stays: no collection walks through it while a card waits for its lamp
        notifier.ready(daemon.status())
        beating = tasks.create_task(heartbeat(notifier, daemon.healthy, daemon.status))
        await stop.wait()
        notifier.stopping()
        beating.cancel()


def simulated(config: TableConfig) -> AbstractAsyncContextManager[Schemes]:
    """Returns what `sim://` leads to.  The one place where the daemon meets a simulator, and only when asked."""
    if not needs_simulation(config):
        return nullcontext(NO_SCHEMES)
    from controller.sim.addresses import simulated_devices

    return simulated_devices(config)


if __name__ == "__main__":
    main()
