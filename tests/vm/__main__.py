"""`make vm-test`: feltd as shipped on Debian's own kernel, in a machine under QEMU."""

from __future__ import annotations

import argparse
import math
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.vm import checks, images, page, results
from tests.vm.depends import tried
from tests.vm.releases import RELEASES
from tests.vm.run import Run, TimeOver, Wishes

CANNOT = 3  # exit status: this machine cannot do it, and says why
FAILED = 4  # exit status: a check has failed; not 1, with which Python ends by itself
NAME = "vm-test"
TOOLS_SCRIPT = "tools/ensure_debian.sh"


def main(arguments: list[str] | None = None) -> int:
    """Runs the checks and returns 0 when none failed, 4 when one did, 3 when this machine cannot run them."""
    options = _parser().parse_args(arguments)
    checks.load()
    chosen = checks.chosen(options.only, needed=options.begin_with is None)
    if options.list:
        print("\n".join(one.name for one in chosen))
        return 0
    depends = tried()
    since = results.kept(options.release).since((one.name for one in chosen), depends)
    if options.changed and since:
        print(f"{NAME}: not run: nothing that it depends on has changed since {since}")
        return 0
    if why := _cannot():
        return _none(why, chosen)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # what was started is ended in order
    until = time.monotonic() + 60 * options.minutes
    run = Run(RELEASES[options.release], Wishes(options.begin_with, options.keep, options.fresh, until))
    try:
        image, package = run.prepare()
    except TimeOver as error:
        return _none(f"{options.minutes:g} minutes were over: {error}", chosen)
    except RuntimeError as error:
        return _none(f"what it needs could not be made: {error}", chosen)

    def passed(result: results.Result) -> None:
        if options.record and depends == tried():
            order = [one.name for one in checks.CHECKS]
            results.keep(result, depends, datetime.now(UTC).date().isoformat(), order)

    outcome = run.all(image, package, chosen, passed)
    if options.twice:
        outcome = run.again(image, package, chosen, outcome)
    _tell(outcome)
    bad = [one for one in outcome if one.result == results.FAILED]
    if options.record:
        page.write()
    return FAILED if bad else 0


def _none(why: str, chosen: list[checks.Check]) -> int:
    """Says why no check can be run, and which ones that are; returns the exit status."""
    print(f"{NAME}: not run: {why}")
    print(f"{len(chosen)} checks: {'; '.join(one.name for one in chosen)}")
    return CANNOT


def _tell(outcome: list[results.Result]) -> None:
    print("\n" + "\n".join(results.lines(outcome)))
    bad = [one for one in outcome if one.result == results.FAILED]
    missing = [one for one in outcome if one.result == results.NOT_RUN]
    print(f"\n{NAME}: {len(outcome)} checks: {len(bad)} failed, {len(missing)} not run")
    for one in (*bad, *missing):
        print(f"{one.result}: {one.name}: {one.said}")


def _cannot() -> str:
    if os.geteuid() != 0:
        return "only root can make a disk with Debian on it"
    if missing := images.missing_tools():
        subprocess.run([results.ROOT / TOOLS_SCRIPT, *missing], stdin=subprocess.DEVNULL)
    if missing := images.missing_tools():
        return f"this machine lacks {', '.join(missing)} (apt-get install {' '.join(missing)})"
    return ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"make {NAME}", description=__doc__)
    parser.add_argument("--release", type=int, choices=RELEASES, default=12)
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="WORD", help="checks with one of these words in their name"
    )
    parser.add_argument("--list", action="store_true", help="only say which checks there are")
    parser.add_argument("--fresh", action="store_true", help="make the image anew")
    parser.add_argument(
        "--begin-with", type=Path, metavar="FOLDER", help="the disk that --keep left: installed already"
    )
    parser.add_argument("--keep", action="store_true", help="leave the disk of the machine and its logs")
    parser.add_argument("--changed", action="store_true", help="only when something changed since all was recorded")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no check when these are over")
    parser.add_argument("--twice", action="store_true", help="a check fails when it also fails alone")
    parser.add_argument("--record", action="store_true", help="keep what has passed, and write its page")
    return parser


if __name__ == "__main__":
    sys.exit(main())
