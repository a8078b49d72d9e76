"""The register of checks, and how one is run: named, bounded, and told with what came of it."""

from __future__ import annotations

import importlib
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from tests.vm import pace
from tests.vm.channel import GuestError
from tests.vm.results import FAILED, NOT_RUN, PASSED, Result

if TYPE_CHECKING:
    from tests.vm.bench import Bench

Act: TypeAlias = "Callable[[Bench], str | None]"
BOUND: Final = 400.0  # seconds, unless a check says otherwise


@dataclass(frozen=True)
class Check:
    """One check: what it is called, how long it may take, what it does.  It may return what is worth telling."""

    name: str
    act: Act
    bound: float
    needed: bool = False  # by all that come after it
    early: bool = False  # tells most: run right after what is needed, for a run may have ten minutes


CASES: Final = Path(__file__).parent / "cases"
CHECKS: Final[list[Check]] = []


def check(name: str, *, bound: float = BOUND, needed: bool = False, early: bool = False) -> Callable[[Act], Act]:
    """Returns a decorator that adds a check to the register."""

    def add(act: Act) -> Act:
        if any(other.name == name for other in CHECKS):
            raise ValueError(f"two checks are called {name}")
        CHECKS.append(Check(name, act, bound, needed, early))
        return act

    return add


def load() -> None:
    """Puts all checks into the register, in the order in which they are run.

    First those that all others need, then the early ones, then the rest; each of these in the order of their modules
    and lines.
    """
    for module in sorted(CASES.glob("*.py")):
        importlib.import_module(f"tests.vm.cases.{module.stem}")
    CHECKS.sort(key=lambda one: (not one.needed, not one.early))


def chosen(words: list[str], *, needed: bool) -> list[Check]:
    """Returns the checks whose names have one of these words, and those that are needed; all of them without a word."""
    return [one for one in CHECKS if not words or (needed and one.needed) or any(word in one.name for word in words)]


def run(one: Check, bench: Bench, left: float) -> Result:
    """Runs one check.  When its time is over, the machine's power is cut, and so the check ends.

    `left`: the seconds of the whole run; a check that these cut off has not failed, nor has one on a computer that is
    too slow for it.
    """
    began = time.monotonic()
    late = threading.Event()

    def end() -> None:
        late.set()
        bench.machine.cut()

    timer = threading.Timer(min(one.bound, left), end)
    timer.start()
    result, said = PASSED, ""
    try:
        said = one.act(bench) or ""
    except Exception as error:  # whatever it broke: it is told, and the others go on
        result, said = FAILED, f"not done in {one.bound:.0f} s" if late.is_set() else told(error)
        if late.is_set() and left < one.bound:
            result, said = NOT_RUN, "the time was over"
    finally:
        timer.cancel()
    took = round(time.monotonic() - began)
    if result == FAILED and (excuse := pace.excuse()):
        result, said = NOT_RUN, f"{excuse}: {said}"
    return Result(one.name, bench.release.number, bench.machine.image.version, result, took, said)


def told(error: Exception) -> str:
    """Returns what an error says: of one that a check did not foresee, also what it is and where."""
    if isinstance(error, (AssertionError, GuestError, OSError)):
        return str(error) or type(error).__name__
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(at.filename).name}:{at.lineno})"
