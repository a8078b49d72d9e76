"""felt doctor: what is wrong with this table, the first cause first, and what to do next."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from controller.api.shapes import Devices
from controller.cli.bundle import write
from controller.cli.checkup import daemon, disk_health, files, machine, packages, ports, service
from controller.cli.checkup.finding import Finding, in_order
from controller.cli.checkup.person import service_user
from controller.cli.client import DEFAULT_SOCKET, TROUBLE, dumped, explained, with_json, with_socket
from controller.cli.reach import DEFAULT_CONFIG, with_config
from controller.config import TableConfig
from controller.config.wiring import is_for_trying_out

STATE = Path("/var/lib/feltd")  # when no configuration says otherwise
NAMES = {"bad": "BAD ", "warn": "warn", "ok": "ok  "}
WIDTH = 14


@click.command(name="doctor")
@click.option(
    "--bundle", type=click.Path(path_type=Path), help="Also write a support file: no secrets, no cards.", metavar="FILE"
)
@with_config
@with_socket
@with_json
@explained
def command(bundle: Path | None, config: Path | None, path: str, as_json: bool) -> None:
    """What is wrong with this table, the first cause first, and what to do next.

    Looks at the clock and the power, the configuration, the disk, the journal, the packages, the service, the daemon,
    the ports, the devices, their firmware and the prize meter, and shows the latest lines of the log.  Works without
    the daemon and without systemd, changes nothing, and never shows a card.
    Exit status 0: nothing is wrong; 1: something is.
    """
    findings, lines = examine(config or DEFAULT_CONFIG, path)
    wrong = [finding for finding in findings if finding.state == "bad"]
    first = wrong[0].json() if wrong else None
    report = {"ok": not wrong, "first": first, "findings": [each.json() for each in findings], "log": lines}
    if bundle is not None:
        write(bundle, _socket_of(config or DEFAULT_CONFIG, path), config or DEFAULT_CONFIG, report)
    if as_json:
        print(dumped(report))
    else:
        print("\n".join(_text(findings, lines, len(wrong))))
        if bundle is not None:
            print(f"{bundle} is for whoever helps: it has no secrets and no cards in it")
    sys.exit(TROUBLE if wrong else 0)


def examine(path: Path, socket: str) -> tuple[list[Finding], list[str]]:
    """Returns everything that was found, the first cause first, and the latest lines of the log."""
    table, findings = files.configuration(path)
    unit = service.shown()
    status, devices, silence = daemon.ask(_socket(socket, table))
    running = status is not None
    elsewhere = running and path == DEFAULT_CONFIG and not files.exists(path)
    if elsewhere:
        findings = [files.elsewhere(path)]
    state = table.table.state if table is not None else STATE
    user = service_user(unit.get("User", ""))
    if table is not None or (not elsewhere and files.exists(state)):
        findings += files.disk(state)
        if files.exists(state):
            findings += disk_health.health(state)
            findings += disk_health.keeping(state)
        made = table is None or is_for_trying_out(table)  # a file that cannot be read is told of above
        stored = list(files.journal(state, user, running=running, made=made))
        findings += stored
        if table is not None and any(each.state == "ok" for each in stored):
            findings += files.unfinished(table)
    findings += machine.power()
    findings += machine.clock()
    findings += packages.packages()
    findings += service.service(unit, answers=running)
    if table is not None:
        findings += files.cards(table)
        findings += ports.ports(table, user, running=running)
        findings += ports.usb_rules(table)
    findings += silence
    if status is not None and devices is not None:
        answers = [*daemon.table(status), *daemon.devices(devices), *daemon.firmware(devices)]
        answers += daemon.meters(_socket(socket, table))
        answers += daemon.witnesses(_socket(socket, table))
        if table is not None and not is_for_trying_out(table):
            answers += daemon.signing(_socket(socket, table))
            answers += daemon.program(_socket(socket, table))
        findings = [*without(findings, devices), *answers]
    lines, seen = service.log()
    return in_order([*findings, seen]), lines


def without(findings: list[Finding], devices: Devices) -> list[Finding]:
    """Returns the findings without those of devices that the daemon has lost: it knows their causes itself."""
    lost = {device["name"] for device in devices["devices"] if device["phase"] != "ready" and device["cause"]}
    return [each for each in findings if each.device not in lost]


def _socket(named: str, table: TableConfig | None) -> str:
    """Returns where this table's daemon answers: as was said, else as its configuration says."""
    return named if table is None or named != DEFAULT_SOCKET else str(table.api.socket)


def _socket_of(config: Path, named: str) -> str:
    """Returns the same for a file that may be wrong."""
    return _socket(named, files.configuration(config)[0])


def _text(findings: list[Finding], lines: list[str], wrong: int) -> Iterator[str]:
    for finding in findings:
        code = f"{finding.code}: " if finding.code else ""
        yield f"{NAMES[finding.state]}  {finding.what:<{WIDTH}} {code}{finding.text}"
        if finding.next_step:
            yield f"      {'':<{WIDTH}} -> {finding.next_step}"
    if lines:
        yield "log:"
        yield from (f"  {line}" for line in lines)
    yield _conclusion(findings, wrong)


def _conclusion(findings: list[Finding], wrong: int) -> str:
    if wrong:
        things = "one thing is" if wrong == 1 else f"{wrong} things are"
        return f"{things} wrong: begin with the first"
    waits = any(finding.code == daemon.TELLS for finding in findings)
    return "nothing is broken, and somebody has to see to what the table tells" if waits else "nothing is wrong"
