"""Who may work on a device, by the account at the other end of the socket; and what they say for the service log."""

from __future__ import annotations

import array
import errno
import grp
import os
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from aiohttp import web

from controller.errors import FeltError
from controller.table.facts import Serviced

QUESTIONS = {
    "name": "your name",
    "licence": "your licence number",
    "time": "the time of the work, such as 2026-01-31T14:05+11:00",
    "reason": "the component and the reason",
    "asset": "the asset number",
}
LONGEST = 200  # characters of an answer
_SO_PEERGROUPS = getattr(socket, "SO_PEERGROUPS", 59)  # Linux; the standard library does not name it
_CREDENTIALS = struct.Struct("3i")


class Forbidden(FeltError):
    """The error of somebody who asked for what only a technician may do."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The account that a process at the other end of a Unix socket ran under when it connected."""

    uid: int
    groups: frozenset[int]


def caller_of(request: web.Request) -> Caller:
    """Returns who asks, as the kernel says it; nothing that the process claims counts."""
    transport = request.transport
    end = transport.get_extra_info("socket") if transport is not None else None
    if end is None or end.family != socket.AF_UNIX:
        raise Forbidden("api.caller", "nobody is at the other end")
    _, uid, gid = _CREDENTIALS.unpack(end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return Caller(uid, frozenset({gid, *_supplementary(end)}))


def _supplementary(end: socket.socket) -> list[int]:
    groups, room = array.array("I"), 64
    while True:
        try:
            groups.frombytes(end.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, room * groups.itemsize))
        except OSError as error:
            if error.errno == errno.ERANGE and room < 65_536:
                room *= 8
                continue
            return []  # an old kernel: the first group must do
        return groups.tolist()


def is_technician(caller: Caller, own: int, group: int | None) -> bool:
    """Tells whether it is root, the daemon's own account, or of the group; None: there is no such group."""
    return caller.uid in (0, own) or group in caller.groups


def admit(request: web.Request, group: str) -> Caller:
    """Returns who asks, if it is a technician; raises Forbidden otherwise."""
    caller = caller_of(request)
    if not is_technician(caller, os.geteuid(), group_id(group)):
        step = f"A technician does this: an account in the group {group} (`sudo usermod -aG {group} USER`)."
        raise Forbidden("person.not-technician", f"account {caller.uid} is not a technician's", step)
    return caller


def group_id(group: str) -> int | None:
    """Returns the number of a group; None: there is none of this name."""
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        return None


def service_record(device: str, deed: str, answers: Mapping[str, str], caller: Caller) -> Serviced:
    """Returns the entry in the service log; raises FeltError unless all five questions are answered."""
    given = {name: " ".join(answers.get(name, "").split()) for name in QUESTIONS}
    if missing := [what for name, what in QUESTIONS.items() if not given[name]]:
        step = f"Give {' '.join(f'--{name}' for name in QUESTIONS if not given[name])}, or answer when asked."
        raise FeltError("service.missing", f"the service log needs {', '.join(missing)}", step)
    if long := [what for name, what in QUESTIONS.items() if len(given[name]) > LONGEST]:
        raise FeltError("service.long", f"{long[0]} is too long: at most {LONGEST} characters")
    try:
        when = datetime.fromisoformat(given["time"])
    except ValueError:
        when = None
    if when is None or when.tzinfo is None:
        cause = f"{given['time']!r} is no time with its difference from UTC"
        raise FeltError("service.time", cause)
    given["time"] = when.isoformat(timespec="minutes")
    return Serviced(device, deed, **given, account=caller.uid)
