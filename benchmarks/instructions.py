"""How many instructions the pure hot paths take, beside those that are kept: a busy machine counts as a quiet one does.

`python -m benchmarks instructions` fails when one has grown by more than a tenth; `--keep` keeps what was counted now.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import msgspec

from benchmarks.counted import NOTHING
from benchmarks.measure import ROOT, Measured, folder, happened, python

KEPT = ROOT / "benchmarks" / "instructions.json"
SOURCE = ROOT / "benchmarks" / "counting.c"
UNIT = "instructions"
GROWTH = 1.1  # more than so many times what is kept fails
_CASE = re.compile(r"^desc: Trigger: Client Request: (.+)\|(\d+)\|(\d+)$", re.MULTILINE)
_TOTAL = re.compile(r"^totals: (\d+)$", re.MULTILINE)

Counts = dict[str, int]


def kind() -> str:
    """What counts depend on beside our own code: only with the same of all this can they be compared."""
    return (
        f"{platform.machine()}, Python {platform.python_version()} ({platform.python_compiler()}), "
        f"msgspec {version('msgspec')}, {' '.join(platform.libc_ver())}"
    )


def kept() -> dict[str, Counts]:
    """Returns what was counted before, by the kind of machine."""
    return msgspec.json.decode(KEPT.read_bytes(), type=dict[str, Counts]) if KEPT.exists() else {}


def keep(lines: list[Measured]) -> None:
    """Keeps the counts among these lines in place of what was kept for this kind of machine."""
    counts = {line.what: round(line.value) for line in lines if line.unit == UNIT and line.value}
    if counts:
        KEPT.write_bytes(msgspec.json.format(msgspec.json.encode({**kept(), kind(): counts}), indent=2) + b"\n")


def read(directory: Path) -> Counts:
    """Returns the counts in callgrind's files, each of one call."""
    found: dict[str, tuple[int, int, int]] = {}
    for file in directory.glob("counted.*"):
        text = file.read_text()
        case, total = _CASE.search(text), _TOTAL.search(text)
        if case is not None and total is not None:
            found[case[1]] = int(total[1]), int(case[2]), int(case[3])
    happened(NOTHING in found, "callgrind counted nothing")
    nothing = found.pop(NOTHING)[0]
    return {name: (total - nothing * switches) // each for name, (total, each, switches) in sorted(found.items())}


def missing() -> str:
    """Returns what this machine lacks for counting; "" when it has all."""
    if shutil.which("valgrind") is None or not Path("/usr/include/valgrind/callgrind.h").exists():
        return "no valgrind on this machine (Debian: apt install valgrind)"
    return "" if shutil.which("cc") else "no compiler of C on this machine (Debian: apt install gcc)"


def count() -> Counts:
    """Runs everything that is counted under callgrind, with nothing left to chance."""
    with folder() as directory:
        library = directory / "counting.so"
        subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-fPIC", "-shared", "-o", library, SOURCE], check=True)
        options = ["--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no", "--quiet"]
        command = ["valgrind", *options, f"--callgrind-out-file={directory / 'counted'}"]
        command += python("-m", "benchmarks.counted", str(library))
        environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"}
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False)
        happened(done.returncode == 0, "what is counted has failed: see above")
        return read(directory)


def lines(counts: Counts, before: Counts) -> list[Measured]:
    """Each count beside the one that is kept; one that is not kept yet has no goal, one that is gone fails."""
    out = []
    for what in before.keys() - counts.keys():
        out.append(Measured(what, 0, UNIT, before[what], "counted", False, guarded=True))
    for what, number in counts.items():
        known = before.get(what)
        goal, met = ("", None) if known is None else (f"<= {GROWTH:g} x kept", number <= GROWTH * known)
        out.append(Measured(what, number, UNIT, known, goal, met, guarded=True))
    return out


def measure() -> list[Measured]:
    if why := missing():
        return [Measured("instructions: skipped", 0, UNIT, note=why)]
    counts, before = count(), kept().get(kind(), {})
    made = lines(counts, before)
    if not before:
        note = f"nothing is kept for {kind()}: python -m benchmarks instructions --keep"
        made[0] = msgspec.structs.replace(made[0], note=note)
    return made
