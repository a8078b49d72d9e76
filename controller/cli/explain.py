"""felt explain: what a code means, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from typing import Final

import click

from controller.cli.client import explained, with_json
from controller.errors import Code, FeltError, declared, meaning
from drivers.families import FAMILIES
from drivers.vendors.register import VENDORS
from firmware_bridge.extensions import ExtensionError

ROOMS: Final = (  # those that declare codes
    "firmware_bridge",
    "drivers",
    "hw_sim",
    "controller.journal",
    "controller.jackpot",
    "controller.table",
    "controller.odds",
    "controller.config",
    "controller.people",
    "controller.program",
    "controller.service",
    "controller.sim",
    "controller.script",
    "controller.web",
    "controller.api",
    "controller.daemon",
    "controller.cli",
)


@click.command(name="explain")
@click.argument("code", required=False, default="")
@with_json
@explained
def command(code: str, as_json: bool) -> None:
    """What CODE means, where it comes from, and what to do about it.

    A code is what `felt`, the API, the console and the log print before a cause, such as serial.denied.  The beginning
    of codes, such as serial, explains all of them; without CODE all codes are listed.
    """
    codes = find(code.strip().rstrip(":"))
    if as_json:
        print(json.dumps({"codes": [_json(each) for each in codes]}))
    elif code:
        print("\n".join(_text(codes)))
    else:
        print("\n".join(each.code for each in codes))


def find(code: str) -> tuple[Code, ...]:
    """Returns what a code means, or all codes that begin so; FeltError when there is none."""
    index = every_code()
    known = meaning(code)
    if known is not None and not known.any_of_topic:
        return (known,)
    if matching := tuple(each for each in index if each.code.startswith(code)):
        return matching
    near = get_close_matches(code.lower().replace("_", "-"), [each.code for each in index], n=1, cutoff=0.7)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    raise FeltError("explain.unknown", f'there is no code "{code}"{hint}')


def every_code() -> tuple[Code, ...]:
    """Returns all codes: of every room, and of the families and vendors that packages bring."""
    for room in ROOMS:
        import_module(f"{room}.codes")
    for register in (FAMILIES, VENDORS):
        for name in register.names():
            with suppress(ExtensionError):  # a broken package does not hide what the others mean
                register.find(name)
    return declared()


def _text(codes: Iterable[Code]) -> Iterator[str]:
    for each in codes:
        yield f"{each.code}: {each.cause}"
        yield f"  -> {each.step_on()}"
        yield f"  from {each.where} ({each.room})"


def _json(code: Code) -> dict[str, str]:
    return {
        "code": code.code,
        "cause": code.cause,
        "next_step": code.step_on(),
        "where": code.where,
        "room": code.room,
    }
