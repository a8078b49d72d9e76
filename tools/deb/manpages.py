"""Manual pages of `felt` and `feltd`, from the commands themselves, as docs/commands.md is."""

from __future__ import annotations

import datetime
import inspect
import re
from collections.abc import Iterator
from typing import Final

import click

from controller.cli.group import cli
from tools.commands_page import EXAMPLES, OF_ALL, every, paragraphs, usage

_COMMON: Final = (
    ("--socket PATH", "The socket of the daemon; FELT_SOCKET does the same."),
    ("--json", "For programs: one JSON object, or one a line. An error is one too."),
    ("-h, --help", "Tells of a command."),
)
_STATUS: Final = (
    "0: done, all is well; 1: something is wrong, or the daemon does not answer; 2: typed wrongly, or refused."
)
_DAEMON: Final = """The daemon of a gaming table. It reads every card and chip from the devices of the table, follows
the round by the approved rules of the game, keeps a journal of every fact, and answers felt(1) on its socket. systemd
starts it as feltd.service with the configuration of the table, which "felt config init" writes.

It ends with status 2 when a person has to correct something first: then it is not started again by itself."""
_DAEMON_FILES: Final = (
    ("/etc/feltd/table.toml", "The configuration of the table."),
    ("/etc/feltd/people.toml", "Who may sign in, with what role."),
    ("/var/lib/feltd", "The journal and what belongs to it. No package ever removes it."),
    ("/var/lib/feltd-keys", "The day keys of the cards."),
    ("/usr/share/feltd", "What the package is made of: SHA256SUMS, sbom.cdx.json, program.manifest."),
)


def pages(version: str, epoch: int) -> dict[str, str]:
    """Returns every page by its name, such as felt-config.1, as roff."""
    head = _Head(version, datetime.datetime.fromtimestamp(epoch, datetime.UTC).date().isoformat())
    context = click.Context(cli)
    made = {"felt.1": head.page("felt", 1, "looks at the gaming table and works on it", _overview(context))}
    for word in cli.list_commands(context):
        command = cli.get_command(context, word)
        assert command is not None
        about = command.get_short_help_str(200).rstrip(".")
        made[f"felt-{word}.1"] = head.page(f"felt-{word}", 1, about, _of_command(f"felt {word}", command))
    made["feltd.8"] = head.page("feltd", 8, "the daemon of a gaming table", _daemon())
    return made


class _Head:
    """What every page begins with."""

    def __init__(self, version: str, day: str) -> None:
        self._version, self._day = version, day

    def page(self, name: str, section: int, about: str, body: Iterator[str]) -> str:
        title = f'.TH {name.upper()} {section} {self._day} "feltd {self._version}" "feltd"'
        return "\n".join((title, ".SH NAME", rf"{roff(name)} \- {roff(about)}", *body, ""))


def _overview(context: click.Context) -> Iterator[str]:
    yield from (".SH SYNOPSIS", r".B felt", r".I COMMAND", r"[\fIOPTIONS\fR]", ".SH DESCRIPTION")
    yield from _text(cli.help or "")
    yield ".SH COMMANDS"
    for word in cli.list_commands(context):
        command = cli.get_command(context, word)
        assert command is not None
        yield from (".TP", rf".BR felt\-{roff(word)} (1)", roff(command.get_short_help_str(200)))
    yield ".SH OPTIONS"
    for option, does in _COMMON:
        yield from (".TP", f".B {roff(option)}", roff(does))
    yield from (".SH EXIT STATUS", roff(_STATUS), ".SH SEE ALSO", ".BR feltd (8)")


def _of_command(name: str, command: click.Command) -> Iterator[str]:
    parts = [(name, command)]
    if isinstance(command, click.Group):
        parts = [*([(name, command)] if command.invoke_without_command else []), *every(command, name)]
    yield ".SH SYNOPSIS"
    for number, (each, it) in enumerate(parts):
        yield from ((".br",) if number else ())
        yield roff(usage(each, it))
    yield ".SH DESCRIPTION"
    yield from _text(command.help or "")
    for each, it in parts:
        if it is not command:
            yield f".SS {roff(each)}"
            yield from _text(it.help or "")
        yield from _options(it)
        yield from (".PP", "Example:", ".PP", ".nf", roff(EXAMPLES[each]), ".fi")
    yield from (".SH EXIT STATUS", roff(_STATUS), ".SH SEE ALSO", ".BR felt (1),", ".BR feltd (8)")


def _options(command: click.Command) -> Iterator[str]:
    context = click.Context(click.Command("felt"))
    for option in command.params:
        if not isinstance(option, click.Option) or not OF_ALL.isdisjoint(option.opts):
            continue
        record = option.get_help_record(context)
        if record is not None:
            yield from (".TP", f".B {roff(record[0])}", roff(record[1]) or r"\&")


def _text(text: str) -> Iterator[str]:
    """Yields what a command says of itself; what is laid out by hand stays as it is."""
    by_hand, first = False, True
    for line in paragraphs(inspect.cleandoc(text)):
        if line.startswith("```"):
            by_hand = not by_hand
            yield ".nf" if by_hand else ".fi"
        elif line or by_hand:
            yield roff(line) or r"\&"
        elif not first:
            yield ".PP"
        first = False


def _daemon() -> Iterator[str]:
    yield from (".SH SYNOPSIS", r".B feltd", r"\-\-config", ".I FILE", ".SH DESCRIPTION")
    yield from _text(_DAEMON)
    yield ".SH FILES"
    for file, what in _DAEMON_FILES:
        yield from (".TP", f".I {roff(file)}", roff(what))
    others = (("felt", 1), (r"felt\-config", 1), (r"felt\-doctor", 1), ("systemctl", 1))
    yield ".SH SEE ALSO"
    yield from (f".BR {name} ({section})" for name, section in others)


def roff(text: str) -> str:
    r"""Returns a text as it may stand on a line of roff.

    >>> roff(".x --a \\ y"), roff("plain")
    ('\\&.x \\-\\-a \\e y', 'plain')
    """
    plain = " ".join(text.split(" ")).replace("\\", r"\e").replace("-", r"\-")
    plain = re.sub(r"\s*\n\s*", " ", plain)
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain
