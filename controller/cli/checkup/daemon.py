"""What the running daemon says of the table and its devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.api import routes
from controller.api.program import PROGRAM
from controller.api.shapes import Devices, StatusShown, WitnessShown
from controller.cli.checkup.finding import Finding, bad, ok, warn
from controller.cli.client import Client
from controller.counts import many
from controller.errors import FeltError
from drivers.supervisor import INSECURE

DAEMON, TABLE, DEVICES, STORE, FIRMWARE, METERS = "daemon", "table", "devices", "journal", "firmware", "meters"
TELLS: Final = "table.tells"  # people wait for people: nothing is broken
PATIENCE: Final = 5.0  # seconds


def ask(path: str) -> tuple[StatusShown | None, Devices | None, list[Finding]]:
    """Returns the status and the devices; else why nobody answers on this socket."""
    client = Client(path, PATIENCE)
    try:
        return client.get(routes.STATUS), client.get(routes.DEVICES), []
    except FeltError as error:
        return None, None, [bad(DAEMON, error.code, error.cause, error.next_step)]


def table(status: StatusShown) -> Iterator[Finding]:
    """Yields what is wrong at the table, as its own status has it; lost devices with first and latest cause."""
    version = status["versions"]["feltd"]
    yield ok(DAEMON, f"feltd {version} answers: table {status['table']}, {status['game']}, {status['round']['phase']}")
    if status["test"]:
        yield warn(TABLE, "test.mode", "it is in test mode: nothing that happens there counts")
    for trouble in status["trouble"]:
        latest = trouble.get("latest")
        if latest and latest["code"] != trouble["code"]:
            text = f"{trouble['cause']}; now {latest['code']}: {latest['cause']}, since {latest['since']}"
            yield bad(DEVICES, trouble["code"], text, latest["next_step"])
        else:
            what = DEVICES if "latest" in trouble else TABLE
            yield bad(what, trouble["code"], trouble["cause"], trouble["next_step"])
    for notice in status["notices"]:
        if not notice["code"]:  # what is broken stands among the trouble
            about = f" about {notice['place']}" if notice["place"] else ""
            yield warn(TABLE, TELLS, f"it tells the {' and '.join(notice['roles'])}{about}: {notice['text']}")
    facts, pending = status["journal"]["seq"], status["journal"]["pending"]
    if not status["storage"]:
        yield ok(STORE, f"{many(facts, 'fact')} on record, {pending} on their way")


def devices(answer: Devices) -> Iterator[Finding]:
    """Yields whether all are ready, which are still on their way, and buses that are not well."""
    every = answer["devices"]
    if all(device["phase"] == "ready" and not device["faults"] for device in every):
        yield ok(DEVICES, f"all {len(every)} are ready")
    if coming := [device["name"] for device in every if device["phase"] != "ready" and not device["cause"]]:
        text = f"{', '.join(coming)}: not ready yet"
        yield warn(DEVICES, "devices.starting", text)
    if plain := [device["name"] for device in every if device["link"] == INSECURE]:
        yield warn(DEVICES, "link.insecure", f"{', '.join(plain)}: plain links, because table.toml says so")
    for bus in answer["buses"]:
        own = {(device["cause"]["code"], device["cause"]["cause"]) for device in every if device["cause"]}
        if bus["cause"] and (bus["cause"]["code"], bus["cause"]["cause"]) not in own:  # else its devices say it
            yield bad(
                DEVICES, bus["cause"]["code"], f"bus {bus['bus']}: {bus['cause']['cause']}", bus["cause"]["next_step"]
            )


def firmware(answer: Devices) -> Iterator[Finding]:
    """Yields which firmware the devices run."""
    runs = {each["name"]: each["identity"]["firmware"] for each in answer["devices"] if each["identity"]}
    if runs:
        by_version: dict[str, list[str]] = {}
        for name, version in runs.items():
            by_version.setdefault(version or "not told", []).append(name)
        yield ok(FIRMWARE, "; ".join(f"{version}: {', '.join(names)}" for version, names in by_version.items()))


def program(path: str) -> Iterator[Finding]:
    """Yields how the installed files fit their signed manifest; of what is wrong with them the status tells."""
    try:
        shown = Client(path, PATIENCE).get(PROGRAM)
    except FeltError as error:
        yield warn(DAEMON, error.code, error.cause, error.next_step)
        return
    if shown["trouble"] is not None:
        return
    if shown["signature"] == "signed":
        yield ok(DAEMON, f"the program is {shown['words']}")
    elif shown["checked"] is not None:
        yield warn(DAEMON, "program.unsigned", f"the program is {shown['words']}")


def meters(path: str) -> Iterator[Finding]:
    """Yields whether the prize meter of the table adds up, where it has one."""
    try:
        answer = Client(path, PATIENCE).get(routes.VERIFY_METER)
    except FeltError as error:
        if error.code != "jackpot.none":
            yield warn(METERS, error.code, error.cause, error.next_step)
        return
    if answer["ok"]:
        yield ok(METERS, f"the meter of {answer['group']} adds up: {many(answer['movements'], 'movement')}")
    else:
        yield bad(METERS, "jackpot.unsound", f"the meter of {answer['group']}: {answer['problems'][0]}")


def signing(path: str) -> Iterator[Finding]:
    """Yields whether the journal's newest checkpoint is signed; of what is wrong with a key the status tells."""
    from controller.journal.checkpoints import Checkpoint
    from controller.journal.notes import Note

    try:
        notes = Client(path, PATIENCE).get(routes.CHECKPOINTS)["checkpoints"]
    except FeltError as error:
        yield warn(STORE, error.code, error.cause, error.next_step)
        return
    if not notes:
        return  # the daemon has just started
    note = Note.from_text(notes[-1])
    size = many(Checkpoint.from_text(note.text).size, "record")
    if note.signatures:
        yield ok(STORE, f"{size} signed by {note.signatures[0].name}")
    else:
        yield warn(STORE, "journal.unsigned", "checkpoints are not signed: the table has no key for its journal")


def witnesses(path: str) -> Iterator[Finding]:
    """Yields how far each witness knows the journal, and since when it does not follow."""
    try:
        shown: list[WitnessShown] = Client(path, PATIENCE).get(routes.CHECKPOINTS)["witnesses"]
    except FeltError:
        return  # what cannot be asked is told elsewhere
    for each in shown:
        seen = f"{each['name']} has seen {many(each['size'], 'record')}"
        when = "never yet" if each["at"] is None else f"at {each['at'][:16].replace('T', ' ')}"
        if each["error"] is None:
            yield ok(STORE, f"{seen}, last {when}")
        else:
            error = each["error"]
            yield warn(STORE, error["code"], f"{seen}, last {when}: {error['cause']}", error["next_step"])
