"""`make vm-test`: feltd as shipped on Debian's own kernel, in a machine under QEMU."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.vm import checks, image, install, machine, results, table
from tests.vm.bench import Bench, files
from tests.vm.channel import GuestError
from tests.vm.ends_outside import Outside
from tests.vm.releases import RELEASES, Release

CANNOT = 3  # exit status: this machine cannot do it, and says why


def main(arguments: list[str] | None = None) -> int:
    """Runs the checks and returns 0 when none failed, 1 when one did, 3 when this machine cannot run them."""
    options = _parser().parse_args(arguments)
    checks.load()
    chosen = checks.chosen(options.only)
    if options.list:
        print("\n".join(one.name for one in chosen))
        return 0
    if why := _cannot():
        print(f"make vm-test: not run: {why}")
        return CANNOT
    release = RELEASES[options.release]
    folder = Path(tempfile.mkdtemp(prefix="felt-vm-"))
    try:
        outcome = _try(release, folder, chosen, options)
    finally:
        if options.keep:
            print(f"what the machine left is in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("\n" + "\n".join(results.lines(outcome)))
    failed = [one for one in outcome if one.result == results.FAILED]
    missing = [one for one in outcome if one.result == results.NOT_RUN]
    print(f"\n{len(outcome)} checks: {len(failed)} failed, {len(missing)} not run")
    for one in (*failed, *missing):
        print(f"{one.result}: {one.name}: {one.said}")
    return 1 if failed else 0


def _cannot() -> str:
    if os.geteuid() != 0:
        return "an image is made by root"
    if missing := image.missing_tools():
        return f"apt-get install {' '.join(missing)}"
    return ""


def _try(
    release: Release, folder: Path, chosen: list[checks.Check], options: argparse.Namespace
) -> list[results.Result]:
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"[{time.monotonic() - began:4.0f} s] {text}", flush=True)

    made = None if options.fresh else image.kept(release)
    if made is None:
        say(f"the image of Debian {release.number} is made")
        made = image.make(release, say)
    package = install.package(release)
    say(f"{package.name} is there")
    outside = Outside(folder / "outside", table.DEVICES, table.SEATS)
    vendors = Outside(folder / "vendors", ("shoe", "sign"), 1, ("shoe=angel-eye", "sign=alpha"))
    payload = folder / "payload.tar"
    inside = {**files(results.ROOT), package.name: package}
    machine.pack(payload, inside, {"python": 'head -n 1 "$(readlink -f "$(command -v felt)")" | cut -c 3-\n'})
    adapters = {f"FT-{name.replace('.', '')}": outside.ports[name] for name in table.DEVICES}
    adapters |= {"FT-vshoe": vendors.ports["shoe"], "FT-vsign": vendors.ports["sign"]}
    below = options.begin_with / machine.DISK if options.begin_with else None
    bench = Bench(release, machine.Machine(made, folder, adapters, payload, below), outside, vendors)
    say(f"Debian {release.number}, kernel {made.version}")
    outcome = []
    try:
        if below:
            say(f"up in {bench.boot():.0f} s, with what {options.begin_with} left")
        for one in chosen:
            _up(bench, one)
            result = checks.run(one, bench)
            outcome.append(result)
            say(f"{result.result:8} {result.name} ({result.seconds} s){': ' if result.said else ''}{result.said}")
    finally:
        bench.machine.stop() if options.keep else bench.machine.cut()
        outside.close()
        vendors.close()
    return outcome


def _up(bench: Bench, one: checks.Check) -> None:
    """Switches the machine on again when the check before left it off."""
    if bench.boots and not bench.machine.alive:
        try:
            bench.boot()
        except GuestError as error:
            print(f"the machine does not come up for {one.name}: {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make vm-test", description=__doc__)
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
    return parser


if __name__ == "__main__":
    sys.exit(main())
