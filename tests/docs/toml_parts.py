"""Parts of configuration files as documents show them, put into the smallest whole file and read by the real reader."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from controller.cli.config_init import Answers, devices_of
from controller.cli.config_init import text as whole_file
from controller.config.errors import ConfigError
from controller.daemon.check import checked
from controller.games import find
from controller.people.roster import NO_PIN, RosterError, parse

_HEADER = re.compile(r"^\[+([^\]\n]+)\]+", re.MULTILINE)


def sections(text: str) -> dict[str, str]:
    """The sections of a file by their headers, each with its header."""
    starts = [match.start() for match in _HEADER.finditer(text)] + [len(text)]
    names = _HEADER.findall(text)
    return {name: text[start:end] for name, start, end in zip(names, starts, starts[1:], strict=False)}


def whole_table(part: str, game: str, folder: Path) -> str:
    """The smallest table of this game that has this part; what the part says goes before what it would have."""
    given = sections(part)
    read = tomllib.loads(part)
    options = read.get("options", {})
    rules = find(game)
    seats = int(options.get("seats", 3))
    addresses = {device.name: f"sim://{device.name}" for device in devices_of(rules, seats)}
    socket = str(folder / "feltd.sock")
    lines = whole_file(Answers(game, "T1", seats, addresses), rules, [], folder / "state", socket, None)
    text = "\n".join(lines) + "\n"
    if options.get("shoe", "hand") != "hand":
        text = re.sub(r"\bshoe\b", "shuffler", text)
    whole = sections(text)
    for name in ("table", "options"):  # of these a part may have some lines
        if name in given:
            rest = [line for line in whole[name].splitlines()[1:] if line.partition(" ")[0] not in read[name]]
            given[name] += "\n".join(rest) + "\n"
    return "\n".join({**whole, **given}.values())


def wrong_in_table(part: str, game: str, folder: Path) -> str:
    """What the reader of table.toml says against this part; "" when it is well."""
    file = folder / "part.toml"
    file.write_text(part if {"table", "device"} <= tomllib.loads(part).keys() else whole_table(part, game, folder))
    try:
        checked(file)
    except ConfigError as error:
        return "\n".join(f"{problem.key}: {problem.message}" for problem in error.problems)
    return ""


def wrong_in_people(part: str) -> str:
    """What the reader of people.toml says against this part; "" when it is well.  `...` stands for a PIN's hash."""
    try:
        parse(re.sub(r'(?<=pin = ").*\.\.\.(?=")', str(NO_PIN).replace("\\", ""), part), "people.toml")
    except RosterError as error:
        return error.cause
    return ""
