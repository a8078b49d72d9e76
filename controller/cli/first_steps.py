"""What follows a new table.toml: the journal, the first supervisor, the service; each is asked for, or all are made."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import click

from controller.cli import people
from controller.cli.checkup import service
from controller.cli.output import beside
from controller.cli.table import begun
from controller.config import usb
from controller.daemon.check import checked
from controller.daemon.compose import JOURNAL
from controller.errors import FeltError

ENABLE: Final = ("systemctl", "enable", "--now", service.UNIT)
PATIENCE: Final = 60.0  # seconds until the service is ready, or has failed
ROLE: Final = "supervisor"
ADD: Final = "felt people add NAME --badge NUMBER --role supervisor"


class FirstSteps:
    """What was done for a new table and what is left to do; call the steps in their order, then `next_steps`."""

    def __init__(self, file: Path, people_file: Path, *, ask: bool) -> None:
        self._file = file
        self._people = people_file
        self._ask = ask
        self._left: list[str] = []
        self.done: dict[str, str | bool | None] = {"journal": None, "anchor": None, "supervisor": None, "service": None}
        self.done["usb_rules"] = None

    def journal(self) -> Iterator[str]:
        """Makes the journal of the table, and the key of its cards; yields what was made.

        Raises FeltError when it cannot be made; one that is there is left alone.
        """
        path = checked(self._file).table.state / JOURNAL
        if path.exists():
            yield f"{path} is there already: it is left alone"
            return
        if not self._wanted("Make the journal of this table"):
            self._left.append(f"felt table init {self._file}")
            return
        made = begun(self._file)
        self.done |= {"journal": str(made.journal), "anchor": made.anchor}
        yield from made.lines()

    def supervisor(self) -> Iterator[str]:
        """Offers to make the first person who can sign in; yields who was made."""
        if self._people.exists():
            return
        while self._ask:
            try:
                name = _asked("Name of the first supervisor; empty: later")
                if not name:
                    break
                badge = _asked("Number of the badge")
                people.enrol(self._people, name, badge, (ROLE,))
            except FeltError as error:
                beside(f"{error.code}: {error.cause}")
                if error.code != "people.unfit":  # the file: asking again does not help
                    break
            else:
                self.done["supervisor"] = name
                yield f"{self._people}: {name} can sign in with badge {badge}: {ROLE}"
                return
        self._left.append(ADD)

    def service(self, start: Callable[[], str]) -> Iterator[str]:
        """Enables and starts the service, where systemd runs and has it; yields what came of it."""
        unit = service.shown()
        if not unit:
            yield "systemd does not run here: nothing was started"
            self._left.append(f"feltd --config {self._file}")
        elif unit.get("LoadState") != "loaded":
            yield f"{service.UNIT} is not installed: nothing was started"
            self._left.append("docs/installing.md says how the service is installed")
        elif not self._wanted("Start the service, now and with the computer"):
            self._left.append("systemctl enable --now feltd")
        else:
            trouble = start()
            self.done["service"] = not trouble
            ran = f"did not start: {trouble}" if trouble else "runs, and starts with the computer"
            yield f"{service.UNIT} {ran}"

    def usb(self, rules: Path = usb.RULES) -> Iterator[str]:
        """Offers rules by which the kernel refuses USB devices that the file does not know; yields what was made.

        Nobody gets them unasked: they refuse the keyboard of whoever stands before the computer, too.
        """
        config = checked(self._file)
        if not usb.uses_usb(config) or rules.exists():
            return
        if self._ask:
            for stranger in usb.strangers(config):
                yield f"plugged in, and not in {self._file}: {stranger.in_words}"
            question = "Refuse such USB devices from the next start of the computer, keyboards too"
            if click.confirm(question, default=False, err=True):
                trouble = _written(rules, [*usb.udev_rules(config)])
                self.done["usb_rules"] = None if trouble else str(rules)
                yield f"{rules}: {trouble or 'made; docs/wiring.md says how a keyboard is let in'}"
                if not trouble:
                    self._left.append("udevadm control --reload")
                    return
        self._left.append(f"felt config udev {self._file} > {rules}   (docs/wiring.md)")

    def next_steps(self) -> Iterator[str]:
        """Yields what a person does next."""
        yield from (f"  -> {step}" for step in (*self._left, "felt doctor"))

    def _wanted(self, question: str) -> bool:
        return not self._ask or click.confirm(question, default=True, err=True)


def enabled() -> str:
    """Enables and starts the service; returns why that failed, or nothing."""
    try:
        done = subprocess.run(ENABLE, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stderr.strip() or f"systemctl ended with status {done.returncode}") if done.returncode else ""


def _written(path: Path, lines: list[str]) -> str:
    """Writes a file for everybody to read; returns why that failed, or nothing."""
    try:
        with path.open("x") as file:
            file.write("".join(f"{line}\n" for line in lines))
        path.chmod(0o644)
    except OSError as error:
        return f"not made: {error.strerror or error}"
    return ""


def may_write(file: Path) -> None:
    """Raises FeltError when nobody can make this file, before anybody is asked anything."""
    if not os.access(file.parent, os.W_OK):
        why = "you may not write there" if file.parent.is_dir() else f"there is no folder {file.parent}"
        raise FeltError("config.unwritable", f"{file}: {why}")


def _asked(question: str) -> str:
    answer: str = click.prompt(question, default="", show_default=False, err=True)
    return answer.strip()
