"""SocketCAN: a virtual interface, and two SJA1000 controllers on one bus."""

from __future__ import annotations

from typing import Final

from tests.vm import table
from tests.vm.bench import Bench
from tests.vm.checks import check


def nodes(interface: str) -> dict[str, str]:
    """Returns an address for each device of the table, as the nodes of a bus."""
    return {name: f"can://{interface}/{number}" for number, name in enumerate(table.DEVICES, 1)}


SJA1000: Final = nodes("can0")


@check("vcan: a round, and one with the link down and up in its middle", bound=600)
def virtual(bench: Bench) -> None:
    bench.sh("modprobe vcan; ip link show vcan0 || ip link add vcan0 type vcan; ip link set vcan0 up")
    bench.ends("*=can:vcan0")
    bench.lay(nodes("vcan0"))
    bench.ready()
    bench.play()

    def down_and_up() -> None:
        bench.sh("ip link set vcan0 down")
        bench.meanwhile()
        bench.lost("shoe", "can.down")
        bench.sh("ip link set vcan0 up")
        bench.ready()

    bench.interrupted(down_and_up)
    bench.settled()


def laid(bench: Bench) -> None:
    """Lays a table on the two controllers, unless the check before has left one that plays."""
    if bench.laid != SJA1000 or bench.at is not None or bench.machine.guest.get("/status") is None:
        bench.sh("systemctl start feltd-can@can0 feltd-can@can1")
        bench.ends("*=can:can1")
        bench.lay(SJA1000)
    bench.ready()


@check("SJA1000: a round between two controllers, brought up by the shipped unit", bound=600)
def controllers(bench: Bench) -> None:
    laid(bench)
    shown = bench.sh("ip -details link show can0")
    assert "bitrate 500000" in shown, shown
    assert "restart-ms 100" in shown, shown
    bench.play()
    bench.settled()


@check("SJA1000: link down and up in mid-round", early=True)
def controllers_down(bench: Bench) -> None:
    laid(bench)

    def down_and_up() -> None:
        bench.sh("ip link set can0 down")
        bench.meanwhile()
        bench.lost("shoe", "can.down")
        bench.sh("ip link set can0 up")
        bench.ready()

    bench.interrupted(down_and_up)
    bench.settled()


@check("SJA1000: bus-off in mid-round, and the kernel's restart")
def bus_off(bench: Bench) -> str:
    """The kernel's own: QEMU's controllers never count an error, so a module of the test asks for it."""
    laid(bench)

    def give_up() -> None:
        bench.sh("modprobe vm_bus_off; echo can0 > /sys/module/vm_bus_off/parameters/interface")
        bench.meanwhile()
        bench.wait("the kernel's restart", lambda: "state ERROR-ACTIVE" in bench.sh("ip -details link show can0"))
        bench.ready()

    bench.interrupted(give_up)
    bench.settled()
    (bus,) = bench.daemon("/devices")["buses"]
    assert bus["bus_offs"] == 1, bus
    return f"{bus['bus_offs']} bus-off, counted by the daemon"


@check("SJA1000: the controller is taken away, and comes back", bound=600)
def taken_away(bench: Bench) -> None:
    laid(bench)
    device = "$(basename $(readlink -f /sys/class/net/can0/device))"

    def unplug_and_plug() -> None:
        bench.sh(f"d={device}; echo $d > /run/kvaser; echo $d > /sys/bus/pci/drivers/kvaser_pci/unbind")
        bench.meanwhile()
        bench.lost("shoe")
        bench.sh("echo $(cat /run/kvaser) > /sys/bus/pci/drivers/kvaser_pci/bind; udevadm settle")
        bench.sh("systemctl start feltd-can@can0")
        bench.ready()

    bench.interrupted(unplug_and_plug)
    bench.settled()
