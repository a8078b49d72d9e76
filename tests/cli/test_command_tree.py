"""What holds for every command that there is, found by walking the tree: JSON, errors, --socket, a closed pipe."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import click
import pytest
from click.testing import CliRunner

from controller.cli.client import Noun
from controller.cli.group import cli
from tests.cli.test_every_command import EVERY, commands

LEAVES = {name: command for name, command in commands(cli) if not isinstance(command, click.Group)} | {
    "felt sim": EVERY["felt sim"]
}
FOR_EYES = {"felt monitor"}  # draws on a terminal until q
ASK_NO_DAEMON = (
    "backup",
    "completion",
    "config",
    "explain",
    "firmware",
    "journal key",
    "journal repair",
    "odds",
    "people",
    "restore",
    "program manifest",
    "program sign",
    "program verify",
    "table",
    "run",
    "shuffle",
    "sim",
    "tournament check",
    "device conform",
)
WORDS = {  # where any word will not do
    "felt sim": ["--rounds", "0"],
    "felt sim soak": ["--rounds", "1"],
    "felt sign-in": ["--badge", "7"],
    "felt odds": ["casino-war", "--wager", "tie"],
    "felt device conform": ["sim://nowhere"],
    "felt explain": ["shoe.jam"],
    "felt jackpot adjust": ["1", "--by", "x", "--reason", "x"],
    "felt jackpot confirm": ["1", "--by", "x"],
    "felt jackpot transfer": ["G2", "--by", "x"],
    "felt jackpot close": ["G2", "--by", "x", "--reason", "x"],
}


def a_value(kind: object) -> str:
    """Returns a word of this kind."""
    if isinstance(kind, click.Choice):
        return str(kind.choices[0])
    return "1" if isinstance(kind, click.IntRange) else "nothing"


def words_for(name: str) -> list[str]:
    """A way to call a command, as far as its declaration says what it takes."""
    verbs = name.split()[1:]
    if verbs[0] == "device":
        verbs.insert(1, "shoe")
    if name == "felt device conform":
        verbs.remove("shoe")
    if name in WORDS:
        return [*verbs, *WORDS[name]]
    values = []
    for each in LEAVES[name].params:
        if isinstance(each, click.Argument) and each.required:
            values.append(a_value(each.type))
        elif isinstance(each, click.Option) and each.required:
            values += [each.opts[0], a_value(each.type)]
    return [*verbs, *values]


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a daemon, in a directory of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("FELT_SOCKET", str(tmp_path / "feltd.sock"))
    monkeypatch.setenv("FELT_PEOPLE", str(tmp_path / "people.toml"))
    return tmp_path


def test_every_command_takes_json() -> None:
    for name, command in LEAVES.items():
        options = {word for option in command.params for word in option.opts}
        assert ("--json" in options) == (name not in FOR_EYES), name


@pytest.mark.parametrize("name", sorted(set(LEAVES) - FOR_EYES))
def test_each_line_is_json_whatever_happens(name: str, nowhere: Path) -> None:
    result = CliRunner().invoke(cli, [*words_for(name), "--json"])
    lines = result.stdout.splitlines()
    failed = 2 if name == "felt run" else 1
    assert lines and result.exit_code in (0, failed), (result.output, result.exception)
    answers = [json.loads(line) for line in lines]
    assert all(isinstance(each, dict) for each in answers)
    if errors := [each["error"] for each in answers if "error" in each]:
        assert result.exit_code == failed
        assert name == "felt run" or all(
            set(error) >= {"code", "cause", "next_step"} and error["next_step"] for error in errors
        )
    assert not result.stderr.strip() or name == "felt sim", result.stderr


def test_a_pipe_without_a_pin_asks_no_daemon(nowhere: Path) -> None:
    result = CliRunner().invoke(cli, ["sign-in", "--badge", "7", "--json"], input="\n")
    assert (result.exit_code, json.loads(result.stdout)["error"]["code"]) == (1, "sign-in.request")


@pytest.mark.parametrize("name", sorted(set(LEAVES) - FOR_EYES))
def test_who_mistypes_an_option_is_told_in_the_form_that_was_asked_for(name: str, nowhere: Path) -> None:
    if name in ("felt key", "felt jackpot adjust"):
        return  # words that begin with a dash may be meant
    result = CliRunner().invoke(cli, [*words_for(name), "--jsno", "--json"])
    assert result.exit_code == 2, result.output
    error = json.loads(result.stdout)["error"]
    assert error["code"] == "command.mistyped" and "--json" in error["cause"] and name.split()[1] in error["next_step"]


@pytest.mark.parametrize("group", [name for name, each in EVERY.items() if isinstance(each, click.Group)])
def test_who_mistypes_a_verb_is_told_what_was_meant(group: str) -> None:
    command = EVERY[group]
    assert isinstance(command, click.Group)
    verb = max(command.list_commands(click.Context(command)), key=len)
    words = group.split()[1:] + (["shoe"] if group == "felt device" else [])
    result = CliRunner().invoke(cli, [*words, f"{verb}{verb[-1]}"])
    assert result.exit_code == 2 and "Did you mean" in result.stderr and verb in result.stderr, result.output


def test_the_socket_can_be_named_at_every_level() -> None:
    for name, command in EVERY.items():
        options = {word for option in command.params for word in option.opts}
        asks = not name.removeprefix("felt ").startswith(ASK_NO_DAEMON)
        assert ("--socket" in options) == asks, name
        if isinstance(command, click.Group):
            assert isinstance(command, Noun) or not asks or name == "felt device"


@pytest.fixture
def gone() -> Iterator[IO[str]]:
    """A standard output whose reader has gone."""
    read, write = os.pipe()
    os.close(read)
    stream = os.fdopen(write, "w")
    yield stream
    with suppress(BrokenPipeError):
        stream.close()


@pytest.mark.parametrize("name", sorted(set(LEAVES) - FOR_EYES))
@pytest.mark.parametrize("more", [("--json",), ("--help",)], ids="".join)
def test_a_reader_who_has_gone_ends_it_quietly(
    name: str, more: tuple[str, ...], nowhere: Path, monkeypatch: pytest.MonkeyPatch, gone: IO[str]
) -> None:
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stdout", gone)
    monkeypatch.setattr(sys, "stderr", errors)
    monkeypatch.setattr(sys, "argv", ["felt", *words_for(name), *more])
    with pytest.raises(SystemExit) as ended:
        cli(prog_name="felt")
    assert (ended.value.code, errors.getvalue()) == (141, "")
