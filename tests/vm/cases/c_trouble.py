"""What ends a daemon in mid-round: killed, stopped, out of time."""

from __future__ import annotations

from tests.vm.bench import Bench
from tests.vm.cases.c_serial import laid
from tests.vm.checks import check


def main_pid(bench: Bench) -> str:
    """Returns the process of the service."""
    return bench.sh("systemctl show --property MainPID --value feltd").strip()


def back(bench: Bench, before: str) -> None:
    """Waits until another process is the service, with all its devices."""
    bench.wait("another process", lambda: main_pid(bench) not in ("0", before))
    bench.ready()


@check("kill -9 in mid-round: back by itself, nothing lost", bound=700, early=True)
def killed(bench: Bench) -> None:
    laid(bench)

    def kill() -> None:
        before = main_pid(bench)
        bench.sh(f"kill -9 {before}")
        bench.meanwhile()
        back(bench, before)

    bench.interrupted(kill)
    bench.settled()


@check("SIGSTOP in mid-round: the watchdog restarts it, nothing lost", bound=700)
def stopped(bench: Bench) -> None:
    laid(bench)

    def stop() -> None:
        before = main_pid(bench)
        bench.sh(f"kill -STOP {before}")
        bench.meanwhile()
        back(bench, before)
        assert "Watchdog timeout" in bench.sh("journalctl -u feltd -b -o cat --no-pager -n 400")

    bench.interrupted(stop)
    bench.settled()
