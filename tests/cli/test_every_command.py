"""What holds for every command: help that says what it does, JSON, 80 columns, a closed pipe, options anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from controller.cli.group import cli
from controller.cli.main import COMMANDS, help_text
from tests.cli.conftest import felt
from tests.cli.terminal import typed
from tests.daemon.house import PATIENCE, House
from tests.forking import run

LOOKING = (  # asks a running table, and changes nothing
    ("status",),
    ("devices",),
    ("doctor",),
    ("keys",),
    ("report",),
    ("alerts", "list"),
    ("promotions",),
    ("report", "wager"),
    ("float", "show"),
    ("deck", "list"),
    ("deck", "show", "1"),
    ("journal", "tail"),
    ("journal", "tail", "--round", "1"),
    ("journal", "anchor"),
    ("journal", "verify"),
    ("round", "list"),
    ("round", "show", "1"),
    ("round", "replay", "1", "--all"),
    ("round", "receipt", "1"),
    ("round", "export", "--csv"),
    ("explain", "shoe.jam"),
    ("device", "shoe", "trace"),
    ("odds", "casino-war", "--wager", "tie"),
    ("completion", "show", "bash"),
)
LINES = {("journal", "tail"), ("device", "shoe", "trace"), ("journal", "export")}  # one object a line
WIDE = ("feltd-anchor-1 ",)  # is copied whole


def commands(group: click.Group, name: str = "felt") -> Iterator[tuple[str, click.Command]]:
    """Every command under this group, with its whole name."""
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        yield f"{name} {word}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {word}")


EVERY = dict(commands(cli))


@pytest.mark.parametrize("name", EVERY)
def test_help_says_what_it_does_in_80_columns(name: str) -> None:
    command = EVERY[name]
    context = click.Context(command, info_name=name, terminal_width=80)
    text = command.get_help(context)
    assert all(len(line) <= 80 for line in text.splitlines()), text
    assert command.help and command.help.partition("\n")[0].rstrip().endswith((".", ";", ":", "?")), command.help
    for option in command.params:
        if isinstance(option, click.Option) and option.name not in ("help", "outcome"):
            assert option.help, f"{name} {option.opts}"


def test_the_list_of_commands_fits() -> None:
    assert all(len(line) <= 80 for line in help_text().splitlines())
    for name, (_, what) in COMMANDS.items():
        assert f"  {name:<10} {what}" in help_text()


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_json_is_json(house: House, words: tuple[str, ...]) -> None:
    said = felt(*words, "--json", FELT_SOCKET=str(house.socket))
    lines = said.stdout.splitlines()
    assert lines and "Traceback" not in said.stderr, said.stderr
    assert words[:2] in LINES or words in LINES or len(lines) == 1
    for line in lines:
        assert isinstance(json.loads(line), dict)


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_a_terminal_of_80_columns_is_wide_enough(house: House, words: tuple[str, ...]) -> None:
    if words[0] == "completion":
        return  # the shell reads it
    terminal = typed(*words, FELT_SOCKET=str(house.socket))
    lines = terminal.text.splitlines()
    assert lines and "Traceback" not in terminal.text
    assert [line for line in lines if len(line.split("\r")[-1]) > 80 and not line.startswith(WIDE)] == []


@pytest.mark.parametrize("words", [*LOOKING, ("journal", "export"), ("sim", "--help")], ids=" ".join)
def test_a_reader_who_has_gone_ends_it_quietly(house: House, words: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        env = {**os.environ, "FELT_SOCKET": str(house.socket)}
        done = run("felt", *words, stdout=write, timeout=PATIENCE, env=env)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(
    "words",
    [
        ("--socket", "SOCKET", "journal", "tail", "-n", "1"),
        ("journal", "--socket", "SOCKET", "tail", "-n", "1"),
        ("journal", "tail", "-n", "1", "--socket", "SOCKET"),
        ("--socket", "/nowhere", "journal", "tail", "-n", "1", "--socket", "SOCKET"),
    ],
)
def test_the_socket_is_named_anywhere(house: House, words: tuple[str, ...]) -> None:
    said = felt(*(str(house.socket) if word == "SOCKET" else word for word in words), FELT_SOCKET="/nowhere")
    assert said.returncode == 0, said.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("statsu",), "'status'"),
        (("juornal", "tail"), "'journal'"),
        (("journal", "tial"), "'tail'"),
        (("report", "--sinc", "x"), "'--since'"),
    ],
)
def test_who_mistypes_is_told_what_was_meant(words: tuple[str, ...], meant: str) -> None:
    said = felt(*words)
    assert said.returncode == 2
    assert "Did you mean" in said.stderr and meant in said.stderr


def test_colours_only_where_they_are_wanted(house: House) -> None:
    here = str(house.socket)
    coloured, plain = typed("status", FELT_SOCKET=here), typed("status", FELT_SOCKET=here, NO_COLOR="1")
    assert "\x1b[32mall is well\x1b[0m" in coloured.raw
    assert "\x1b" not in plain.raw and plain.text.splitlines()[-1] == coloured.text.splitlines()[-1] == "all is well"
    assert "\x1b" not in felt("status", FELT_SOCKET=here).stdout


def test_only_the_monitor_loads_what_draws_it() -> None:
    """What a terminal is drawn with takes longer to load than most commands to answer."""
    code = "import sys; from controller.cli.group import cli; cli(['status', '--help'], standalone_mode=False)"
    code += "; print('textual' in sys.modules, 'rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout.splitlines()[-1] == "False False", done.stderr
