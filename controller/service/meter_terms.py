"""Keeps the Jackpot options of a table and those of its prize meter system the same."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from controller.games import begun_with
from controller.jackpot import linking
from controller.jackpot.lease import LeaseClaim
from controller.jackpot.rules import Terms
from controller.jackpot.stores.store import MeterStore, StoreError
from controller.service.engine import Engine
from controller.service.meter_faults import DIFFERS
from controller.table.facts import HouseChanged

Allow = Callable[[MeterStore], Coroutine[Any, Any, None]]  # raises StoreError when the table may not use that store


@dataclass(frozen=True)
class MeterAddress:
    """The meter that a table feeds, by its own options."""

    group: str  # as the table calls it: "" for one of its own
    meter: str  # as the store does
    terms: Terms


@dataclass(frozen=True)
class SyncSettings:
    """How a table and its meter belong together; money in ten-thousandths of a dollar."""

    table: str
    alone: bool = True  # no other table feeds it: the options of this one are the system's
    ceiling: int | None = None  # of a new meter
    reserve: int = 0
    allow: Allow | None = None
    claim: LeaseClaim | None = None  # by which it is found that another daemon has the identity of this one


class MeterTerms:
    """The options by which the table's meter is kept."""

    def __init__(self, settings: SyncSettings, engine: Engine, store: MeterStore) -> None:
        self._settings, self._engine, self._store = settings, engine, store

    @property
    def group(self) -> str:
        """The name of the meter in the store."""
        return self._engine.table.options.typed.group or self._settings.table

    def address(self) -> MeterAddress | None:
        """Returns which meter the table feeds by its options now; None: no Jackpot is offered."""
        options = self._engine.table.options.typed
        return None if options.terms is None else MeterAddress(options.group, self.group, options.terms)

    async def publish(self, address: MeterAddress) -> None:
        """Hands on options that were changed here by the rules.

        They hold for the system, and for the others like it.
        """
        table = self._engine.table
        begun = begun_with(table.begun).terms if table.begun is not None else None
        if table.jackpot.joined or (begun == address.terms and not self._settings.alone):
            return
        meters = await self._store.meters()
        if all(meter.group != address.meter for meter in meters):
            return  # it is new
        name = self._settings.table
        reason, by = f"the options of table {name} were changed", (table.name or table.role, f"table {name}")
        for meter in meters:
            cost = address.terms.cost if meter.group == address.meter else meter.terms.cost
            wanted = replace(address.terms, cost=cost)
            if meter.terms != wanted and meter.kind == wanted.kind and not meter.closed:
                await self._store.change_terms(meter.group, wanted, reason, by)

    async def check_floor(self, address: MeterAddress) -> None:
        """Raises StoreError when a system of the floor in which tables take part has other options."""
        played = {member.group for member in await self._store.members()} - {address.meter}
        for meter in await self._store.meters():
            if meter.group in played and not meter.closed and (wrong := linking.unlike(address.terms, meter.terms)):
                step = "Give all prize meter systems of the floor the same option."
                raise StoreError(DIFFERS, f"{wrong.text}, as {meter.group} does (rule {wrong.rule})", step)

    async def follow(self) -> bool:
        """Lets a table that is in the system take over its options; False when there is nothing to take over."""
        table = self._engine.table
        if not table.jackpot.joined:
            return False
        terms = (await self._store.meter(self.group)).terms
        now = {"jackpot-option": str(terms.option), "jackpot-reset": str(terms.reset)}
        changed = {option: value for option, value in now.items() if table.options[option] != value}
        for option, value in changed.items():
            await self._engine.submit(HouseChanged(option, value))
        return bool(changed)
