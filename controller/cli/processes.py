"""In how many processes a command does its work."""

from __future__ import annotations

import os
from typing import Final

import click

AUTO: Final = "auto"


def cores() -> int:
    """Returns how many processors this process may use."""
    return len(os.sched_getaffinity(0))


class Processes(click.ParamType[int]):
    """A number of processes, or `auto`: one for each core."""

    name = "N|auto"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == AUTO:
            return cores()
        if isinstance(value, int) or (isinstance(value, str) and value.isdecimal() and int(value) > 0):
            return int(value)
        raise click.BadParameter(
            f"{value!r} is not a number of processes; write a number from 1, or {AUTO}", ctx, param
        )
