"""The machine comes up, feltd is installed as the documents say, and a table on simulated devices plays."""

from __future__ import annotations

import shlex

from tests.vm import install, table
from tests.vm.bench import Bench
from tests.vm.checks import check

INTERNAL = {name: f"sim://{name}" for name in table.DEVICES}


@check("boot: the machine comes up", bound=400)
def boots(bench: Bench) -> str:
    took = bench.boot()
    bench.sh("mkdir -p /vm && tar -xf /dev/vdb -C /vm")
    return f"{took:.0f} s"


@check("install: README's commands, typed at a terminal, are the whole installation", bound=600)
def installs(bench: Bench) -> str:
    """Every question is answered with what it offers."""
    typed = install.of_readme()
    for command in typed:
        bench.sh(f"cd /vm && python3 tests/vm/inside/typed.py {shlex.quote(command)}", 500)
    # The shipped time-out is for a computer of its own, not for one that is emulated on a busy machine.
    bench.drop_in("[Service]\nTimeoutStartSec=300\n")
    bench.sh("id feltd && felt --version && felt config check /etc/feltd/table.toml", 120)
    return "; ".join(typed)


@check("unit: simulated devices, a round")
def plays(bench: Bench) -> None:
    bench.lay(INTERNAL)
    bench.ready()
    bench.sh("rm -rf /run/ends; ln -sfn $(ls -dt /run/feltd/feltd-simulated-*/ | head -n 1) /run/ends")
    bench.at = None
    bench.play()
    bench.settled()


@check("unit: sandbox is as tight as the file says")
def sandboxed(bench: Bench) -> str:
    said = bench.sh("systemd-analyze security feltd --no-pager | tail -n 1")
    exposure = float(said.partition("level for feltd.service: ")[2].split()[0])
    assert exposure < 2.0, said
    return f"exposure {exposure}"
