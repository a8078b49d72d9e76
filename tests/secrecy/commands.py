"""All that `felt` prints of a table: from its daemon, and from the file of its journal."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from controller.cli import monitor_text
from controller.cli.group import cli
from controller.cli.monitor_watch import DaemonSource
from tests.secrecy.watched import Outputs, Watched

OF_THE_MACHINE: Final = ("doctor.json", "machine.json")  # of a support file: never twice the same
ALWAYS: Final = "--since 1970-01-01"
FROM_BOTH: Final = (
    "round list",
    "round show {number}",
    "round replay {number} --all",
    "round receipt {number}",
    "round receipt {number} --html",
    "round export --csv",
    "round export --phh",
    f"report {ALWAYS}",
    f"report round {ALWAYS}",
    f"float show {ALWAYS}",
    "deck list",
    "deck show 1",
)
ASKED: Final = ("status", "devices", "keys", "device {cards} trace --all", "device console trace --all")


async def commands(table: Watched, directory: Path) -> Outputs:
    """Returns what every command says that looks at a table."""
    number = max(1, table.table.state.number)
    journal = directory / "journal.db"
    with sqlite3.connect(journal) as copy:
        table.table.journal._connection.backup(copy)
    copy.close()
    names = {"number": number, "cards": table.cards_devices[0]}

    def run() -> Outputs:
        out = {}
        for words in _wanted(str(journal)):
            command = words.format(**names)
            out[f"felt {command.replace(str(directory), '')}"] = _said(f"--socket {table.socket} {command}")
        out |= _exported(table.socket, directory, "") | _exported(table.socket, directory, f" {journal}")
        return out | _monitor(str(table.socket), table) | _bundle(table.socket, directory)

    try:
        return await asyncio.get_running_loop().run_in_executor(None, run)
    finally:
        journal.unlink()


def _wanted(journal: str) -> Iterator[str]:
    for words in ASKED:
        yield words
        yield f"{words} --json"
    for words in FROM_BOTH:
        for from_file in ("", f" --journal {journal}"):
            yield words + from_file
            yield f"{words}{from_file} --json"
    for verb in (
        "tail -n 500",
        "tail -n 500 --json",
        f"tail {ALWAYS} --round {{number}}",
        "export",
        "verify --replay",
        "checkpoint",
    ):
        yield f"journal {verb}"
        yield f"journal {verb} {journal}"


def _said(words: str) -> str:
    result = CliRunner().invoke(cli, words.split())
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return f"{result.exit_code}\n{result.output}"


def _monitor(socket: str, table: Watched) -> Outputs:
    """Returns the texts of `felt monitor`, of every screen it has."""
    source = DaemonSource(socket)
    status, devices = source.status(), source.devices()
    lines = [monitor_text.headline(status, "", False, ""), *monitor_text.round_lines(status)]
    lines += map(monitor_text.fact_line, source.latest(200))
    for device in devices:
        lines += monitor_text.device_row(device)
        lines += monitor_text.device_lines(device, source.frames(device["name"]), 500)
    return {"felt monitor": "\n".join(lines)}


def _exported(socket: Path, directory: Path, source: str) -> Outputs:
    """Returns what an inspector gets."""
    folder = directory / "for-inspector"
    said = _said(f"--socket {socket} journal export --inspector {folder}{source}")
    records = (folder / "records.jsonl").read_text()
    shutil.rmtree(folder)
    return {f"export {'of a file' if source else ''}": f"{said.replace(str(directory), '')}\n{records}"}


def _bundle(socket: Path, directory: Path) -> Outputs:
    file = directory / "support.tar.gz"
    said = _said(f"--socket {socket} doctor --config {directory}/none.toml --bundle {file}")
    with tarfile.open(file) as archive:
        parts = {name: archive.extractfile(name).read().decode() for name in archive.getnames()}  # type: ignore[union-attr]
    file.unlink()
    assert "felt-support/status.json" in parts, said
    return {f"bundle {name}": text for name, text in parts.items() if not name.endswith(OF_THE_MACHINE)}
