"""Writes docs/commands.md: every command of `felt`, as it is declared, each with an example."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from controller.cli.group import cli

ROOT = Path(__file__).parents[1]
PAGE = "docs/commands.md"
TEST = "tests/test_commands_page.py"  # tries whether each example can be typed

HEAD = """# Commands of `felt`

Every command with its options and an example. `make commands` writes this page from the commands themselves;
`felt COMMAND --help` tells the same on a terminal. [felt.md](felt.md) says which one to use for what, and what all of
them have in common.

- `--socket PATH` names the daemon's socket. It may stand behind `felt`, behind the noun or at the end; `FELT_SOCKET`
  does the same.
- `--json` is for programs: one JSON object, or one a line. An error is one too:
  `{"error": {"code": ..., "cause": ..., "next_step": ...}}`.
- `-h`, `--help` tells of a command.
"""
OF_ALL: Final = {"--socket", "--json", "--help"}  # told above

EXAMPLES: Final = {
    "felt program challenge": "felt program challenge 5f0c1d2e3a4b5c6d",
    "felt program changes": "felt program changes -n 20",
    "felt program manifest": "felt program manifest --key approver.pem -o feltd.manifest",
    "felt program show": "felt program show",
    "felt program sign": "felt program sign feltd.manifest --key laboratory.pem -o feltd.signed",
    "felt program verify": "felt program verify --config /etc/feltd/table.toml",
    "felt promotions": "felt promotions",
    "felt alerts clear": "felt alerts clear 112 --reason 'counted: 52 cards'",
    "felt alerts list": "felt alerts list",
    "felt backup": "felt backup /media/stick/T7",
    "felt clock confirm": "felt clock confirm --reason 'the clock of the pit says the same'",
    "felt clock show": "felt clock show",
    "felt completion install": "felt completion install bash",
    "felt completion show": "felt completion show fish > felt.fish",
    "felt config check": "felt config check /etc/feltd/table.toml",
    "felt config init": "felt config init table.toml --game casino-war --areas 5",
    "felt config show": "felt config show /etc/feltd/table.toml --json",
    "felt config udev": "felt config udev /etc/feltd/table.toml",
    "felt correct": "felt correct 112 war=25 --preview",
    "felt deck bring": "felt deck bring A-1001 A-1002 --colour red",
    "felt deck change": "felt deck change 1 Kh 2c --fault bent",
    "felt deck check": "felt deck check 2 --count 52",
    "felt deck list": "felt deck list",
    "felt deck name": "felt deck name 1 A-1001 --colour red",
    "felt deck order": "felt deck order",
    "felt deck receipt": "felt deck receipt 3 --html -o inspection-3.html",
    "felt deck seal": "felt deck seal 1 --slip S-77 --seal L-9 --witness Bob",
    "felt deck show": "felt deck show 2",
    "felt deck witness": "felt deck witness 1",
    "felt deck unfit": "felt deck unfit 1 --fault marked --note 'a corner'",
    "felt device confirm": "felt device shuffler confirm K7QM --by Bob",
    "felt device open": "felt device shuffler open --by Ann --reason 'a card is stuck' --minutes 10",
    "felt device clear": "felt device shoe clear",
    "felt device conform": "felt device conform serial:///dev/ttyUSB0 --junit conform.xml",
    "felt device flash": "felt device shoe flash shoe-1.4.0.felt",
    "felt device identify": "felt device sensor.3 identify",
    "felt device pair": "felt device shoe pair",
    "felt device reset": "felt device shoe reset jam",
    "felt device test": "felt device lamps test",
    "felt device trace": "felt device shoe trace --follow",
    "felt device unpair": "felt device shoe unpair",
    "felt devices": "felt devices --suggest",
    "felt doctor": "felt doctor --bundle support.tar.gz",
    "felt explain": "felt explain shoe.jam",
    "felt firmware keygen": "felt firmware keygen vendor.key",
    "felt firmware sign": "felt firmware sign shoe.bin --key k --family shoe --model S1 --version 1.4.0 -o shoe.felt",
    "felt firmware verify": "felt firmware verify shoe-1.4.0.felt",
    "felt float confirm": "felt float confirm K7QM",
    "felt float record": "felt float record fill 5000 --slip F17",
    "felt float show": "felt float show --day 2026-11-17",
    "felt floor": "felt floor --acknowledge 7",
    "felt jackpot adjust": "felt jackpot adjust -12.50 --by Ann --reason 'counted twice'",
    "felt jackpot checkpoint": "felt jackpot checkpoint",
    "felt jackpot claim": "felt jackpot claim --by Ann --reason 'the other card was in the workshop'",
    "felt jackpot close": "felt jackpot close G2 --by Ann --reason 'end of the promotion'",
    "felt jackpot confirm": "felt jackpot confirm 4711 --by Bob",
    "felt jackpot history": "felt jackpot history -n 5",
    "felt jackpot meters": "felt jackpot meters --json",
    "felt jackpot notices": "felt jackpot notices",
    "felt jackpot reconcile": "felt jackpot reconcile",
    "felt jackpot show": "felt jackpot show",
    "felt jackpot transfer": "felt jackpot transfer G2 --by Ann",
    "felt jackpot verify": "felt jackpot verify",
    "felt journal anchor": "felt journal anchor > anchor.txt",
    "felt journal checkpoint": "felt journal checkpoint > checkpoint.txt",
    "felt journal repair": "felt journal repair /var/lib/feltd/journal.db --from /media/stick/felt/T1.journal",
    "felt journal export": "felt journal export -o facts.jsonl --since 2026-11-17",
    "felt journal key": "felt journal key /etc/feltd/journal.key --new",
    "felt journal prove": "felt journal prove 4711",
    "felt journal tail": "felt journal tail --round 41",
    "felt journal open-cards": "felt journal open-cards 112 --reason 'dispute 7, area 3'",
    "felt journal archive": "felt journal archive",
    "felt journal archives": "felt journal archives",
    "felt journal verify": "felt journal verify --checkpoint checkpoint.txt",
    "felt key": "felt key no-more-bets",
    "felt keys": "felt keys fold",
    "felt monitor": "felt monitor",
    "felt odds": "felt odds casino-war --wager tie",
    "felt people add": "felt people add 'Floor Eight' --badge 1042 --role supervisor",
    "felt people check": "felt people check",
    "felt people list": "felt people list --json",
    "felt people pin": "felt people pin 'Floor Eight'",
    "felt people remove": "felt people remove 'Floor Eight'",
    "felt report": "felt report shift --day 2026-11-17",
    "felt restore": "felt restore /media/stick/T7",
    "felt round export": "felt round export --phh -o hands.phhs",
    "felt round list": "felt round list --area 3 --irregular any",
    "felt round receipt": "felt round receipt 41 --html -o 41.html",
    "felt round replay": "felt round replay 41 --all",
    "felt round show": "felt round show 41",
    "felt run": "felt run -j auto --junit results.xml tests/",
    "felt shuffle accept": "felt shuffle accept --simulate fair --svg shuffles.svg",
    "felt sign-in": "felt sign-in --badge 1042",
    "felt sign-out": "felt sign-out",
    "felt sim": "felt sim --game holdem --rounds 10 --speed 0",
    "felt sim do": "felt sim do shoe draw Kh 2c",
    "felt sim soak": "felt sim soak --seed 7 --days 14",
    "felt status": "felt status --socket /run/feltd-read/feltd.sock",
    "felt table init": "felt table init /etc/feltd/table.toml",
    "felt table key": "felt table key /etc/feltd/table.toml",
    "felt tournament check": "felt tournament check spring-cup.toml",
    "felt tournament do": "felt tournament do 'Spring Cup' enter Ann Bob",
    "felt tournament list": "felt tournament list",
    "felt tournament open": "felt tournament open spring-cup.toml",
    "felt tournament report": "felt tournament report 'Spring Cup' --json",
    "felt tournament show": "felt tournament show 'Spring Cup'",
    "felt tournament table": "felt tournament table 'Spring Cup'",
}


def page() -> str:
    """Returns the whole page."""
    return "\n".join([HEAD, *(line for name, command in every(cli) for line in section(name, command))])


def every(group: click.Group, name: str = "felt") -> Iterator[tuple[str, click.Command]]:
    """Yields each command that does something, with its whole name, in the order of `felt --help`."""
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield f"{name} {word}", command
        if isinstance(command, click.Group):
            yield from every(command, f"{name} {word}")


def section(name: str, command: click.Command) -> Iterator[str]:
    """Yields the lines about one command."""
    yield from (f"## {name}", "", "```text", usage(name, command), "```", "")
    yield from (*paragraphs(command.help or ""), "")
    rows = [row(each) for each in command.params if isinstance(each, click.Option) and OF_ALL.isdisjoint(each.opts)]
    if rows:
        yield from ("| option | does |", "|---|---|", *rows, "")
    yield from ("Example:", "", f"```sh tested-by: {TEST}", EXAMPLES[name], "```", "")


def usage(name: str, command: click.Command) -> str:
    """Returns how a command is written; a device is named before what is done with it.

    >>> usage("felt device reset", click.Command("reset", params=[click.Argument(["code"], required=False)]))
    'felt device NAME reset [OPTIONS] [CODE]'
    """
    pieces = command.collect_usage_pieces(click.Context(command))
    named = name.startswith("felt device ") and name != "felt device conform"
    return " ".join([name.replace("felt device", "felt device NAME", 1) if named else name, *pieces])


def paragraphs(text: str) -> Iterator[str]:
    """Yields what a command says of itself: paragraphs, and what is laid out by hand as it is.

    >>> list(paragraphs("One\\nsentence.\\n\\n\\b\\nfelt x   1\\nfelt yy  2"))
    ['One sentence.', '', '```text', 'felt x   1', 'felt yy  2', '```']
    """
    first = True
    for part in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if not first:
            yield ""
        first = False
        lines = part.splitlines()
        if lines[0].strip() == "\b":
            yield from ("```text", *lines[1:], "```")
        else:
            yield " ".join(line.strip() for line in lines)


def row(option: click.Option) -> str:
    """Returns one option as a row of a table."""
    record = option.get_help_record(click.Context(click.Command("felt")))
    written, does = record if record is not None else ("", "")
    return f"| `{cell(written)}` | {cell(does)} |"


def cell(text: str) -> str:
    """Returns a text as it may stand in a table of Markdown."""
    return " ".join(text.replace("|", "\\|").split())


def main() -> int:
    """Writes the page."""
    (ROOT / PAGE).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
