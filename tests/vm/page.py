"""Writes docs/real-machines.md from the runs that are kept: `python -m tests.vm.page`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tests.vm import checks, pace, results
from tests.vm.releases import RELEASES

PAGE: Final = "docs/real-machines.md"
HEAD: Final = """# Real kernels

What the package does on the kernels that Debian ships: their drivers for CAN, USB, serial adapters and pins, their
udev and systemd. `make vm-test` boots a clean Debian in a machine that QEMU emulates, types the installation
of [README](../README.md#on-a-table) and of [installing.md](installing.md) at a terminal, word for word, and plays
rounds while cables are pulled, the power is cut, the package is updated and removed. `--record` keeps each check that
passed, and this page is written from them (`python -m tests.vm.page`).

```sh not-run: minutes, as root; .ci/run does it where it can
make vm-test                                # Debian 12
make vm-test RELEASE=13 ARGS=--record       # Debian 13; what passes is written down here
make vm-test ARGS='--only FTDI GPIO --keep' # some checks; the disk and the logs of the machine stay
```

It needs root, `qemu-system-x86`, `qemu-utils` and `mmdebstrap`, which it installs where it can, and no KVM. The disk
is made from the package sources of this computer, in some minutes, and kept by the digest of its recipe in
`~/.cache/feltd/vm` (`FELTD_CACHE`); so is the package. `--list` names the checks, `--fresh` makes the disk anew,
`--begin-with FOLDER` goes on with a disk that `--keep` left.

| in the machine | is |
|---|---|
| CAN | `vcan`; two SJA1000 controllers (`kvaser_pci`) on one bus; their bus-off comes from a module of the tests |
| serial adapters | FTDI on an emulated USB, each with a TCP port behind it; CDC-ACM and SLCAN by `dummy_hcd` |
| USB by libusb | a device that speaks USB/IP to `vhci_hcd` |
| pins | `gpio-sim`, built from the sources of the same kernel; `gpio://gpiod` alone: the amd64 package has no lgpio |
| devices | those of `hw_sim`; a round of Casino War, three areas, must settle right and its journal verify |

No real time passes in it as on a table: what is tried is what happens, not how fast. Levels, cables, power supplies
and the pins of a Raspberry Pi are not tried by it, nor is any processor but that of a PC: the packages for arm64 are
tried in a root of their release ([packaging.md](packaging.md#what-was-tried)).

`.ci/run` tries Debian 12 for ten minutes at most, when something has changed since all of it was recorded: what is
shipped, the packaging, the commands of those two pages, or the checks. What all others need comes first (a boot and the
installation), then what tells most, then the rest; what there was no time for is named. A check fails only when it
fails a second time, alone on a new machine, and on a computer that is not too slow for it: a fixed piece of work takes
at most {most:.0f} times as long as usual. Else it counts as not run, with what it said. Where the image and the package
are not kept yet, they are made within the same ten minutes; where that is too late, nothing is run, and every check
is named.

## What came of it

Each number is how long it took on a computer with two processors that had other work as well. What passed is kept with
the digest of all files that it was tried with (`tests/vm/kept`): where that is not the present one, `.ci/run` tries
again. "Not tried" is what did not pass, or was not reached.
"""


def page() -> str:
    """Returns the whole page."""
    runs = [results.kept(number) for number in RELEASES]
    return "\n".join([HEAD.format(most=pace.MOST), *results.page_rows(runs), "", *_nowhere(runs), *_measured(runs)])


def _nowhere(runs: list[results.Kept]) -> Iterator[str]:
    checks.load()
    missing = [one.name for one in checks.CHECKS if not any(one.name in run.checks for run in runs)]
    if missing:
        yield from (f"Has passed on no release yet: {'; '.join(missing)}.", "")


def write() -> None:
    """Writes the page."""
    (results.ROOT / PAGE).write_text(page(), encoding="utf-8")
    print(PAGE)


def _measured(runs: Iterable[results.Kept]) -> Iterator[str]:
    for run in runs:
        days = sorted(str(one["date"]) for one in run.checks.values()) or ["not tried"]
        yield f"### Debian {run.release}: {' to '.join(sorted({days[0], days[-1]}))}"
        yield ""
        yield from (f"- {name}: {one['said']}" for name, one in run.checks.items() if one["said"])
        yield ""


if __name__ == "__main__":
    write()
