"""felt completion: the shell completes commands, options and files of `felt`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from controller.cli.client import explained, with_json
from controller.errors import FeltError

VARIABLE: Final = "_FELT_COMPLETE"
SHELLS: Final = ("bash", "zsh", "fish")


@click.group(name="completion")
def command() -> None:
    """Let the shell complete what is typed."""


@command.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@with_json
@explained
def show(shell: str | None, as_json: bool) -> None:
    """Print what the shell must read; SHELL is the one you use unless you name another."""
    shell = shell or _of_this_person()
    text = source(shell)
    print(json.dumps({"shell": shell, "text": text}) if as_json else text)


@command.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@with_json
@explained
def install(shell: str | None, as_json: bool) -> None:
    """Write it where the shell finds it by itself, for you alone; again after an update.

    A new shell has it.  SHELL is the one you use unless you name another.
    """
    shell = shell or _of_this_person()
    file = place(shell, Path.home())
    text = source(shell)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
    except OSError as error:
        raise FeltError("completion.unwritable", f"{file}: {error.strerror}") from None
    step = _step(shell, file)
    print(json.dumps({"shell": shell, "file": str(file), "next_step": step}) if as_json else f"{file}\n  -> {step}")


def place(shell: str, home: Path) -> Path:
    """Returns the file that a shell reads by itself.

    >>> place("bash", Path("/home/ann"))
    PosixPath('/home/ann/.local/share/bash-completion/completions/felt')
    """
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    match shell:
        case "bash":
            return data / "bash-completion/completions/felt"
        case "fish":
            return settings / "fish/completions/felt.fish"
    return data / "zsh/site-functions/_felt"


def _step(shell: str, file: Path) -> str:
    if shell == "zsh":
        return f"Write `fpath+=({file.parent})` into ~/.zshrc, above `compinit`; then open a new shell."
    return "Open a new shell."


def _of_this_person() -> str:
    """Returns the shell that somebody uses; raises FeltError when it cannot be told."""
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        raise FeltError("completion.shell", f"{name or 'no shell'} is not among {', '.join(SHELLS)}")
    return name


def source(shell: str) -> str:
    """Returns what this shell must read."""
    from controller.cli.group import cli

    kind = get_completion_class(shell)
    assert kind is not None, shell
    complete = kind(cli, {}, "felt", VARIABLE)
    return str(complete.source_template % complete.source_vars())
