"""What a check works with: the machine, the devices inside and outside of it, and the table that is laid."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tests.vm import table
from tests.vm.channel import GuestError
from tests.vm.ends_outside import Outside
from tests.vm.machine import Machine
from tests.vm.releases import Release

INSIDE: Final = "/run/ends"  # where the devices in the machine have their control channel
SOON: Final = 150.0  # seconds: what takes longer on a machine that others use as well does not come
PACE: Final = 0.25  # seconds between two looks
CONFIG: Final = "/etc/feltd/table.toml"
EMPTIED: Final = "/var/lib/feltd/* /var/lib/feltd-keys/* /etc/feltd/cards.key /etc/feltd/keys.toml"


class Bench:
    """The machine under test with everything around it."""

    def __init__(self, release: Release, machine: Machine, outside: Outside, vendors: Outside) -> None:
        self.release = release
        self.machine = machine
        self.outside = outside
        self.vendors = vendors
        self.at: Outside | None = None  # the devices that play: outside ones, or those in the machine
        self.elsewhere: Mapping[str, Outside] = {}  # devices by name that are not with the others
        self.rounds = 0
        self.laid: Mapping[str, str] = {}
        self.boots: list[float] = []

    # ---- the machine

    def boot(self) -> float:
        """Switches the machine on and returns how long that took."""
        took = self.machine.start()
        self.boots.append(took)
        return took

    def unpack(self) -> None:
        """Puts what the machine gets from outside into /vm."""
        self.sh("rm -rf /vm && mkdir /vm && tar -xf /dev/vdb -C /vm")

    def sh(self, command: str, seconds: float = 60.0) -> str:
        """Runs a command that must succeed, as root, and returns what it said."""
        status, text = self.machine.guest.run(command, seconds)
        assert status == 0, f"{command} ended with {status}: {text[-1500:]}"
        return text

    def said(self, command: str, seconds: float = 60.0) -> str:
        """Runs a command that may fail, and returns what it said."""
        return self.machine.guest.run(command, seconds).text

    def wait(self, what: str, holds: Callable[[], bool | str], seconds: float = SOON) -> None:
        """Waits until it holds; a text says why it does not yet."""
        deadline = time.monotonic() + seconds
        asked = time.monotonic()
        while (so_far := holds()) is not True:
            now = time.monotonic()
            assert now < deadline, f"{what}: not in {seconds:.0f} s ({so_far or 'no'})"
            time.sleep(max(PACE, 2 * (now - asked)))  # a machine that is slow to answer has more to do than that
            asked = time.monotonic()

    def drop_in(self, text: str, name: str = "vm") -> None:
        """Adds to the unit of the service, as `systemctl edit` does; an empty text takes the addition away."""
        folder = "/etc/systemd/system/feltd.service.d"
        if text:
            self.sh(f"mkdir -p {folder}; printf %s {shlex.quote(text)} > {folder}/{name}.conf; systemctl daemon-reload")
        else:
            self.sh(f"rm -f {folder}/{name}.conf; systemctl daemon-reload")

    # ---- the devices

    def ends(self, *wires: str) -> None:
        """Starts simulated devices in the machine, on these wires, in place of those before."""
        self.end_ends()
        named = " ".join(f"--wire {shlex.quote(wire)}" for wire in wires)
        program = f'"$(sh /vm/python)" -m tests.vm.inside.ends {INSIDE} {named}'
        self.sh(f"systemd-run --quiet --unit=ends --working-directory=/vm {program}")
        self.use(None)
        try:
            self.wait("simulated devices", lambda: self.machine.guest.sim({"state": True}, INSIDE) is not None)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.said('journalctl -u ends -o cat -n 8 --no-pager')}") from None

    def use(self, at: Outside | None, elsewhere: Mapping[str, Outside] = MappingProxyType({})) -> None:
        """Lets these devices play: those of a process outside, or None: those in the machine; some may be elsewhere."""
        self.at = at
        self.elsewhere = elsewhere

    def end_ends(self) -> None:
        """Ends the devices in the machine, if there are any."""
        self.said(f"systemctl stop ends; systemctl reset-failed; rm -rf {INSIDE}")

    def do(self, device: str, verb: str, given: Any) -> None:
        """Does something at a device."""
        self._ask(device, {"device": device, "do": verb, "args": [given]})

    def fault(self, device: str, name: str) -> None:
        """Begins a fault of a device."""
        self._ask(device, {"device": device, "fault": name})

    def clear(self, device: str) -> None:
        """Ends all faults of a device."""
        self._ask(device, {"device": device, "clear": True})

    def pending(self, device: str) -> int:
        """Returns how many events of it are not recorded yet."""
        return int(self.state(device)["pending"])

    def state(self, device: str) -> dict[str, Any]:
        """Returns how a device is."""
        found: dict[str, Any] = self._ask(device, {"state": True})["devices"][device]
        return found

    def _ask(self, device: str, request: dict[str, Any]) -> dict[str, Any]:
        if (outside := self.elsewhere.get(device, self.at)) is not None:
            return outside.ask(request)
        answer = self.machine.guest.sim(request, INSIDE)
        if answer is None or not answer["ok"]:
            raise GuestError(f"the devices in the machine: {answer}")
        return answer

    # ---- the table

    def lay(self, addresses: Mapping[str, str], more: str = "", start: bool = True) -> None:
        """Lays a new table: its table.toml, its journal; and starts the daemon."""
        self.laid = {}
        self.sh(f"systemctl stop feltd; rm -rf {EMPTIED}")
        for outside in {self.at, *self.elsewhere.values()}:
            if outside is not None:
                outside.renew()
        self.write(CONFIG, table.toml(addresses, more))
        self.sh("felt table init /etc/feltd/table.toml", 120)
        self.rounds = 0
        self.laid = addresses
        if start:
            self.sh("systemctl reset-failed; systemctl start feltd", 180)

    def write(self, path: str, text: str) -> None:
        """Writes a file in the machine, as the shipped directory wants it: read by the daemon's group."""
        self.sh(f"printf %s {shlex.quote(text)} > {path} && chgrp feltd {path} && chmod 640 {path}")

    def daemon(self, path: str) -> dict[str, Any]:
        """Asks the daemon."""
        answer = self.machine.guest.get(path)
        assert answer is not None, (
            f"the daemon does not answer: {self.said('systemctl status feltd --no-pager -n 5')[-800:]}"
        )
        return answer

    def doctor(self) -> list[dict[str, Any]]:
        """Returns what `felt doctor` has found."""
        report = json.loads(self.said("felt doctor --json 2>/run/doctor", 120) or "null")
        assert report is not None, self.said("cat /run/doctor")
        findings: list[dict[str, Any]] = report["findings"]
        return findings

    def ready(self, *names: str, seconds: float = SOON) -> None:
        """Waits until these devices are served, or all of the table."""
        wanted = frozenset(names or table.DEVICES)

        def holds() -> bool | str:
            answer = self.machine.guest.get("/devices")
            if answer is None:
                return "the daemon does not answer"
            return ", ".join(table.not_ready(answer["devices"], wanted)) or True

        self.wait("devices are ready", holds, seconds)

    def lost(self, name: str, code: str = "", seconds: float = SOON) -> None:
        """Waits until a device is not served any more, with this code as its cause."""

        def holds() -> bool | str:
            (device,) = [one for one in self.daemon("/devices")["devices"] if one["name"] == name]
            codes = {(device[part] or {}).get("code") for part in ("cause", "first", "latest")} - {None}
            return (device["phase"] != "ready" and (not code or code in codes)) or f"{device['phase']}, {codes}"

        self.wait(f"{name} is lost {code}", holds, seconds)

    def play(self, first: int = 0, to: int = len(table.ROUND), seconds: float = SOON) -> None:
        """Plays the deeds of a round, from one to before another; each is recorded before the next is done."""
        for number, (device, verb, given) in enumerate(table.ROUND[first:to], first):
            before = self.newest(device) if self.forgets(device) else 0
            self.do(device, verb, given)
            self.wait(f"deed {number} is recorded", partial(self.recorded, device, before), seconds)
        self.rounds += to == len(table.ROUND)

    def recorded(self, device: str, before: int) -> bool:
        """Returns whether all that a device has said is on record.

        One of ours says so by itself.  A vendor's only says that it has sent it: then there is a fact after `before`.
        """
        return self.pending(device) == 0 and (not self.forgets(device) or self.newest(device) > before)

    def forgets(self, device: str) -> bool:
        """Returns whether a device is a vendor's, which does not keep what it has said until that is on record."""
        return self.elsewhere.get(device) is self.vendors

    def newest(self, device: str) -> int:
        """Returns the number of the newest fact that a device has told; 0 when there is none."""
        facts = self.daemon(f"/journal/tail?n=1&device={device}")["facts"]
        return int(facts[-1]["seq"]) if facts else 0

    def interrupted(self, trouble: Callable[[], None]) -> None:
        """Plays a round with trouble in its middle; the deed there is done while it lasts, and must not be lost."""
        self.play(to=table.MIDDLE)
        trouble()
        self.wait(
            "what was done meanwhile is recorded", lambda: self.pending(table.ROUND[table.MIDDLE][0]) == 0, 2 * SOON
        )
        self.play(table.MIDDLE + 1)

    def meanwhile(self) -> None:
        """Does the deed of the middle, and does not wait for it."""
        self.do(*table.ROUND[table.MIDDLE])

    def settled(self) -> None:
        """Checks that every round that was played is on record as it must be, and that the journal is sound."""
        self.wait("rounds on record", lambda: table.wrong_with(self.daemon("/rounds")["rounds"], self.rounds) or True)
        self.sh("felt journal verify", 120)


def files(root: Path) -> dict[str, Path]:
    """Returns what every machine gets: the devices that run in it."""
    return {"tests/vm/inside": root / "tests/vm/inside"}
