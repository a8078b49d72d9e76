"""Where `felt` reads prize meters: from the running daemon, or straight from the store of a table.toml."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from controller.cli.client import Client, Command, Json
from controller.cli.reach import keep_named
from controller.errors import FeltError
from controller.service.routes import Answer, Route

if TYPE_CHECKING:
    from controller.jackpot.stores.store import MeterStore

DEFAULT_CONFIG = Path("/etc/feltd/table.toml")
Ask = Callable[["MeterStore", str], Awaitable[Json]]


def with_config(command: Command) -> Command:
    """Returns the option --config: without the daemon."""
    return click.option(
        "--config",
        "config",
        type=click.Path(path_type=Path),
        callback=keep_named,
        help="Read the store of this table.toml; no daemon is needed.",
    )(command)


def look(socket: str, config: Path | None, what: Route[Answer], ask: Ask, **query: object) -> Answer:
    """Returns the daemon's answer to `what`; without a daemon, or with a configuration, the same from the store."""
    if config is not None:
        return msgspec.convert(straight(config, ask), what.answer)
    try:
        return Client(socket).get(what, **query)
    except FeltError as error:
        if error.code != "daemon.unreachable" or not DEFAULT_CONFIG.exists():
            raise
    return msgspec.convert(straight(DEFAULT_CONFIG, ask), what.answer)


def straight(config: Path, ask: Ask) -> Json:
    """Returns the answer from the store that a table.toml names; raises FeltError when it cannot be read."""
    from controller.config import ConfigError
    from controller.config.begin import offers_jackpot, options_of
    from controller.config.load import load_config
    from controller.service.meter_store import FILE, open_store

    try:
        loaded = load_config(config)
    except ConfigError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
    if not offers_jackpot(loaded):
        step = 'Set jackpot = "nsw" or "vic" in [options].'
        raise FeltError("jackpot.none", f"{config}: no Jackpot is offered at this table", step)
    file = loaded.table.state / FILE
    if loaded.jackpot.store == "sqlite" and not file.exists():
        raise FeltError("jackpot.no-store", f"{file} is not there")
    store = open_store(loaded)
    group = options_of(loaded).group or loaded.table.name

    async def asked() -> Json:
        try:
            await store.open()
            return await ask(store, group)
        finally:
            await store.close()

    return asyncio.run(asked())
