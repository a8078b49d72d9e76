"""Pins: lamps and keys on a gpiochip that the kernel simulates, by gpiod: the package for amd64 has no lgpio."""

from __future__ import annotations

from tests.vm.bench import Bench
from tests.vm.checks import check

PINS = "/vm/tests/vm/inside/pins.sh"
MORE = "[device.lamps.gpio]\noutputs = { bets = 17 }\ninputs = { no-more-bets = 5 }\n"


@check("GPIO: a lamp is lit and a key is read by the shipped unit's user", bound=600, early=True)
def pins(bench: Bench) -> str:
    """The group and mode of the chip come from the shipped udev rule."""
    bench.sh(f"sh {PINS} make")
    bench.sh("felt devices --suggest | grep gpio://gpiod", 120)
    others = {name: f"sim://{name}" for name in ("shoe", "console", "sensor.1", "sensor.2", "sensor.3")}
    bench.lay({**others, "lamps": "gpio://gpiod"}, MORE)
    bench.ready()
    bench.wait("the lamp is lit", lambda: bench.sh(f"sh {PINS} value 17").strip() == "1")
    bench.sh(f"sh {PINS} pull 5 down; sleep 0.3; sh {PINS} pull 5 up")
    bench.wait("the key is read", lambda: "no-more-bets" in bench.said("felt journal tail"))
    bench.sh("systemctl stop feltd")
    dark = bench.sh(f"sh {PINS} value 17").strip()
    assert dark == "0", "the lamp is lit although the table is stopped"
    return "gpio://gpiod, as felt devices --suggest writes it"
