"""A person at the table's computer: types what a document says, and sees what it shows."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from controller.cli.group import cli
from tests.daemon.house import PATIENCE
from tests.docs.table import DocumentTable

# The places of a table and of who works at it: here they are below a folder of ours.
OURS = re.compile(r"(?<![\w.])/(etc/feltd|var/lib/feltd|run/feltd|home/me)\b")
LOOKING = {"status", "devices", "doctor", "round", "journal", "report", "keys", "jackpot"}  # may be asked again
DEFAULTS = (  # where commands look unless they are told
    ("controller.cli.reach.DEFAULT_CONFIG", "etc/feltd/table.toml"),
    ("controller.cli.doctor.DEFAULT_CONFIG", "etc/feltd/table.toml"),
    ("controller.cli.suggest.DEFAULT_CONFIG", "etc/feltd/table.toml"),
    ("controller.cli.meters.DEFAULT_CONFIG", "etc/feltd/table.toml"),
    ("controller.cli.config.DEFAULT_CONFIG", "etc/feltd/table.toml"),
    ("controller.cli.table.DEFAULT_CONFIG", "etc/feltd/table.toml"),
    ("controller.cli.doctor.STATE", "var/lib/feltd"),
    ("controller.cli.checkup.service.RUNNING", "run/systemd/system"),  # systemd is not there
)


PLACES = {
    "HOME": "home/me",
    "TMPDIR": "tmp",
    "XDG_RUNTIME_DIR": "tmp",
    "FELT_SOCKET": "run/feltd/feltd.sock",
    "FELT_PEOPLE": "etc/feltd/people.toml",
}


class Exchange(NamedTuple):
    """A command, and what the document shows below it."""

    command: str
    shown: str


class Said(NamedTuple):
    """How a command ended, and all that it wrote."""

    status: int
    text: str


def exchanges(text: str) -> list[Exchange]:
    """The commands of a block, each with what is shown below it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"a console block begins with a command: {parts[0]!r}"
    return [Exchange(part.partition("\n")[0], part.partition("\n")[2].rstrip("\n")) for part in parts[1:]]


def fits(shown: str, said: str) -> bool:
    """Tells whether a command said what is shown; `...` stands for anything, alone on its line for any lines.

    >>> fits("a ... c\\n...\\nz", "a b c\\nd\\ne\\nz")
    True
    >>> fits("a\\n...", "b\\na")
    False
    """
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == "..." else re.escape(line).replace(re.escape("..."), ".*") + "\n"
        for line in shown.splitlines()
    )
    lines = "".join(f"{line.rstrip()}\n" for line in said.rstrip().splitlines())
    return re.fullmatch(pattern, lines) is not None


class Person:
    """Somebody at the table's computer, in a folder of their own; the table is started when it is first needed."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="felt-docs-"))  # short: sockets have short names
        self.home = self.root / "home/me"
        for place in ("home/me", "tmp", "etc/feltd", "var/lib/feltd", "run/feltd", "bin"):
            (self.root / place).mkdir(parents=True)
        self._table: DocumentTable | None = None
        self._behind: list[subprocess.Popen[bytes]] = []
        (sudo := self.root / "bin/sudo").write_text('#!/bin/sh\nexec "$@"\n')
        sudo.chmod(0o755)
        bins = os.pathsep.join((str(self.root / "bin"), str(Path(sys.executable).parent)))
        patch.setenv("PATH", bins, prepend=os.pathsep)
        patch.setenv("COLUMNS", "80")
        for name, place in PLACES.items():
            patch.setenv(name, str(self.root / place))
        patch.setattr(tempfile, "tempdir", str(self.root / "tmp"))
        for name, place in DEFAULTS:
            patch.setattr(name, self.root / place)
        patch.chdir(self.home)

    @property
    def table(self) -> DocumentTable:
        """The table of this computer."""
        return self._table or self.sit_down()

    def sit_down(self) -> DocumentTable:
        """Starts the table, unless that was done already, and plays its first round."""
        if self._table is None:
            self._table = DocumentTable(self.root)
            self._table.start()
            self._table.deal_a_round()
        return self._table

    def close(self) -> None:
        """Ends the table and what was started with `&`, and leaves nothing behind."""
        for process in self._behind:
            process.kill()
            process.wait()
        if self._table is not None:
            self._table.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def keep(self, file: str, text: str) -> None:
        """Writes a file as the document says; what is there already goes on."""
        path = self.home / self.here(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() + "\n\n" if path.exists() else "") + self.here(text))

    def here(self, text: str) -> str:
        """The same with the places of a table below our folder."""
        return OURS.sub(rf"{self.root}/\1", text)

    def types(self, command: str, shown: str) -> str:
        """Runs a command; returns what is wrong with what it said, or nothing."""
        deadline = time.monotonic() + PATIENCE
        while True:
            said = self.run(command)
            if self._well(said, shown):
                return ""
            words = shlex.split(command, comments=True)
            again = words[0] == "felt" and words[1] in LOOKING and self._table is not None
            if not again or time.monotonic() > deadline:
                return f"$ {command}\nshown:\n{shown or '(nothing)'}\nsaid, status {said.status}:\n{said.text}"
            time.sleep(0.05)

    @staticmethod
    def _well(said: Said, shown: str) -> bool:
        """What is shown must be what is said; where nothing is shown, the command must end well."""
        return fits(shown, said.text) if shown.strip(".") else said.status == 0

    def run(self, command: str) -> Said:
        """Runs one line as a shell would, `felt` in this process."""
        line = self.here(command)
        words = shlex.split(line, comments=True)
        elsewhere = [word for word in words if word.startswith("/") and not word.startswith(str(self.root))]
        assert not elsewhere, f"{command}: {elsewhere} are places of this machine, which no document touches"
        if words[0] == "sudo" and "felt" in words:
            words = words[words.index("felt") :]
        plain = not set("|<>;&*$`") & set(re.sub(r"'[^']*'|\"[^\"]*\"| #.*", "", line))
        if line.endswith("&"):
            self._behind.append(subprocess.Popen(["bash", "-c", f"exec {line[:-1]}"]))
            said = Said(0, "")
        elif words[0] == "systemctl":
            said = self._service(words[1])
        elif words[0] == "felt" and plain:
            said = self._felt(words[1:])
        else:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE, check=False)
            said = Said(done.returncode, done.stdout + done.stderr)
        return Said(said.status, said.text.replace(str(self.root), ""))

    def _service(self, deed: str) -> Said:
        """Plays the service manager."""
        table = self.table
        if deed in ("stop", "restart") and table.process is not None:
            table.stop()
        if deed in ("start", "restart"):
            table.launch()
        return Said(0, "")

    def _felt(self, words: list[str]) -> Said:
        """Runs `felt` without the cost of a process."""
        before = self._records() if words[:2] == ["sim", "do"] else None
        out, status = io.StringIO(), 0
        with redirect_stdout(out), redirect_stderr(out):
            try:
                cli.main(words, prog_name="felt")
            except SystemExit as end:
                status = int(end.code or 0)
        if before is not None and status == 0 and not {"fault", "clear"} & set(words):
            self.table.wait(lambda: self._records() != before)
        return Said(status, out.getvalue())

    def _records(self) -> int:
        return int(self.table.status()["journal"]["seq"])
