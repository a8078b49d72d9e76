"""What keeps a daemon from starting: it waits for a person, or tries again without hurry."""

from __future__ import annotations

from typing import Final

from tests.vm.bench import CONFIG, Bench
from tests.vm.cases.a_boot import INTERNAL
from tests.vm.checks import check

WEB: Final = '[web]\nlisten = "127.0.0.1:8180"\n'
LOOK: Final = 12.0  # seconds in which a loop would start it a dozen times
MOST: Final = 4  # starts in these: one every five seconds, and one that was under way


def restarts(bench: Bench) -> int:
    """Returns how often systemd has started the service again."""
    return int(bench.sh("systemctl show --property NRestarts --value feltd"))


def codes(bench: Bench) -> set[str]:
    """Returns what the doctor has to say."""
    return {one["code"] for one in bench.doctor() if one["state"] != "ok"}


@check("no table.toml: the service waits for a person, and starts with one command when it is there", bound=300)
def nothing_described(bench: Bench) -> None:
    bench.lay(INTERNAL, start=False)
    bench.sh(f"mv {CONFIG} /run/table.toml; systemctl start feltd && exit 1 || true", 180)
    before = restarts(bench)
    bench.sh(f"sleep {LOOK}")
    assert restarts(bench) == before, f"started {restarts(bench) - before} times more in {LOOK:.0f} s"
    assert codes(bench) >= {"config.missing", "service.failed"}, codes(bench)
    bench.sh(f"mv /run/table.toml {CONFIG}; systemctl restart feltd", 180)
    bench.ready()


@check("a busy web port: tried again every five seconds, and the table is there when the port is free", bound=300)
def busy_port(bench: Bench) -> str:
    bench.lay(INTERNAL, WEB, start=False)
    bench.sh("systemd-run --quiet --unit=holder python3 -m http.server --bind 127.0.0.1 8180; sleep 3")
    try:
        bench.sh("systemctl start --no-block feltd")
        bench.wait("a second try", lambda: restarts(bench) > 0, 120)
        before = restarts(bench)
        bench.sh(f"sleep {LOOK}")
        tries = restarts(bench) - before
        assert tries <= MOST, f"started {tries} times more in {LOOK:.0f} s"
        assert "service.failed" in codes(bench), codes(bench)
        assert "web.listen" in bench.sh("felt doctor || true", 120), "the doctor does not show why"
    finally:
        bench.said("systemctl stop holder; systemctl reset-failed holder")
    bench.ready(seconds=120)
    return f"{tries} more tries in {LOOK:.0f} s"
