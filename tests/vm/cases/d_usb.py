"""USB devices of ours, by libusb, on the kernel's virtual host controller."""

from __future__ import annotations

from tests.vm import table
from tests.vm.bench import Bench
from tests.vm.checks import check


@check("USB by libusb: a round as the service's user, unplugged in mid-round", bound=700, early=True)
def libusb(bench: Bench) -> None:
    bench.sh("modprobe vhci-hcd")
    bench.ends("*=usb")
    bench.sh("udevadm settle")
    bench.lay({name: f"usb://1209:f317/SIM-{name}" for name in table.DEVICES})
    bench.ready()
    bench.play()

    def unplug_and_plug() -> None:
        bench.fault("shoe", "unplug")
        bench.meanwhile()
        bench.lost("shoe")
        bench.clear("shoe")
        bench.ready()

    bench.interrupted(unplug_and_plug)
    bench.settled()
