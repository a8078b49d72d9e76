"""Serial adapters on USB: FTDI outside of the machine, CDC-ACM by the kernel's own gadgets, SLCAN on one of these."""

from __future__ import annotations

from typing import Final

from tests.vm import table
from tests.vm.bench import Bench
from tests.vm.checks import check

FTDI: Final = {name: f"serial:///dev/feltd/FT-{name.replace('.', '')}" for name in table.DEVICES}
GADGETS: Final = {"shoe": "SH-0001", "console": "CO-0001", "lamps": "LA-0001"}
ACM: Final = {name: f"serial:///dev/feltd/{serial}" for name, serial in GADGETS.items()}
COLD_BOOTS: Final = 5
SENSORS: Final = {f"sensor.{number}": f"can://vcan0/{number}" for number in (1, 2, 3)}


def laid(bench: Bench) -> None:
    """Lays a table with FTDI adapters, unless the check before has left one that plays."""
    if bench.laid != FTDI or bench.machine.guest.get("/status") is None:
        bench.end_ends()
        bench.use(bench.outside)
        bench.lay(FTDI)
    bench.ready()


def plug(bench: Bench, name: str) -> None:
    """Plugs a CDC-ACM gadget in; its port at the device's side is /dev/ttyGS0, 1 or 2, in the order of GADGETS."""
    bench.sh(f"sh /vm/tests/vm/inside/gadget.sh plug {name}")


def pull(bench: Bench, name: str) -> None:
    """Unplugs a gadget."""
    bench.sh(f"sh /vm/tests/vm/inside/gadget.sh pull {name}")


@check("FTDI: a round, and one with the adapter unplugged and plugged in its middle", bound=600, early=True)
def ftdi(bench: Bench) -> None:
    laid(bench)
    bench.play()

    def unplug_and_plug() -> None:
        bench.fault("shoe", "unplug")
        bench.meanwhile()
        bench.lost("shoe")
        bench.clear("shoe")
        bench.ready()

    bench.interrupted(unplug_and_plug)
    bench.settled()


@check("cold boot: USB serial devices are there without a hand", bound=1500)
def cold_boots(bench: Bench) -> str:
    laid(bench)
    bench.sh("systemctl enable feltd; sync")
    took = []
    for _ in range(COLD_BOOTS):
        bench.machine.stop()
        took.append(round(bench.boot()))
        bench.ready()
    bench.play()
    bench.settled()
    return f"{COLD_BOOTS} boots, {', '.join(map(str, took))} s"


@check("power cut in mid-round: what was acknowledged is in the journal, the round goes on", bound=800, early=True)
def power_cut(bench: Bench) -> None:
    laid(bench)
    bench.sh("systemctl enable feltd; sync")

    def cut() -> None:
        bench.machine.cut()
        bench.meanwhile()
        bench.boot()
        bench.ready()

    bench.interrupted(cut)
    bench.settled()


@check("cold boot with nothing plugged in: the first adapter that comes later is used", bound=800)
def later(bench: Bench) -> None:
    laid(bench)
    bench.sh("systemctl enable feltd; sync")
    for name in table.DEVICES:
        bench.fault(name, "unplug")
    bench.machine.stop()
    bench.boot()
    bench.lost("shoe", "serial.missing")
    for name in table.DEVICES:
        bench.clear(name)
    bench.ready()
    bench.play()
    bench.settled()
    bench.sh("systemctl disable feltd")


def gadgets(bench: Bench) -> None:
    """Makes the gadgets, none of them plugged in."""
    named = " ".join(f"{name}:{serial}" for name, serial in GADGETS.items())
    bench.sh(f"sh /vm/tests/vm/inside/gadget.sh make {named}")
    for name in GADGETS:
        pull(bench, name)


@check("CDC-ACM: plugged in after the daemon has started, a round, unplugged in mid-round", bound=700)
def acm(bench: Bench) -> None:
    bench.sh("modprobe vcan; ip link show vcan0 || ip link add vcan0 type vcan; ip link set vcan0 up")
    gadgets(bench)
    wires = [f"{name}=tty:/dev/ttyGS{number}" for number, name in enumerate(GADGETS)]
    bench.ends(*wires, "*=can:vcan0")
    bench.lay({**ACM, **SENSORS})
    bench.lost("shoe", "serial.missing")
    for name in GADGETS:
        plug(bench, name)
    bench.ready()
    bench.play()

    def unplug_and_plug() -> None:
        pull(bench, "shoe")
        bench.meanwhile()
        bench.lost("shoe")
        plug(bench, "shoe")
        bench.ready()

    bench.interrupted(unplug_and_plug)
    bench.settled()
    for name in GADGETS:
        pull(bench, name)


@check("SLCAN: an adapter that is a real CDC-ACM port, a round, unplugged in mid-round", bound=700)
def slcan(bench: Bench) -> None:
    gadgets(bench)
    plug(bench, "shoe")
    bench.ends("*=slcan:/dev/ttyGS0")
    port = "/dev/serial/by-id/usb-feltd_shoe_SH-0001-if00"
    bench.lay({name: f"can://{port}/{number}?interface=slcan" for number, name in enumerate(table.DEVICES, 1)})
    bench.ready()
    bench.play()

    def unplug_and_plug() -> None:
        pull(bench, "shoe")
        bench.meanwhile()
        bench.lost("shoe")
        plug(bench, "shoe")
        bench.ready()

    bench.interrupted(unplug_and_plug)
    bench.settled()
    for name in GADGETS:
        pull(bench, name)
