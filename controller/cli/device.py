"""felt device NAME ...: what a technician does to one device."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import click

from controller.cli.capture import captured
from controller.cli.client import Client, Json, explained, with_json, with_socket
from controller.cli.reach import Alone, daemon_or_table, with_config
from controller.cli.service import last_line, query, with_service
from controller.errors import FeltError

Answers: TypeAlias = Callable[[], dict[str, str]]  # for the service log


@click.group(name="device")
@click.argument("name")
@click.pass_context
def command(ctx: click.Context, name: str) -> None:
    """Work on the device NAME; between rounds, and only with the technician there."""
    ctx.obj = name


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
        client.post(f"/devices/{name}/pair/code", {"code": code})

    answer = last_line(client.work(f"/devices/{name}/pair{query(service())}", b""), compare, "paired")
    _say(answer, f"{name} ({answer['serial']}) is paired: switch its pairing switch off", as_json)


@command.command()
@with_service
@with_socket
@with_json
@click.pass_obj
@explained
def clear(name: str, service: Answers, path: str, as_json: bool) -> None:
    """Say that the device's cable was looked at after tampering."""
    _say(Client(path).post(f"/devices/{name}/clear{query(service())}", {}), f"{name}: cleared", as_json)


@command.command(short_help="Forget the key of the device: its link is plain again.")
@with_service
@with_socket
@with_json
@click.pass_obj
@explained
def unpair(name: str, service: Answers, path: str, as_json: bool) -> None:
    """Forget the key of the device: its link is plain again, until it is paired anew.

    Without this a device whose link was encrypted once is never spoken to in plain frames, also when its key is gone.
    """
    answer = Client(path).post(f"/devices/{name}/unpair{query(service())}", {})
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
    answer = Client(path).post(f"/devices/{name}/reset{query({'code': code} if code else {})}", {})
    _say(answer, f"{name} was reset from {', '.join(answer['reset'])}: `felt status` tells when it is over", as_json)


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

    asked = query(service(), **({"downgrade": "1"} if downgrade else {}))
    last = last_line(Client(path).work(f"/devices/{name}/flash{asked}", data), progress, "flashed")
    if shown:
        print(file=sys.stderr)
    _say(last, f"{name} runs {last['firmware']}", as_json)


@command.command(short_help="The latest frames to and from the device.")
@click.option("-f", "--follow", is_flag=True, help="Go on with what passes now, until Ctrl-C.")
@click.option("--save", type=click.Path(path_type=Path), help="Also write a capture to this file: JSON lines.")
@with_config
@with_socket
@with_json
@click.pass_obj
@explained
def trace(name: str, follow: bool, save: Path | None, config: Path | None, path: str, as_json: bool) -> None:
    """The latest frames to and from the device, decoded; cards are withheld.

    A capture has each frame's time, way and bytes; a card in it is blank, as if it could not be read.  When the daemon
    does not run, the device is asked directly, for a second or until Ctrl-C; nothing is acknowledged.
    """

    def ask(client: Client) -> Iterable[Json]:
        frames: list[Json] = client.get(f"/devices/{name}/trace")["frames"]  # an error leaves an older capture alone
        return client.stream(f"/devices/{name}/trace?follow=1") if follow else frames

    frames = daemon_or_table(path, config, ask)

    def tell(frame: Json) -> None:
        print(json.dumps(frame) if as_json else f"{frame['at']} {frame['way']:>3} {frame['text']}", flush=follow)

    if isinstance(frames, Alone):
        _watch(name, frames, save, tell, follow)
        return
    with captured(save) as keep:
        for frame in frames:
            keep(frame)
            tell(frame)


def _watch(name: str, alone: Alone, save: Path | None, tell: Callable[[Json], None], follow: bool) -> None:
    import asyncio
    from contextlib import ExitStack

    from controller.cli.alone import watch

    print("\n".join(alone.words()), file=sys.stderr, flush=True)
    with ExitStack() as stack:
        keep: Callable[[Json], None] | None = None

        def passed(frame: Json) -> None:
            nonlocal keep
            keep = keep or stack.enter_context(captured(save))  # an older capture is left alone until something passes
            keep(frame)
            tell(frame)

        asyncio.run(watch(alone.config, name, passed, follow=follow))


def _say(answer: Json, text: str, as_json: bool) -> None:
    print(json.dumps(answer) if as_json else text)
