"""A run: the machine with all that is around it, the checks one after the other, and an end when the time is over."""

from __future__ import annotations

import math
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.vm import checks, images, install, machine, table
from tests.vm.bench import Bench, files
from tests.vm.channel import GuestError
from tests.vm.checks import Check
from tests.vm.ends_outside import Outside
from tests.vm.images import Image
from tests.vm.releases import Release
from tests.vm.results import FAILED, NOT_RUN, PASSED, ROOT, Result

LEAST: Final = 20.0  # seconds without which no check is begun
VENDORS: Final = {"shoe": "angel-eye", "sign": "alpha"}
PYTHON: Final = 'head -n 1 "$(readlink -f "$(command -v felt)")" | cut -c 3-\n'  # prints the Python of the package


class TimeOver(Exception):
    """The time of the run was over before the machine was there."""


@dataclass(frozen=True)
class Wishes:
    """How a run goes: which disk it begins with, what it leaves, when it ends, by `time.monotonic`."""

    begin_with: Path | None = None
    keep: bool = False
    fresh: bool = False
    until: float = math.inf


class Run:
    """Runs checks on machines of one release."""

    def __init__(self, release: Release, wishes: Wishes) -> None:
        self.release = release
        self.wishes = wishes
        self._began = time.monotonic()

    @property
    def left(self) -> float:
        """How many seconds there are."""
        return self.wishes.until - time.monotonic()

    def say(self, text: str) -> None:
        """Tells how far it is."""
        print(f"[{time.monotonic() - self._began:4.0f} s] {text}", flush=True)

    def prepare(self) -> tuple[Image, Path]:
        """Returns the image and the package, made side by side where they are not kept; TimeOver when that is late."""
        with install.packing(self.release) as package:
            try:
                made = None if self.wishes.fresh else images.kept(self.release)
                if made is None:
                    self.say(f"the image of Debian {self.release.number} is made")
                    made = images.make(self.release, self.wishes.until)
                found = package(self.wishes.until)
            except TimeoutError as error:
                raise TimeOver(str(error)) from error
        self.say(f"{found.name} on Debian {self.release.number}, kernel {made.version}")
        return made, found

    def all(self, made: Image, package: Path, chosen: list[Check]) -> list[Result]:
        """Runs these checks on a new machine, and returns what came of each."""
        outcome: list[Result] = []
        missed = ""
        with self._bench(made, package) as bench:
            if self.wishes.begin_with:
                self.say(f"up in {bench.boot():.0f} s, with what {self.wishes.begin_with} left")
                bench.unpack()
            for one in chosen:
                missed = missed or ("the time was over" if self.left < LEAST else "")
                if missed:
                    outcome.append(Result(one.name, self.release.number, made.version, NOT_RUN, 0, missed))
                    continue
                self._up(bench, one)
                result = checks.run(one, bench, self.left)
                outcome.append(result)
                self.say(f"{result.result:8} {result.name} ({result.seconds} s) {result.said}".rstrip())
                if one.needed and result.result != PASSED:
                    missed = f"{one.name} has not passed"
        return outcome

    def again(self, made: Image, package: Path, chosen: list[Check], first: list[Result]) -> list[Result]:
        """Runs once more, alone on a new machine, what has failed, and returns the results with these in their place.

        What could not be tried twice counts as not run, with what was said the first time.
        """
        failed = {one.name: one.said for one in first if one.result == FAILED}
        if not failed:
            return first
        self.say(f"once more, on a new machine: {'; '.join(failed)}")
        tried = {
            one.name: one
            for one in self.all(made, package, [one for one in chosen if one.needed or one.name in failed])
        }
        return [_second(one, tried[one.name]) if one.name in failed else one for one in first]

    @contextmanager
    def _bench(self, made: Image, package: Path) -> Iterator[Bench]:
        folder = Path(tempfile.mkdtemp(prefix="felt-vm-"))
        outside = Outside(folder / "outside", table.DEVICES, table.SEATS)
        vendors = Outside(
            folder / "vendors", tuple(VENDORS), 1, [f"{name}={protocol}" for name, protocol in VENDORS.items()]
        )
        payload = folder / "payload.tar"
        machine.pack(payload, {**files(ROOT), package.name: package}, {"python": PYTHON})
        adapters = {f"FT-{name.replace('.', '')}": outside.ports[name] for name in table.DEVICES}
        adapters |= {f"FT-v{name}": vendors.ports[name] for name in VENDORS}
        below = self.wishes.begin_with / machine.DISK if self.wishes.begin_with else None
        bench = Bench(self.release, machine.Machine(made, folder, adapters, payload, below), outside, vendors)
        try:
            yield bench
        finally:
            bench.machine.stop() if self.wishes.keep else bench.machine.cut()
            outside.close()
            vendors.close()
            if self.wishes.keep:
                print(f"what the machine left is in {folder}")
            else:
                shutil.rmtree(folder, ignore_errors=True)

    def _up(self, bench: Bench, one: Check) -> None:
        """Switches the machine on again when the check before left it off."""
        if bench.boots and not bench.machine.alive:
            try:
                bench.boot()
            except GuestError as error:
                self.say(f"the machine does not come up for {one.name}: {error}")


def _second(first: Result, tried: Result) -> Result:
    if tried.result == PASSED:
        return replace(tried, said=f"alone; beside the others: {first.said}")
    if tried.result == NOT_RUN:
        return replace(tried, said=f"failed ({first.said}), and could not be tried again: {tried.said}")
    return tried
