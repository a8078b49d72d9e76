"""What is in the way of a start: the service waits for a person, or the table plays without it."""

from __future__ import annotations

from typing import Final

from tests.vm.bench import CONFIG, Bench
from tests.vm.cases.a_boot import INTERNAL, play_inside
from tests.vm.checks import check

WEB: Final = '[web]\nlisten = "127.0.0.1:8180"\n'
LOOK: Final = 12.0  # seconds in which a loop would start it a dozen times
LISTENING: Final = "(exec 3<>/dev/tcp/127.0.0.1/8180) 2>/dev/null"  # whether somebody does


def restarts(bench: Bench) -> int:
    """Returns how often systemd has started the service again."""
    return int(bench.sh("systemctl show --property NRestarts --value feltd"))


def codes(bench: Bench) -> set[str]:
    """Returns what the doctor has to say."""
    return {one["code"] for one in bench.doctor() if one["state"] != "ok"}


@check("no table.toml: the service waits for a person, and starts with one command when it is there", bound=600)
def nothing_described(bench: Bench) -> None:
    bench.lay(INTERNAL, start=False)
    bench.sh("systemctl reset-failed")
    bench.sh(f"mv {CONFIG} /run/table.toml; systemctl start feltd && exit 1 || true", 180)
    before = restarts(bench)
    bench.sh(f"sleep {LOOK}")
    assert restarts(bench) == before, f"started {restarts(bench) - before} times more in {LOOK:.0f} s"
    assert codes(bench) >= {"config.missing", "service.failed"}, codes(bench)
    bench.sh(f"mv /run/table.toml {CONFIG}; systemctl restart feltd", 180)
    bench.ready()


@check("a busy web port: the table plays, and its pages come when the port is free", bound=600)
def busy_port(bench: Bench) -> None:
    bench.lay(INTERNAL, WEB, start=False)
    bench.sh("systemd-run --quiet --unit=holder python3 -m http.server --bind 127.0.0.1 8180")
    bench.sh(f"until {LISTENING}; do sleep 0.2; done")
    try:
        bench.sh("systemctl reset-failed; systemctl start feltd", 180)
        before = restarts(bench)
        play_inside(bench)
        assert "web.listen" in codes(bench), codes(bench)
        assert restarts(bench) == before, "a screen has stopped the table"
    finally:
        bench.said("systemctl stop holder; systemctl reset-failed holder")
    bench.wait("the pages", lambda: bench.said(f"{LISTENING} && echo yes").strip() == "yes")
    bench.wait("a doctor who has forgotten the port", lambda: "web.listen" not in codes(bench))
