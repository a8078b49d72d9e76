"""`felt doctor` on a table with a device on each kind of wire: it finds each planted fault, and says a next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tests.vm.bench import CONFIG, Bench
from tests.vm.cases.c_serial import FTDI
from tests.vm.cases.e_gpio import MORE, PINS
from tests.vm.checks import check

Deed = Callable[[Bench], object]
WIRES: Final = {
    **{name: FTDI[name] for name in ("shoe", "sensor.1", "sensor.2")},
    "sensor.3": "can://can0/1",
    "console": "usb://1209:f317/SIM-console",
    "lamps": "gpio://gpiod",
}
STRANGERS: Final = '[usb]\nallow = ["0403:6001"]\n'  # the adapters of other tables
NOBODY: Final = "people.missing"  # a table that has no people.toml
OUTSIDE: Final = ("shoe", "sensor.1", "sensor.2")
NODES: Final = {name: FTDI[name].removeprefix("serial://") for name in OUTSIDE}
VCGENCMD: Final = "/usr/local/bin/vcgencmd"
STATE: Final = "/var/lib/feltd"
JOURNAL: Final = f"{STATE}/journal.db"
BEFORE: Final = "/run/before"  # where what is taken away is kept
USB_NODE: Final = (
    "d=$(dirname $(grep -l SIM-console /sys/bus/usb/devices/*/serial)); "
    "n=/dev/bus/usb/$(printf %03d/%03d $(cat $d/busnum) $(cat $d/devnum)); "
)
HOLDS: Final = (
    f'import sqlite3, time; c = sqlite3.connect("{JOURNAL}", isolation_level=None); '
    'c.execute("pragma locking_mode = exclusive"); c.execute("begin exclusive"); time.sleep(600)'
)
FORGES: Final = (
    f'import sqlite3; c = sqlite3.connect("{JOURNAL}"); '
    'c.execute("update record set sealed = zeroblob(length(sealed)) where seq = 3"); c.commit(); c.close()'
)
CONTROLLER: Final = "/sys/bus/pci/drivers/kvaser_pci"


class Fault(NamedTuple):
    """A fault: the code by which it must be found, and how it is planted and mended."""

    code: str
    plant: Deed
    mend: Deed


def typed(code: str, plant: str, mend: str) -> Fault:
    """Returns a fault that commands plant and mend."""
    return Fault(code, lambda bench: bench.sh(plant), lambda bench: bench.sh(mend))


def unplugged(code: str, device: str) -> Fault:
    """Returns the fault that a device's cable is pulled."""
    return Fault(code, lambda bench: bench.fault(device, "unplug"), lambda bench: plugged(bench, device))


def plugged(bench: Bench, device: str) -> None:
    """Plugs a device in again, and waits until the kernel has it."""
    bench.clear(device)
    place = {name: f"test -c {node}" for name, node in NODES.items()}
    place["console"] = "grep -q SIM-console /sys/bus/usb/devices/*/serial"
    bench.wait(f"{device} is there", lambda: bench.machine.guest.run(place[device]).status == 0)


def noticed(fault: Fault, device: str) -> Fault:
    """Returns the same fault, planted when the daemon has lost the device by it."""

    def plant(bench: Bench) -> None:
        fault.plant(bench)
        bench.lost(device)

    return Fault(fault.code, plant, fault.mend)


def moved(code: str, path: str) -> Fault:
    """Returns the fault that a file is gone."""
    return typed(code, f"mkdir -p {BEFORE}; mv {path} {BEFORE}/", f"mv {BEFORE}/{path.rpartition('/')[2]} {path}")


def written(code: str, command: str, path: str = CONFIG) -> Fault:
    """Returns the fault that something else stands in a file."""
    return typed(
        code, f"mkdir -p {BEFORE}; cp -a {path} {BEFORE}/; {command}", f"mv {BEFORE}/{path.rpartition('/')[2]} {path}"
    )


def held(code: str, what: str, command: str, user: str = "root") -> Fault:
    """Returns the fault that another program has a file open, whose name has this word."""
    begin = (
        f"systemd-run --quiet --unit=holder --uid={user} {command}; "
        f"until ls -l /proc/$(systemctl show --property MainPID --value holder)/fd | grep -q {what}; "
        "do sleep 0.2; done; sleep 1"
    )
    return typed(code, begin, "systemctl stop holder; systemctl reset-failed")


