"""Vendors' devices on serial adapters: an Angel Eye shoe, 4800 8N1, and an Alpha sign, 9600 7E1, on ftdi_sio."""

from __future__ import annotations

from typing import Final

from tests.vm import table
from tests.vm.bench import Bench
from tests.vm.cases.c_serial import FTDI
from tests.vm.checks import check

SECTIONS: Final = """[device.shoe]
family = "shoe"
protocol = "angel-eye"
address = "serial:///dev/feltd/FT-vshoe"
[device.sign]
family = "display"
protocol = "alpha"
address = "serial:///dev/feltd/FT-vsign"
"""
LINES: Final = {
    "vshoe": {"speed 4800 baud", "cs8", "-parenb"},
    "vsign": {"speed 9600 baud", "cs7", "parenb", "-parodd"},
}


def lines_as_they_must_be(bench: Bench) -> None:
    """Checks how the kernel has set the two lines."""
    for adapter, wanted in LINES.items():
        said = bench.sh(f"stty -a -F /dev/feltd/FT-{adapter}")
        words = {part.strip() for part in said.replace("\n", ";").split(";")} | set(said.split())
        assert wanted <= words, f"{adapter} lacks {', '.join(sorted(wanted - words))}: {said}"


@check("Angel Eye and Alpha on FTDI: a round, both unplugged and plugged in its middle, the lines set again", bound=600)
def vendors(bench: Bench) -> str:
    bench.end_ends()
    bench.use(bench.outside, {"shoe": bench.vendors, "sign": bench.vendors})
    names = (*table.DEVICES, "sign")
    bench.lay({name: address for name, address in FTDI.items() if name != "shoe"}, SECTIONS)
    bench.ready(*names)
    lines_as_they_must_be(bench)
    bench.play(to=table.MIDDLE)
    # Nothing is drawn meanwhile: this shoe forgets what nobody took.
    for name in ("shoe", "sign"):
        bench.fault(name, "unplug")
        bench.lost(name)
        bench.clear(name)
    bench.ready(*names)
    lines_as_they_must_be(bench)
    try:
        bench.play(table.MIDDLE)
        bench.settled()
    except AssertionError as error:
        seen = bench.said("felt device shoe trace | tail -n 12; felt journal tail -n 6; felt status | head -n 6")
        raise AssertionError(f"{error}:\n{seen}") from None
    bench.wait("the sign shows something", lambda: bool(bench.state("sign")["view"]["shown"]))
    return f"the sign shows {bench.state('sign')['view']['shown']!r}"
