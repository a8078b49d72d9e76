"""felt device NAME ...: what a technician does to one device; felt device conform ADDRESS: what firmware promises."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import click

from controller.api import routes
from controller.api.shapes import FrameShown
from controller.cli.capture import captured
from controller.cli.client import TROUBLE, Client, Json, Noun, dumped, explained, with_json, with_socket
from controller.cli.conform.command import conform
from controller.cli.frame_filter import KINDS, FrameFilter
from controller.cli.reach import Alone, daemon_or_table, with_config
from controller.cli.service import last_line, with_service
from controller.counts import many
from controller.errors import FeltError
from controller.table.door_access import LEAST, MOST, USUAL

Answers: TypeAlias = Callable[[], dict[str, str]]  # for the service log


class _Verbs(Noun):
    """The verbs of `felt device NAME VERB`; `conform` takes an address behind it and has no name before it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, ["", *args] if args[:1] == [conform.name] else args)


class _Name(click.Argument):
    """The name of a device, which no usage of `conform` shows."""

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [] if ctx.command is conform else super().get_usage_pieces(ctx)


@click.group(name="device", cls=_Verbs)
@click.argument("name", cls=_Name)
@click.pass_context
def command(ctx: click.Context, name: str) -> None:
    """Work on the device NAME; between rounds, and only with the technician there."""
    ctx.obj = name


command.add_command(conform)


@command.command()
@with_service
@with_socket
@with_json
@click.pass_obj
@explained
def pair(name: str, service: Answers, path: str, as_json: bool) -> None:
    """Agree with the device on a new key; its pairing switch must be on.

    Read the six digits from the device, and type them in when asked: with somebody in the cable they are not the right
    ones, and no key is stored.  The key itself is stored by the daemon and never shown.
    """
    client = Client(path)

    def compare(_line: Json) -> None:
        code = click.prompt("The six digits that the device shows", err=True)
        client.post(routes.PAIR_CODE, {"code": code}, name)

    answer = last_line(client.work(routes.PAIR, b"", name, **service()), compare, "paired")
    _say(answer, f"{name} ({answer['serial']}) is paired: switch its pairing switch off", as_json)


@command.command()
@with_service
@with_socket
@with_json
@click.pass_obj
@explained
def clear(name: str, service: Answers, path: str, as_json: bool) -> None:
    """Say that the device's cable was looked at after tampering."""
    _say(Client(path).post(routes.CLEAR_CABLE, {}, name, **service()), f"{name}: cleared", as_json)


@command.command(short_help="Forget the key of the device: its link is plain again.")
@with_service
@with_socket
@with_json
@click.pass_obj
@explained
def unpair(name: str, service: Answers, path: str, as_json: bool) -> None:
    """Forget the key of the device: its link is plain again, until it is paired anew.

    Only where table.toml has sealed = false for it: any other device would not be used without its key.  Without this
    a device whose link was encrypted once is never spoken to in plain frames, also when its key is gone.
    """
    answer = Client(path).post(routes.UNPAIR, {}, name, **service())
    _say(answer, f"{name} is not paired any more: its link is insecure", as_json)


@command.command(short_help="Lead the device out of its error mode.")
@click.argument("code", required=False)
@with_socket
@with_json
@click.pass_obj
@explained
def reset(name: str, code: str | None, path: str, as_json: bool) -> None:
    """Lead the device out of its error mode, after somebody has put right what was wrong.

    With CODE only out of that one, such as shoe.unreadable.  The fault is over when the device says so.
    """
    answer = Client(path).post(routes.RESET, {}, name, code=code)
    _say(answer, f"{name} was reset from {', '.join(answer['reset'])}: `felt status` tells when it is over", as_json)


@command.command(name="open", short_help="Propose that its door may be opened: two people.")
@click.option("--by", required=True, metavar="NAME", help="Who you are.")
@click.option("--reason", required=True, help="Why.")
@click.option("--minutes", type=click.IntRange(LEAST, MOST), default=USUAL, show_default=True, help="For how long.")
@with_socket
@with_json
@click.pass_obj
@explained
def open_door(name: str, by: str, reason: str, minutes: int, path: str, as_json: bool) -> None:
    """Propose that the door of the device may be opened; a second person confirms it with the code.

    It may be opened then until the minutes are over, or it is shut again.  Two people are two accounts.
    """
    answer = Client(path).post(routes.OPEN_DOOR, {"by": by, "reason": reason, "minutes": minutes}, name)
    confirm = f"felt device {name} confirm {answer['confirm']} --by NAME"
    _say(answer, f"{answer['text']}: within {answer['minutes']} minutes a second person types `{confirm}`", as_json)


@command.command(short_help="Confirm that its door may be opened, as the second person.")
@click.argument("code")
@click.option("--by", required=True, metavar="NAME", help="Who you are.")
@with_socket
@with_json
@click.pass_obj
@explained
def confirm(name: str, code: str, by: str, path: str, as_json: bool) -> None:
    """Confirm that the door may be opened; CODE is what the first person was told."""
    answer = Client(path).post(routes.CONFIRM_DOOR, {"code": code, "by": by}, name)
    _say(answer, f"the door of {name} may be opened for {many(answer['minutes'], 'minute')}", as_json)


