"""The machine comes up, feltd is installed as the documents say, and a table on simulated devices plays."""

from __future__ import annotations

import shlex

from tests.vm import install, table
from tests.vm.bench import CONFIG, EMPTIED, Bench
from tests.vm.checks import check

INTERNAL = {name: f"sim://{name}" for name in table.DEVICES}
PEOPLE = "/etc/feltd/people.toml"
PIN = "25801"
EXPOSURE = 1.6  # at most, by systemd's own word
AS_NEW = {"keys.unpaired", "usb.unknown"}  # no device has a key, and adapters of other tables are plugged in
PAIRED = "felt device shoe pair"  # asks for what the service log wants
LOOK = ("felt doctor", "felt devices")  # end with status 1 while a device has no key yet


@check("boot: the machine comes up", bound=700, needed=True)
def boots(bench: Bench) -> str:
    took = bench.boot()
    bench.unpack()
    return f"{took:.0f} s"


@check("install: README's commands, typed at a terminal, are the whole installation", bound=600, needed=True)
def installs(bench: Bench) -> str:
    """Every question is answered with what it offers."""
    typed = install.of_readme()
    for command in typed:
        type_in(bench, command, "/vm")
    # The shipped time-out is for a computer of its own, not for one that is emulated on a busy machine.
    bench.drop_in("[Service]\nTimeoutStartSec=300\n")
    bench.sh("id feltd && felt --version && felt config check /etc/feltd/table.toml", 120)
    commands = sum(len(command.split(" && ")) for command in typed)
    return f"{commands} commands: {'; '.join(typed)}"


def type_in(bench: Bench, command: str, folder: str = "/usr/share/doc/feltd") -> None:
    """Types a command of a page as it stands there, in the folder where its relative names are; it must succeed."""
    said = f"cd {folder} && python3 /vm/tests/vm/inside/typed.py {shlex.quote(command)} {PIN}"
    bench.sh(f"{said} || test $? = 1" if command in LOOK else said, 500)


@check("install: docs/installing.md, typed word for word", bound=700)
def installs_by_hand(bench: Bench) -> str:
    """Begins with what README has installed; the table is described once more, by hand."""
    program, service, described, people, start = map(install.of_the_page, install.CHAPTERS)
    assert program[:1] == install.of_readme(), f"the page begins with {program[:1]}"
    empty = f"systemctl disable --now feltd; rm -rf {EMPTIED} {CONFIG} {PEOPLE}"
    typed = [*program[1:], *service]
    for command in typed:
        type_in(bench, command)
    copied = [command for command in described if command.startswith("install ")]
    begun = [command for command in described if command in start]
    made = [command for command in described if command not in copied + begun]
    bench.sh(empty)
    for command in copied:
        type_in(bench, command)
    bench.sh(empty)
    for command in (*made, *people, *(command for command in start if command != PAIRED)):
        type_in(bench, command)
    bench.ready("sensor.1")
    wrong = {one["code"] for one in bench.doctor() if one["state"] == "bad"}
    assert wrong == AS_NEW, f"felt doctor: {wrong}"
    assert bench.sh("systemctl is-active feltd; systemctl is-enabled feltd").split() == ["active", "enabled"]
    bench.sh(f"systemctl disable --now feltd; rm {PEOPLE}")
    return f"{len({*typed, *copied, *made, *people, *start} - {PAIRED})} commands besides that of README"


@check("unit: simulated devices, a round")
def plays(bench: Bench) -> None:
    bench.lay(INTERNAL)
    play_inside(bench)


def play_inside(bench: Bench) -> None:
    """Plays a round on the devices that the daemon simulates itself."""
    bench.ready()
    bench.sh("rm -rf /run/ends; ln -sfn $(ls -dt /run/feltd/feltd-simulated-*/ | head -n 1) /run/ends")
    bench.use(None)
    bench.play()
    bench.settled()


@check("unit: sandbox is as tight as the file says")
def sandboxed(bench: Bench) -> str:
    said = bench.sh("systemd-analyze security feltd --no-pager | tail -n 1")
    exposure = float(said.partition("level for feltd.service: ")[2].split()[0])
    assert exposure <= EXPOSURE, said
    return f"exposure {exposure}"
