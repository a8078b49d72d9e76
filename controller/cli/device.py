"""felt device NAME ...: what a technician does to one device."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from controller.cli.capture import captured
from controller.cli.client import Client, Json, explained, with_json, with_socket
from controller.errors import FeltError


@click.group(name="device")
@click.argument("name")
@click.pass_context
def command(ctx: click.Context, name: str) -> None:
    """Work on the device NAME; between rounds, and only with the technician there."""
    ctx.obj = name


@command.command()
@with_socket
@with_json
@click.pass_obj
@explained
def pair(name: str, path: str, as_json: bool) -> None:
    """Agree with the device on a new key; its pairing switch must be on.

    The key is stored by the daemon and never shown.
    """
    answer = Client(path).post(f"/devices/{name}/pair", {})
    _say(answer, f"{name} ({answer['serial']}) is paired: switch its pairing switch off", as_json)


@command.command()
@with_socket
@with_json
@click.pass_obj
@explained
def clear(name: str, path: str, as_json: bool) -> None:
    """Say that the device's cable was looked at after tampering."""
    _say(Client(path).post(f"/devices/{name}/clear", {}), f"{name}: cleared", as_json)


@command.command()
@click.argument("image", type=click.Path(path_type=Path))
@click.option("--downgrade", is_flag=True, help="Allow an older version than the one that runs.")
@with_socket
@with_json
@click.pass_obj
@explained
def flash(name: str, image: Path, downgrade: bool, path: str, as_json: bool) -> None:
    """Bring the signed firmware IMAGE to the device, start it, and keep it when it comes up.

    After a cut, run it again: it goes on where it was.
    """
    try:
        data = image.read_bytes()
    except OSError as error:
        raise FeltError("image.missing", f"{image}: {error.strerror or error}", "Check the file's name.") from None
    shown = not as_json and sys.stderr.isatty()
    last: Json = {}
    for last in Client(path).work(f"/devices/{name}/flash{'?downgrade=1' if downgrade else ''}", data):
        if shown and "have" in last:
            print(f"\r{last['have'] * 100 // last['size']:3d} % of {last['size']} bytes", end="", file=sys.stderr)
    if shown:
        print(file=sys.stderr)
    if not last.get("flashed"):
        raise FeltError(
            "daemon.unreachable", "the daemon ended in the middle", "Run it again: it goes on where it was."
        )
    _say(last, f"{name} runs {last['firmware']}", as_json)


@command.command()
@click.option("-f", "--follow", is_flag=True, help="Go on with what passes now, until Ctrl-C.")
@click.option("--save", type=click.Path(path_type=Path), help="Also write a capture to this file: JSON lines.")
@with_socket
@with_json
@click.pass_obj
@explained
def trace(name: str, follow: bool, save: Path | None, path: str, as_json: bool) -> None:
    """The latest frames to and from the device, decoded; cards are withheld.

    A capture has each frame's time, way and bytes; frames that may hold a card are marked as withheld.
    """
    frames = Client(path).get(f"/devices/{name}/trace")["frames"]  # an error leaves an older capture alone
    if follow:
        frames = Client(path).stream(f"/devices/{name}/trace?follow=1")
    with captured(save) as keep:
        for frame in frames:
            keep(frame)
            print(json.dumps(frame) if as_json else f"{frame['at']} {frame['way']:>3} {frame['text']}", flush=follow)


def _say(answer: Json, text: str, as_json: bool) -> None:
    print(json.dumps(answer) if as_json else text)
