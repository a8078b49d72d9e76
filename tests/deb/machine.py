"""A computer to install on: a fresh root of the package's release, in which systemd alone is played.

Everything else is real: apt and dpkg, users, the daemon with its simulated devices, `felt`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tools.deb.roots import Root
from tools.deb.target import RELEASES, Target

PATH = "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
PATIENCE = 120.0  # seconds
TABLE = "/etc/feltd/table.toml"
# What the unit does, in some lines: its directories, its user; it is started when the daemon answers.
SYSTEMCTL = """#!/bin/sh
echo "$*" >>/run/systemctl.log
runs() { [ -s /run/feltd.pid ] && kill -0 "$(cat /run/feltd.pid)" 2>/dev/null; }
case $1 in
show) if runs; then echo ActiveState=active; echo SubState=running; else cat /run/feltd.fails 2>/dev/null; fi ;;
stop)
    rm -f /run/feltd.fails
    if runs; then
        kill "$(cat /run/feltd.pid)"
        while runs; do sleep 0.1; done
    fi
    ;;
start)
    install -d -o feltd -g feltd -m 0750 /var/lib/feltd /run/feltd
    cd /var/lib/feltd
    setsid runuser -u feltd -- env XDG_RUNTIME_DIR=/run/feltd RUNTIME_DIRECTORY=/run/feltd LG_WD=/run/feltd \\
        /usr/lib/feltd/bin/feltd --config /etc/feltd/table.toml >>/run/feltd.log 2>&1 </dev/null &
    echo $! >/run/feltd.pid
    until felt status --json >/run/feltd.status 2>/dev/null || grep -q '"running"' /run/feltd.status; do
        runs || exit 1
        sleep 0.2
    done
    ;;
esac
"""


def target_of(package: Path) -> Target:
    """Returns for whom a package is, by its name."""
    found = re.fullmatch(r"feltd_.*\+deb(\d+)_(\w+)\.deb", package.name)
    assert found is not None, package.name
    (release,) = [each for each in RELEASES if each.number == int(found[1])]
    return Target(release, found[2])


def repacked(package: Path, place: Path, version: str, change: Callable[[Path], None] = lambda tree: None) -> Path:
    """Returns the same package as another version, with a change in its tree."""
    tree = place / f"tree-{version}"
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {version}", control.read_text()))
    change(tree)
    made = place / re.sub(r"_.*_", f"_{version}_", package.name)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(made)], check=True, capture_output=True
    )
    return made


class Machine:
    """A root, a package, and a person who types."""

    def __init__(self, root: Root) -> None:
        self.root = root

    def type(self, *words: str, status: int | None = 0, **environ: str) -> str:
        """Types a command; returns what it says, and fails when it ends otherwise."""
        done = self.root.run(words, {"PATH": PATH, **environ}, check=False)
        assert status is None or done.returncode == status, f"{words} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def put(self, package: Path) -> str:
        """Copies a package to the machine and returns where it is."""
        place = self.root / "/root" / package.name
        if not place.exists():
            os.link(package, place) if package.stat().st_dev == place.parent.stat().st_dev else place.write_bytes(
                package.read_bytes()
            )
        return f"/root/{package.name}"

    def install(self, package: Path, *, status: int = 0, **environ: str) -> str:
        return self.type("dpkg", "--install", self.put(package), status=status, **environ)

    # ---- a table, and the service manager

    def with_systemd(self) -> None:
        (self.root / "/run/systemd/system").mkdir(parents=True)
        program = self.root / "/usr/local/sbin/systemctl"
        program.write_text(SYSTEMCTL)
        program.chmod(0o755)

    def describe(self, more: str = "") -> None:
        """Writes a table of one area on simulated devices, as `felt config init` does."""
        words = ["felt", "config", "init", "/root/table.toml", "--yes", "--game=casino-war", "--name=T1", "--areas=1"]
        self.type(*words)
        (self.root / TABLE).write_text((self.root / "/root/table.toml").read_text() + more)
        self.type("chown", "root:feltd", TABLE)

    def start(self) -> None:
        self.type("systemctl", "start", "feltd.service")

    def do(self, deed: str) -> None:
        """Plays a deed at the table."""
        self.type("felt", "sim", "do", *deed.split(), XDG_RUNTIME_DIR="/run/feltd")

    def systemctl(self) -> list[str]:
        """Returns what was asked of the service manager, but what only looks."""
        log = self.root / "/run/systemctl.log"
        return [line for line in log.read_text().splitlines() if not line.startswith("show")] if log.exists() else []

    @property
    def pid(self) -> int:
        file = self.root / "/run/feltd.pid"
        return int(file.read_text()) if file.exists() else 0

    def running(self) -> bool:
        return bool(self.pid) and Path(f"/proc/{self.pid}").exists()

    def close(self) -> None:
        """Ends the daemon, if one runs."""
        if not self.running():
            return
        os.kill(self.pid, signal.SIGTERM)  # of runuser, which ends the daemon with itself; killed it would leave it
        deadline = time.monotonic() + PATIENCE
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
