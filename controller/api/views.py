"""What the API answers, as plain data made from the running table."""

from __future__ import annotations

import asyncio
import platform
import sqlite3
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec

from controller.api import wires
from controller.api.advice import FREED, next_step
from controller.api.shapes import ClockShown, DoorShown, FactShown
from controller.errors import Coded
from controller.journal.errors import JournalError
from controller.journal.records import Record
from controller.journal.store import Head
from controller.rules import by
from controller.service.missing_game import GameMissing
from controller.service.snapshots import our_version
from controller.service.table import TableService
from controller.service.tampering import FORGED, TAMPERED
from controller.service.unwritable import LINE, shut
from controller.table.effects import Refused
from controller.table.facts import AnyFact, Snapped, Turned
from controller.table.faults import LOST
from controller.table.state import Held, Table, round_runs
from controller.table.wall_clock import CLOCK
from controller.views.decks import in_line
from controller.views.doors import doors_in_words, is_open, seconds_left
from controller.views.fact_text import tell
from controller.views.status import GATES, gate_view
from controller.views.status import status as table_status
from controller.views.together import CODE, together
from drivers.supervisor import INSECURE, LossCause, Supervisor
from firmware_bridge.frame import VERSION
from firmware_bridge.messages import DoorChanged

Json = dict[str, Any]


def status(name: str, service: TableService, head: Head, uptime: float) -> Json:
    """Returns everything that one look at the table should tell."""
    table, stopped = service.engine.table, service.storage.error
    return {
        "table": name,
        **table_status(table, service.engine.game, service.fleet.trunks),
        **(_stopped(stopped) if stopped is not None else {}),
        "running": round_runs(table),
        "cards": in_line(table, service.engine.game) if table.game else "",
        "holds": [_held(held) for held in table.holds.values()],
        "protection": len(table.protection.waiting),
        "insecure": [device.name for device in service.fleet.devices.values() if device.link == INSECURE],
        "clock": _clock(table),
        "doors": doors_in_words(table),
        "program": service.program.in_words,
        "test": service.test,
        "trouble": trouble(service),
        "journal": {"seq": head.seq, "hash": head.hash.hex(), "pending": service.engine.pending},
        "storage": error(stopped) if stopped is not None else None,
        "defect": error(service.engine.defect) if service.engine.defect else None,
        "uptime": round(uptime, 3),
        "versions": _versions(),
    }


def unplayable(name: str, why: GameMissing, head: Head, uptime: float) -> Json:
    """Returns the same of a table whose game is missing: nobody knows what lies there."""
    return {
        "table": name,
        "game": why.game,
        "open": False,
        "round": {"number": 0, "phase": "not known"},
        "running": False,
        "current": None,
        "last": None,
        **{key: [] for key in ("waiting", "prompts", "notices", "holds", "in_lines", "insecure", "doors")},
        **{key: {} for key in ("called", "gates", "lamps")},
        "protection": 0,
        "cards": "",
        "clock": _clock(Table()),
        "program": "",
        "test": False,
        "trouble": [error(why)],
        "journal": {"seq": head.seq, "hash": head.hash.hex(), "pending": 0},
        "storage": None,
        "defect": error(why),
        "uptime": round(uptime, 3),
        "versions": _versions(),
    }


def _clock(table: Table) -> ClockShown:
    """Returns what the time of day is worth."""
    clock = table.clock
    return {
        "trust": clock.trust,
        "confirmed": clock.is_confirmed,
        "person": clock.confirmed,
        "error_ms": clock.error / 1000 if clock.error >= 0 else None,
        "battery": clock.battery,
        "source": clock.source,
        "code": next(iter(table.faults.get(CLOCK, {})), ""),
    }


def _stopped(why: JournalError) -> Json:
    """Returns what the table shows while nothing can be recorded."""
    return {
        "waiting": [{"text": LINE, "rule": ""}],
        "lamps": {},
        "gates": {what: gate_view(shut(why)) for what in GATES},
    }


def _held(held: Held) -> Json:
    """Returns why the table does not go on, and what frees it."""
    step = next_step(held.code, otherwise=FREED)
    return {"code": held.code, "cause": held.text, "device": held.device, "since": held.since, "next_step": step}


def trouble(service: TableService) -> list[Json]:
    """Returns what is wrong now, worst first, each with what to do about it."""
    slow = service.storage.slow(time.monotonic())
    worst = (service.engine.defect, service.storage.error, slow, *service.closed_doors.values())
    troubles = [error(each) for each in worst if each is not None]
    for held in service.engine.table.holds.values():
        about = f"{held.device}: {held.text}" if held.device else held.text
        troubles.append({"code": held.code, "cause": about, "next_step": next_step(held.code, otherwise=FREED)})
    troubles += _lost(service)
    for name, codes in service.engine.table.faults.items():
        reports = {code: wires.reported(code, detail) for code, detail in codes.items() if code != LOST}
        troubles += [_trouble(code, f"{name}: {words}") for code, words in reports.items()]
    nobody = service.sign_in.people.trouble
    return troubles if nobody is None else [*troubles, error(nobody)]


