"""What a technician says before a device is worked on: the five questions of the service log, as options or asked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from functools import update_wrapper
from typing import Any, TypeVar

import click

from controller.cli.client import Json
from controller.errors import FeltError

Command = TypeVar("Command", bound=Callable[..., Any])
QUESTIONS = {
    "name": "Your name",
    "licence": "Your licence number",
    "time": "Time of the work",
    "reason": "Component and reason",
    "asset": "Asset number",
}


def with_service(command: Command) -> Command:
    """Adds options for the answers; the command gets them as `service`, asked for where they are missing."""

    def run(*args: Any, **kwargs: Any) -> Any:
        given = {name: kwargs.pop(f"service_{name}") for name in QUESTIONS}
        return command(*args, service=lambda: _answers(given), **kwargs)

    made: Any = update_wrapper(run, command)
    for name, question in reversed(QUESTIONS.items()):
        words = f"{question}, for the service log." + ("  [default: now]" if name == "time" else "")
        made = click.option(f"--{name}", f"service_{name}", help=words)(made)
    return made  # type: ignore[no-any-return]


def _answers(given: dict[str, str | None]) -> dict[str, str]:
    """Returns all five answers; raises FeltError when one is missing and nobody is there to be asked."""
    now = datetime.now().astimezone().isoformat(timespec="minutes")
    if sys.stdin.isatty():
        for name, question in QUESTIONS.items():
            if given[name] is None:
                given[name] = click.prompt(question, default=now if name == "time" else None, err=True)
    answers = {name: (answer or "").strip() for name, answer in given.items()}
    answers["time"] = _with_offset(answers["time"] or now)
    if missing := [name for name, answer in answers.items() if not answer]:
        asked = ", ".join(QUESTIONS[name].lower() for name in missing)
        step = f"Give {' '.join(f'--{name}' for name in missing)}."
        raise FeltError("service.missing", f"the service log needs: {asked}", step)
    return answers


def _with_offset(time: str) -> str:
    """Returns a time with its offset; one without is local time."""
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        return time  # the daemon refuses it with words
    return (when if when.tzinfo is not None else when.astimezone()).isoformat(timespec="minutes")


def last_line(lines: Any, on_the_way: Callable[[Json], None], done: str) -> Json:
    """Returns what a long work reported last; `on_the_way` gets the rest.  Raises FeltError when it was never done."""
    last: Json = {}
    for last in lines:
        if done not in last:
            on_the_way(last)
    if not last.get(done):
        step = "Run it again: what was done is kept."
        raise FeltError("daemon.unreachable", "the daemon ended in the middle", step)
    return last
