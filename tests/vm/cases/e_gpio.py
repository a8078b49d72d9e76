"""Pins: lamps and keys on a gpiochip that the kernel simulates."""

from __future__ import annotations

from tests.vm.bench import Bench
from tests.vm.checks import CannotRun, check

PINS = "/vm/tests/vm/inside/pins.sh"
MORE = "[device.lamps.gpio]\noutputs = { bets = 17 }\ninputs = { no-more-bets = 5 }\n"


def lit_and_read(bench: Bench, address: str) -> None:
    """Lays a table with its lamps at these pins, sees one lit, presses a key, and sees all dark at the end."""
    others = {name: f"sim://{name}" for name in ("shoe", "console", "sensor.1", "sensor.2", "sensor.3")}
    bench.lay({**others, "lamps": address}, MORE)
    bench.ready()
    bench.wait("the lamp is lit", lambda: bench.sh(f"sh {PINS} value 17").strip() == "1")
    bench.sh(f"sh {PINS} pull 5 down; sleep 0.3; sh {PINS} pull 5 up")
    bench.wait("the key is read", lambda: "no-more-bets" in bench.said("felt journal tail"))
    bench.sh("systemctl stop feltd")
    dark = bench.sh(f"sh {PINS} value 17").strip()
    assert dark == "0", "the lamp is lit although the table is stopped"


@check("GPIO by gpiod: a lamp is lit and a key is read by the shipped unit's user", bound=300)
def by_gpiod(bench: Bench) -> str:
    """The group and mode of the chip come from the shipped udev rule; that nobody need know the board, from gpiod."""
    bench.sh(f"sh {PINS} make")
    bench.sh("felt devices --suggest | grep gpio://gpiod", 120)
    lit_and_read(bench, "gpio://gpiod")
    return "as felt devices --suggest writes it"


@check("GPIO by lgpio: the same, on a machine that says it is a Pi 4", bound=300)
def by_lgpio(bench: Bench) -> None:
    """gpiozero looks up the board's revision, so the machine has to have one."""
    if bench.said('"$(sh /vm/python)" -c "import lgpio; lgpio.gpiochip_open"'):
        raise CannotRun(f"lgpio has no wheel for the Python of Debian {bench.release.number}")
    bench.sh(f"sh {PINS} make")
    bench.sh("sed '$ a Revision\\t: c03111' /proc/cpuinfo > /run/cpuinfo")
    bench.drop_in("[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\n", "pi")
    try:
        lit_and_read(bench, "gpio://lgpio")
    finally:
        bench.drop_in("", "pi")