def _lost(service: TableService) -> list[Json]:
    """Returns the devices that cannot be used; those that were lost in one moment behind one trunk are one trouble."""
    offset, by_device = loop_offset(), {}
    lost = {name: cause for name, device in service.fleet.devices.items() if (cause := device.state.shown) is not None}
    since = {name: device.state.first or lost[name] for name, device in service.fleet.devices.items() if name in lost}
    for each in together({name: round(first.at * 1e6) for name, first in since.items()}, service.fleet.trunks):
        bus = each.trunk.name if each.trunk.kind == "bus" else ""
        one = {"code": CODE, "cause": each.in_words(), "next_step": next_step(CODE, bus), "devices": list(each.devices)}
        by_device.update(dict.fromkeys(each.devices, one | {"since": wires.clock(each.since / 1e6, offset)}))
    troubles: list[Json] = []
    for name, cause in lost.items():
        if name in by_device:
            if by_device[name] not in troubles:
                troubles.append(by_device[name])
            continue
        address, state = service.fleet.address(name), service.fleet.devices[name].state
        shown = wires.cause_json(cause, address, offset) or {}
        shown["cause"] = f"{name}: {cause.text}"
        history = {"first": state.first, "latest": state.latest}
        troubles.append(shown | {key: wires.cause_json(each, address, offset) for key, each in history.items()})
    return troubles


def loop_offset() -> float:
    """Returns the difference from the loop's time to that of the wall."""
    return time.time() - asyncio.get_running_loop().time()


def _trouble(code: str, cause: str) -> Json:
    return {"code": code, "cause": cause, "next_step": next_step(code)}


def error(what: Coded) -> Json:
    """Returns an error as code, cause and next step."""
    return {"code": what.code, "cause": what.cause, "next_step": what.next_step}


@cache
def _versions() -> dict[str, str]:
    ours = our_version() or "unknown"
    python = platform.python_version()
    return {"feltd": ours, "python": python, "sqlite": sqlite3.sqlite_version, "protocol": str(VERSION)}


def device(
    supervisor: Supervisor,
    address: str,
    unacknowledged: int,
    *,
    tampered: bool = False,
    faults: Mapping[str, str] | None = None,
) -> Json:
    """Returns a device and how its link does; `tampered`: nobody has looked at its cable since; `faults`: its own."""
    state = supervisor.state
    trouble = state.shown or (LossCause(TAMPERED, FORGED) if tampered else None)
    return wires.device_link(
        supervisor.name,
        supervisor.family,
        address,
        state.phase,
        link=supervisor.link,
        trouble=trouble,
        first=state.first,
        latest=state.latest,
        offset=loop_offset(),
        identity=state.identity,
        stats=supervisor.stats,
        unacknowledged=unacknowledged,
        faults={code: detail for code, detail in (faults or {}).items() if code not in (LOST, TAMPERED)},
    )


def door_of(service: TableService, name: str) -> Json:
    """Returns the door of a device whose family has one, with who may open it; nothing of another."""
    engine, device = service.engine, service.fleet.devices[name]
    if DoorChanged not in device.driver.events:
        return {}
    access = engine.table.doors.get(name)
    door: DoorShown = {
        "open": is_open(engine.table, name),
        "two_people": name in service.two_people,
        "allowed": list(access.people) if access is not None else [],
        "seconds": seconds_left(engine.table, name, engine.table_time()),
    }
    return {"door": door}


def moment(at_us: int) -> str:
    """Returns a time of the journal as programs read it."""
    return datetime.fromtimestamp(at_us / 1e6, UTC).isoformat(timespec="milliseconds")


def record(stored: Record, fact: AnyFact, refused: Refused | None = None) -> FactShown:
    """Returns a fact for people; give it what `disclosed` made of the fact, and why the table refused it."""
    if isinstance(fact, Snapped):  # of a table with its cards: whoever knows all but one could try out which it is
        fact = msgspec.structs.replace(fact, digest=b"")
    if isinstance(fact, Turned):  # people are told the cards themselves; the journal has what opens them
        fact = msgspec.structs.replace(fact, secrets=())
    shown: FactShown = {
        "seq": stored.seq,
        "at": moment(stored.at_us),
        "device": stored.device,
        "text": tell(fact),
        "fact": msgspec.to_builtins(fact),
    }
    if refused is not None:
        add_refusal(shown, refused)
    return shown


def add_refusal(shown: FactShown, refused: Refused) -> None:
    """Adds why the table refused a fact."""
    shown["text"] += f" -> refused: {refused.why}{by(refused.rule)}"
    shown["refused"] = {"why": refused.why, "rule": refused.rule}


def with_hashes(facts: list[FactShown], hashes: Mapping[int, str]) -> list[FactShown]:
    """Returns facts with the hashes of their records; null where one would give a hidden card away."""
    return [{**fact, "hash": hashes.get(fact["seq"])} for fact in facts]
