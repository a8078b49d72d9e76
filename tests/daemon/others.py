"""Other accounts of this machine: a process that really runs under another user asks the daemon."""

from __future__ import annotations

import functools
import grp
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NOBODY = 65_534
ASK = """
import encodings.idna, http.client, json, os, socket, sys
method, path, body, where, uid, groups, token = sys.argv[1:8]
os.setgroups([int(group) for group in groups.split()])
os.setgid(65534)
os.setuid(int(uid))
connection = http.client.HTTPConnection("felt", timeout=20)
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.settimeout(20)
connection.sock.connect(where)
headers = {"Content-Type": "application/octet-stream" if path.endswith("/flash") else "application/json"}
if token:
    headers["Authorization"] = "Bearer " + token
connection.request(method, path, body or None, headers)
answer = connection.getresponse()
print(json.dumps([answer.status, answer.read().decode()]))
"""


@functools.cache
def why_not() -> str:
    """Why nobody else can be asked for here; "" when they can."""
    if os.geteuid() != 0:
        return "needs root: a process under another account asks"
    for name in GROUPS.values():
        try:
            grp.getgrnam(name)
        except KeyError:
            return f"needs the group {name}"
    return ""


GROUPS = {"technicians": "games", "supervisors": "users", "managers": "staff"}  # every Debian has them


def needs_accounts() -> None:
    """Skip a test by name where there is one account only."""
    if why := why_not():
        pytest.skip(why)


def api_lines() -> str:
    """For the section [api] of a table.toml."""
    return "".join(f'{role} = "{group}"\n' for role, group in GROUPS.items())


def open_to_others(socket: Path) -> None:
    """The way to a socket in a directory of the tests; the socket itself has its mode."""
    socket.parent.chmod(0o711)


def ask(
    socket: Path,
    uid: int,
    what: str,
    body: dict[str, Any] | None = None,
    roles: tuple[str, ...] = (),
    member: bool = True,
    token: str = "",
) -> tuple[int, Any]:
    """Status and answer; GET without a body.  `member`: of the socket's group; `token`: of who is signed in."""
    groups = [grp.getgrnam(GROUPS[role]).gr_gid for role in roles]
    groups += [socket.stat().st_gid] if member else []
    method, said = ("GET", "") if body is None else ("POST", json.dumps(body))
    words = [method, what, said, socket.name, str(uid), " ".join(map(str, groups)), token]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ASK, *words],
        cwd=socket.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode:
        return 0, done.stderr
    status, text = json.loads(done.stdout)
    return status, json.loads(text)
