"""The machine comes up, feltd is installed as the documents say, and a table on simulated devices plays."""

from __future__ import annotations

from tests.vm import install, table
from tests.vm.bench import Bench
from tests.vm.checks import check

INTERNAL = {name: f"sim://{name}" for name in table.DEVICES}


@check("boot: the machine comes up", bound=400)
def boots(bench: Bench) -> str:
    took = bench.boot()
    bench.sh("mkdir -p /vm && tar -xf /dev/vdb -C /vm")
    return f"{took:.0f} s"


@check("install: the commands of the document", bound=600)
def installs(bench: Bench) -> str:
    typed = install.by_hand()
    for command in typed:
        bench.sh(f"{install.LIKE_A_TABLE}; {command}", 400)
    bench.sh("id feltd && felt --version")
    # The shipped time-out is for a computer of its own, not for one that is emulated on a busy machine.
    bench.drop_in("[Service]\nTimeoutStartSec=300\n")
    return f"{len(typed)} commands"


@check("unit: simulated devices, a round")
def plays(bench: Bench) -> None:
    bench.lay(INTERNAL)
    bench.ready()
    control = bench.sh("ls -d /tmp/systemd-private-*-feltd.service-*/tmp/feltd-simulated-*/ | tail -n 1").strip()
    bench.sh(f"rm -rf /run/ends; ln -sfn {control} /run/ends")
    bench.at = None
    bench.play()
    bench.settled()


@check("unit: sandbox is as tight as the file says")
def sandboxed(bench: Bench) -> str:
    said = bench.sh("systemd-analyze security feltd --no-pager | tail -n 1")
    exposure = float(said.partition("level for feltd.service: ")[2].split()[0])
    assert exposure < 2.0, said
    return f"exposure {exposure}"