@command.command(short_help="Let the device check itself.")
@with_socket
@with_json
@click.pass_obj
@explained
def test(name: str, path: str, as_json: bool) -> None:
    """Let the device check itself, and say what it found; not while cards are dealt.

    Exit status 0: it is sound; 1: it is not, or does not answer.
    """
    answer = Client(path).post(routes.TEST, {}, name)
    reason = f"it finds {answer['detail']}" if answer["detail"] else "it gives no reason"
    _say(answer, f"{name} is sound" if answer["ok"] else f"{name} is not sound: {reason}", as_json)
    sys.exit(0 if answer["ok"] else TROUBLE)


@command.command(short_help="Let the device show which one it is.")
@with_socket
@with_json
@click.pass_obj
@explained
def identify(name: str, path: str, as_json: bool) -> None:
    """Let the device show which one it is: its lamps flash, or it shows its name for a moment.

    A device that can show nothing is found by its serial number.
    """
    answer = Client(path).post(routes.IDENTIFY, {}, name)
    if answer["shows"]:
        text = f"{name}: {answer['shows']}"
    else:
        serial = f"the serial number {answer['serial']}" if answer.get("serial") else "no serial number"
        text = f"{name} can show nothing: it has {serial}, at {answer['address']}"
    _say(answer, text, as_json)


@command.command(short_help="Bring signed firmware to the device.")
@click.argument("image", type=click.Path(path_type=Path))
@click.option("--downgrade", is_flag=True, help="Allow an older version than the one that runs.")
@with_service
@with_socket
@with_json
@click.pass_obj
@explained
def flash(name: str, image: Path, downgrade: bool, service: Answers, path: str, as_json: bool) -> None:
    """Bring the signed firmware IMAGE to the device, start it, and keep it when it comes up.

    After a cut, run it again: it goes on where it was.
    """
    try:
        data = image.read_bytes()
    except OSError as error:
        raise FeltError("image.missing", f"{image}: {error.strerror or error}") from None
    shown = not as_json and sys.stderr.isatty()

    def progress(line: Json) -> None:
        if shown:
            print(f"\r{line['have'] * 100 // line['size']:3d} % of {line['size']} bytes", end="", file=sys.stderr)

    work = Client(path).work(routes.FLASH, data, name, downgrade="1" if downgrade else None, **service())
    last = last_line(work, progress, "flashed")
    if shown:
        print(file=sys.stderr)
    _say(last, f"{name} runs {last['firmware']}", as_json)


@command.command(short_help="The latest frames to and from the device.")
@click.option("-f", "--follow", is_flag=True, help="Go on with what passes now, until Ctrl-C.")
@click.option("--save", type=click.Path(path_type=Path), help="Also write a capture to this file: JSON lines.")
@click.option("--in", "way", flag_value="in", help="Only what the device sent.")
@click.option("--out", "way", flag_value="out", help="Only what was sent to it.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    metavar="KIND",
    help=f"Only frames of this kind; repeatable.  One of {', '.join(KINDS)}.",
)
@click.option("--since", type=click.FloatRange(min=0), help="Only the last SECONDS.", metavar="SECONDS")
@click.option("--all", "whole", is_flag=True, help="Heartbeats one by one, not folded.")
@with_config
@with_socket
@with_json
@click.pass_obj
@explained
def trace(
    name: str,
    follow: bool,
    save: Path | None,
    way: str | None,
    kinds: tuple[str, ...],
    since: float | None,
    whole: bool,
    config: Path | None,
    path: str,
    as_json: bool,
) -> None:
    """The latest frames to and from the device, decoded; cards are withheld, heartbeats folded.

    A capture has every frame's time, way and bytes, whatever is filtered here; a card in it is blank, as if it could
    not be read.  When the daemon does not run, the device is asked directly, for a second or until Ctrl-C; nothing is
    acknowledged.
    """
    shown = FrameFilter(way, kinds, since, fold=not (whole or as_json))

    def ask(client: Client) -> Iterable[FrameShown]:
        frames = client.get(routes.TRACE, name)["frames"]  # an error leaves an older capture alone
        return client.stream(routes.TRACE, FrameShown, name, follow=1) if follow else frames

    frames = daemon_or_table(path, config, ask)

    def tell(frame: FrameShown) -> None:
        for line in shown.lines(frame):
            print(dumped(frame) if as_json else line, flush=follow)

    if isinstance(frames, Alone):
        _watch(name, frames, save, tell, follow)
    else:
        with captured(save) as keep:
            for frame in frames:
                keep(frame)
                tell(frame)
    for line in shown.rest():
        print(line)


def _watch(name: str, alone: Alone, save: Path | None, tell: Callable[[FrameShown], None], follow: bool) -> None:
    import asyncio
    from contextlib import ExitStack

    from controller.cli.alone import watch

    print("\n".join(alone.words()), file=sys.stderr, flush=True)
    with ExitStack() as stack:
        keep: Callable[[FrameShown], None] | None = None

        def passed(frame: FrameShown) -> None:
            nonlocal keep
            keep = keep or stack.enter_context(captured(save))  # an older capture is left alone until something passes
            keep(frame)
            tell(frame)

        asyncio.run(watch(alone.config, name, passed, follow=follow))


def _say(answer: object, text: str, as_json: bool) -> None:
    print(dumped(answer) if as_json else text)