STOPPED: Final = (
    (
        unplugged("serial.missing", "shoe"),
        typed(
            "serial.denied",
            f"chgrp root $(readlink -f {NODES['sensor.1']})",
            f"chgrp dialout $(readlink -f {NODES['sensor.1']})",
        ),
        held("serial.busy", "ttyUSB", f"sh -c 'exec 3<>{NODES['sensor.2']}; sleep 600'"),
        typed("can.down", "ip link set can0 down", "ip link set can0 up"),
        unplugged("usb.missing", "console"),
        typed("gpio.denied", "chgrp root /dev/gpiochip*", "chgrp gpio /dev/gpiochip*"),
        typed("journal.denied", f"chown root {JOURNAL}", f"chown feltd {JOURNAL}"),
        typed("service.stopped", "true", "true"),
        typed(
            "power.low",
            f"printf '#!/bin/sh\\necho throttled=0x50005\\n' > {VCGENCMD}; chmod 755 {VCGENCMD}",
            f"rm {VCGENCMD}",
        ),
    ),
    (
        typed(
            "can.missing",
            f"basename $(readlink -f /sys/class/net/can0/device) > /run/kvaser; cat /run/kvaser > {CONTROLLER}/unbind",
            f"cat /run/kvaser > {CONTROLLER}/bind; udevadm settle; systemctl start feltd-can@can0",
        ),
        typed("usb.denied", f"{USB_NODE} chgrp root $n", f"{USB_NODE} chgrp feltd $n"),
        typed("gpio.missing", f"sh {PINS} away", f"sh {PINS} make"),
        typed(
            "disk.read-only",
            f"mount --bind {STATE} {STATE} && mount -o remount,bind,ro {STATE}",
            f"umount {STATE}",
        ),
    ),
    (
        moved("cards.key-missing", "/etc/feltd/cards.key"),
        typed("clock.wrong", "date +%s > /run/clock; date -s 2001-01-01", "date -s @$(($(cat /run/clock) + 5))"),
    ),
    (
        written("record.altered", f"python3 -c '{FORGES}'", JOURNAL),
        typed("service.absent", "mv /usr/lib/systemd/system/feltd.service /run/; systemctl daemon-reload",
              "mv /run/feltd.service /usr/lib/systemd/system/; systemctl daemon-reload"),
    ),
    (
        moved("journal.missing", JOURNAL),
        written("config.syntax", f"echo '[[' >> {CONFIG}"),
    ),
    (
        moved("config.missing", CONFIG),
        typed(
            "disk.full", f"mount -t tmpfs -o size=4m,mode=750,uid=feltd,gid=feltd none {STATE}", f"umount {STATE}"
        ),
    ),
    (
        held("journal.locked", "journal.db", f"python3 -c '{HOLDS}'", "feltd"),
        written("config.invalid", f"sed -i 's/family = \"shoe\"/family = \"sho\"/' {CONFIG}"),
        typed("service.failed", "systemctl start feltd && exit 1 || true", "systemctl reset-failed feltd"),
    ),
)  # fmt: skip
RUNNING: Final = (
    (
        noticed(unplugged("serial.missing", "shoe"), "shoe"),
        noticed(typed("can.down", "ip link set can0 down", "ip link set can0 up"), "sensor.3"),
        noticed(unplugged("usb.missing", "console"), "console"),
        typed("service.disabled", "systemctl disable feltd", "systemctl enable feltd"),
    ),
    (moved("journal.gone", JOURNAL),),
)


def tells(finding: dict[str, Any], code: str) -> bool:
    """Returns whether a finding has this code, as the first cause or what is now, and a next step."""
    return bool(finding["next_step"]) and (finding["code"] == code or f"; now {code}: " in finding["text"])


def found(bench: Bench, faults: tuple[Fault, ...]) -> str:
    """Plants these faults, asks the doctor, mends them, and returns what was not found."""
    planted: list[Fault] = []
    try:
        for fault in faults:
            planted.append(fault)
            fault.plant(bench)
        said = [one for one in bench.doctor() if one["state"] != "ok"]
    finally:
        for fault in reversed(planted):
            fault.mend(bench)
    missed = {fault.code for fault in faults if not any(tells(one, fault.code) for one in said)}
    heard = "; ".join(f"{one['code']}: {one['text']}" for one in said if one["code"] != "config.hint")
    return f"{', '.join(sorted(missed))} not found, only {heard}" if missed else ""


def laid(bench: Bench) -> None:
    """Lays the table, unless the check before has left it."""
    if bench.laid == WIRES:
        return
    bench.sh(f"sh {PINS} make; modprobe vhci-hcd; systemctl start feltd-can@can0 feltd-can@can1")
    bench.ends("console=usb", "shoe=pty", "sensor.1=pty", "sensor.2=pty", "lamps=pty", "*=can:can1")
    bench.use(None, dict.fromkeys(OUTSIDE, bench.outside))
    bench.sh("udevadm settle; systemctl enable feltd")
    bench.lay(WIRES, MORE + STRANGERS)


def well(bench: Bench) -> None:
    """Checks that the doctor calls nothing bad, all faults mended, but what is so on this table."""
    bad = [f"{one['code']}: {one['text']}" for one in bench.doctor() if one["state"] == "bad" and one["code"] != NOBODY]
    assert not bad, "; ".join(bad)


@check(
    "felt doctor: nothing is wrong with a table that has a device on each kind of wire, and plays",
    bound=600,
    early=True,
)
def nothing_wrong(bench: Bench) -> None:
    laid(bench)
    bench.ready()
    bench.play()
    bench.settled()
    well(bench)


@check("felt doctor: finds each fault that is planted while the table is stopped", bound=800)
def stopped(bench: Bench) -> str:
    laid(bench)
    bench.sh("systemctl stop feltd")
    missed = [said for faults in STOPPED if (said := found(bench, faults))]
    assert not missed, "; ".join(missed)
    bench.sh("systemctl start feltd", 180)
    bench.ready()
    well(bench)
    return ", ".join(fault.code for faults in STOPPED for fault in faults)


@check("felt doctor: finds each fault that is planted while the table runs", bound=600)
def running(bench: Bench) -> str:
    laid(bench)
    bench.sh("systemctl start feltd", 180)
    bench.ready()
    missed = [said for faults in RUNNING if (said := found(bench, faults))]
    assert not missed, "; ".join(missed)
    bench.ready()
    well(bench)
    bench.sh("systemctl disable feltd")
    return ", ".join(fault.code for faults in RUNNING for fault in faults)
