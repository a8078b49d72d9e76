"""The file that a technician sends to whoever helps: how the machine, the table and its wires do; no secret, no card.

What is not known to be harmless is left out: the journal, keys.toml, people.toml and the bytes of frames.
"""

from __future__ import annotations

import io
import json
import os
import platform
import re
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from controller.api import routes
from controller.cards import veiled_log
from controller.cli.client import Client, Json
from controller.errors import FeltError
from controller.service.routes import AnyRoute

PATIENCE: Final = 5.0  # seconds for one answer of the daemon
ASKED: Final[tuple[AnyRoute, ...]] = (routes.STATUS, routes.DEVICES, routes.KEYS, routes.JACKPOT)
OF_A_FRAME: Final = ("at", "way", "kind", "text", "error", "lost")  # no bytes
_SECRET: Final = re.compile(r"(?i)^(\s*[\w.\"-]*(password|passwd|secret|token|pin|dsn|key)[\w\"-]*\s*=\s*).*$", re.M)
_PASSWORD: Final = re.compile(r"(?<=://)[^/@\s\"']*@")  # of an address: user:password@


def write(file: Path, socket: str, config: Path, report: Json) -> list[str]:
    """Writes the bundle and returns what is in it; FeltError when it is there already or cannot be written."""
    parts = dict(_parts(socket, config, report))
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # for nobody else to read
    except OSError as error:
        raise FeltError("bundle.unwritable", f"{file}: {error.strerror}") from None
    with os.fdopen(handle, "wb") as out, tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, text in parts.items():
            data = veiled_log(text).encode()
            entry = tarfile.TarInfo(f"felt-support/{name}")
            entry.size, entry.mtime = len(data), int(time.time())
            archive.addfile(entry, io.BytesIO(data))
    return list(parts)


def _parts(socket: str, config: Path, report: Json) -> Iterator[tuple[str, str]]:
    yield _as_json("doctor", report)
    yield _as_json("machine", {**platform.uname()._asdict(), "python": platform.python_version()})
    try:
        yield "table.toml", without_secrets(config.read_text())
    except (OSError, UnicodeDecodeError) as error:
        yield "table.toml", f"# it cannot be read: {error}\n"
    client = Client(socket, PATIENCE)
    devices: list[str] = []
    for what in ASKED:
        try:
            answer = client.get(what)
        except FeltError as error:
            answer = {"error": {"code": error.code, "cause": error.cause}}
        devices = [each["name"] for each in answer["devices"]] if "devices" in answer else devices
        yield _as_json(what.path.strip("/"), answer)
    for name in devices:
        yield f"traces/{name}.jsonl", _trace(client, name)


def _trace(client: Client, name: str) -> str:
    try:
        frames = client.get(routes.TRACE, name)["frames"]
    except FeltError as error:
        return _json({"error": {"code": error.code, "cause": error.cause}})
    lines = ({key: value for key, value in frame.items() if key in OF_A_FRAME} for frame in frames)
    return "".join(json.dumps(line) + "\n" for line in lines)


def without_secrets(text: str) -> str:
    """Returns a table.toml without what nobody else may know: passwords, keys and whatever sounds so.

    >>> without_secrets('dsn = "postgresql://felt:hush@db/meters"')
    'dsn = "(left out)"'
    """
    return _PASSWORD.sub("", _SECRET.sub(r'\1"(left out)"', text))


def _as_json(name: str, data: Json) -> tuple[str, str]:
    return f"{name}.json", _json(data)


def _json(data: Any) -> str:
    return json.dumps(data, indent=1) + "\n"
