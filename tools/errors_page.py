"""Writes docs/errors.md: every code that feltd says, as it is declared."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from controller.cli.explain import every_code
from controller.errors import Code

ROOT = Path(__file__).parents[1]
PAGE = "docs/errors.md"
OURS = ("controller", "drivers", "firmware_bridge", "hw_sim")

HEAD = """# Codes

Every code that `felt`, the API, the console and the log say: what it means, and what to do. `felt explain CODE` says
the same at the table, `felt explain serial` explains all codes that begin so, and `--json` is for programs. A code
never changes. What is said with it names the device, the file or the number that this page cannot know.

A `*` stands for any characters: `shoe.error-*` is each error that a shoe has a number for, and `serial.*` whatever
about a serial port has no code of its own. `{bus}` is the name of the CAN interface. Packages that bring devices
declare the codes of those; `felt explain` knows them when they are installed.

`make errors` writes this page from the declarations in the `codes` of each room.
"""


def page() -> str:
    """Returns the whole page."""
    ours = [code for code in every_code() if code.room.partition(".")[0] in OURS]
    parts = [HEAD]
    for (room, where), codes in groupby(sorted(ours, key=_place), key=lambda code: (code.room, code.where)):
        parts.append(section(room, where, list(codes)))
    return "\n".join(parts)


def section(room: str, where: str, codes: list[Code]) -> str:
    """Returns one table: the codes of one part of the house."""
    rows = [
        f"## {heading(where)}",
        "",
        f"Declared in `{room}`.",
        "",
        "| code | means | do |",
        "|---|---|---|",
    ]
    rows += [f"| `{code.code}` | {cell(code.cause)} | {cell(code.step)} |" for code in codes]
    return "\n".join([*rows, ""])


def heading(where: str) -> str:
    """Returns the place of codes as a heading; a file or a command keeps its small letter."""
    first, *_ = where.split()
    return where if "." in first or first == "felt" else where[0].upper() + where[1:]


def cell(text: str) -> str:
    """Returns a text as it may stand in a table of Markdown."""
    return text.replace("|", "\\|")


def _place(code: Code) -> tuple[int, str, str, str]:
    """Returns the place of a code on the page: from the wires up to the commands."""
    package = ("firmware_bridge", "drivers", "hw_sim", "controller").index(code.room.partition(".")[0])
    return package, code.room, code.where, code.code


def main() -> int:
    """Writes the page."""
    (ROOT / PAGE).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
