"""The service as systemd sees it, and the last lines of its log; without systemd that is said."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from controller.cards import veiled_log
from controller.cli.checkup.finding import Finding, bad, ok, warn
from controller.cli.checkup.programs import output_of
from controller.counts import many

SERVICE, LOG = "service", "log"
UNIT: Final = "feltd.service"
LINES: Final = 8
ASKED: Final = (
    "LoadState",
    "ActiveState",
    "SubState",
    "Result",
    "ExecMainStatus",
    "NRestarts",
    "UnitFileState",
    "User",
    "StatusText",
)
RUNNING: Final = Path("/run/systemd/system")  # there while systemd is the service manager
_SKIPPED: Final = ("device.frames",)  # long, and `felt device NAME trace` has them
_SEE_LOG: Final = "See the log below; then `systemctl restart feltd`."
_STATUSES: Final[Mapping[str, tuple[str, str]]] = {
    "1": ("it could not start, and is tried again", _SEE_LOG),
    "2": ("its configuration is wrong", "Correct table.toml (`felt config check`), then `systemctl restart feltd`."),
    "200": ("its directory /var/lib/feltd cannot be entered", "Check the disk, its mount and the directory's owner."),
    "203": ("/usr/lib/feltd/bin/feltd cannot be run", "Install the package again: see the README."),
    "216": ("one of its groups does not exist", "Make them: `systemd-sysusers feltd.conf`."),
    "217": ("its user does not exist", "Make it: `systemd-sysusers feltd.conf`."),
    "226": ("a directory that it needs cannot be set up", "Check that /etc/feltd and /var/lib/feltd exist."),
    "238": ("its directory /var/lib/feltd cannot be made", "Check the disk and its mount: is it read-only?"),
}
_RESULTS: Final[Mapping[str, tuple[str, str]]] = {
    "watchdog": ("it hung and was restarted", "Keep its log, and look at the disk and the machine's load."),
    "oom-kill": ("the machine ran out of memory", "See what else runs on it: `systemctl status`, `free`."),
    "timeout": ("it was not ready in time", _SEE_LOG),
    "start-limit-hit": ("it failed too often", "`systemctl reset-failed feltd`, then start it again."),
    "core-dump": ("it crashed", _SEE_LOG),
    "signal": ("it was killed", _SEE_LOG),
}


def shown() -> dict[str, str]:
    """Returns what systemd says of the unit; empty where there is no systemd."""
    if shutil.which("systemctl") is None or not RUNNING.is_dir():
        return {}
    output = output_of(["systemctl", "show", UNIT, "--no-pager", f"--property={','.join(ASKED)}"])
    return dict(line.split("=", 1) for line in output.splitlines() if "=" in line)


def service(unit: Mapping[str, str], *, answers: bool) -> Iterator[Finding]:
    """Yields why the service does not run, if it does not; `answers`: a daemon does, whoever started it."""
    if not unit:
        yield ok(SERVICE, "systemd does not run here")
        return
    if unit.get("LoadState") == "not-found":
        missing = warn if answers else bad
        yield missing(SERVICE, "service.absent", f"{UNIT} is not installed")
        return
    state = f"{UNIT} is {unit.get('ActiveState')} ({unit.get('SubState')})"
    again = f", restarted {unit['NRestarts']} times" if unit.get("NRestarts", "0") != "0" else ""
    if unit.get("ActiveState") == "active":
        yield ok(SERVICE, state + again + (f": {unit['StatusText']}" if unit.get("StatusText") else ""))
        if unit.get("UnitFileState") == "disabled":
            yield warn(SERVICE, "service.disabled", f"{UNIT} does not start when the machine starts")
    elif (unit.get("ActiveState"), unit.get("Result")) == ("inactive", "success"):
        yield (warn if answers else bad)(
            SERVICE, "service.stopped", f"{UNIT} is stopped", "Start it: `systemctl start feltd`."
        )
    else:
        why, step = _why(unit)
        yield bad(SERVICE, "service.failed", f"{state}{again}: {why}", step)


def _why(unit: Mapping[str, str]) -> tuple[str, str]:
    result, status = unit.get("Result", ""), unit.get("ExecMainStatus", "")
    if result in _RESULTS:
        return _RESULTS[result]
    if status in _STATUSES:
        return _STATUSES[status]
    return f"result {result}, status {status}", _SEE_LOG


def log() -> tuple[list[str], Finding]:
    """Returns the latest lines of the log, without cards, and whether there are any."""
    if shutil.which("journalctl") is None or not RUNNING.is_dir():
        return [], ok(LOG, "there is no journalctl here: the daemon writes to where it was started")
    output = output_of(["journalctl", "-u", UNIT, "-n", str(4 * LINES), "-o", "short-iso", "--no-pager", "-q"])
    lines = [line for raw in output.splitlines() if (line := _line(raw))][-LINES:]
    if not lines:
        return [], warn(LOG, "log.empty", f"no line of {UNIT} can be seen")
    return lines, ok(LOG, f"below: the latest {many(len(lines), 'line')}")


def _line(raw: str) -> str:
    """Returns one line as people read it: its time, its event, and what belongs to it.

    >>> _line('2026-01-31T02:11:09+0000 table feltd[7]: {"event": "device.lost", "level": "warning", "device": "shoe"}')
    '2026-01-31T02:11:09+0000 warning device.lost device=shoe'
    """
    when, _, rest = raw.partition(" ")
    text = rest.partition(": ")[2] or rest
    try:
        event = json.loads(text)
    except ValueError:
        event = None
    if isinstance(event, dict):
        name, level = event.pop("event", ""), event.pop("level", "info")
        event.pop("timestamp", None)
        if name in _SKIPPED:
            return ""
        text = " ".join([level, str(name), *(f"{key}={value}" for key, value in event.items())])
    return veiled_log(f"{when} {text}")
