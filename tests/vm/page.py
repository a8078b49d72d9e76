"""Writes docs/real-machines.md from the runs that are kept: `python -m tests.vm.page`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from tests.vm import results
from tests.vm.releases import RELEASES

PAGE: Final = "docs/real-machines.md"
HEAD: Final = """# Real kernels

What the package does on the kernels that Debian ships: their drivers for CAN, USB, serial adapters and pins, their
udev and systemd. `make vm-test` boots a clean Debian in a machine that QEMU emulates, types the installation
of [README](../README.md#on-a-table) and of [installing.md](installing.md) at a terminal, word for word, and plays
rounds while cables are pulled and the power is cut. A whole run that passed is kept (`--record`), and this
page is written from it (`python -m tests.vm.page`).

```sh not-run: minutes, as root; .ci/run does it where it can
make vm-test                                # Debian 12
make vm-test RELEASE=13 ARGS=--record       # Debian 13; a whole run that passed is written down here
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
and the pins of a Raspberry Pi are not tried by it.

## What came of it

A check that a release cannot run says why.
"""


def page() -> str:
    """Returns the whole page."""
    runs = [run for number in RELEASES if (run := results.kept_run(number)) is not None]
    return "\n".join([HEAD, *results.page_rows(runs), "", *_measured(runs)])


def write() -> None:
    """Writes the page."""
    (results.ROOT / PAGE).write_text(page(), encoding="utf-8")
    print(PAGE)


def _measured(runs: Iterable[dict[str, Any]]) -> Iterator[str]:
    for run in runs:
        yield f"### Debian {run['release']}, {run['date']}"
        yield ""
        for one in run["checks"]:
            if one["said"] and one["result"] == results.PASSED:
                yield f"- {one['name']}: {one['said']}"
        yield ""


if __name__ == "__main__":
    write()
