"""A PostgreSQL of one's own, for tests and benchmarks: on a Unix socket only, gone when its owner is."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PATIENCE = 30  # seconds until a start or a stop has failed
PR_SET_PDEATHSIG = 1
PORT = 5432  # only part of the socket's name
MEMORY = Path("/dev/shm")
ROOM = 1 << 29  # bytes


def binaries() -> Path | None:
    """Returns the programs of the newest PostgreSQL of this machine; None when it has none."""
    homes = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    if on_path := shutil.which("postgres"):
        homes.append(Path(on_path).resolve().parent)
    fit = [home for home in homes if all((home / name).exists() for name in ("postgres", "initdb", "pg_isready"))]
    return max(fit, key=lambda home: int("".join(filter(str.isdigit, home.parent.name)) or 0), default=None)


class OwnServer:
    """A server on a new directory.  PostgreSQL refuses to run as root: then it runs as somebody with less power.

    `in_memory`: its files survive a crash of the server, though not of the machine, and nobody waits for a disk.
    """

    def __init__(self, settings: dict[str, str] | None = None, in_memory: bool = False) -> None:
        home = binaries()
        if home is None:
            raise FileNotFoundError("this machine has no PostgreSQL")
        roomy = in_memory and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
        self.home, self.directory = home, Path(tempfile.mkdtemp(prefix="feltpg.", dir=MEMORY if roomy else None))
        self.settings = {"listen_addresses": "", "unix_socket_directories": str(self.directory), "fsync": "on"}
        self.settings |= settings or {}
        self._user: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = ThreadPoolExecutor(1, "feltpg")  # a process dies with the thread that started it
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self._user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(self.directory, self._user)
        command = [str(home / "initdb"), "-D", str(self._data), "-U", "felt", "--auth=trust", "-E", "UTF8"]
        try:
            done = self._spawn([*command, "--locale=C", "--no-sync"]).wait(PATIENCE)
            if done:
                raise RuntimeError(f"initdb failed: {self.log()}")
            self.start()
        except BaseException:
            self.remove()
            raise

    @property
    def _data(self) -> Path:
        return self.directory / "data"

    def dsn(self, database: str = "postgres") -> str:
        """Returns where a client finds the server."""
        return f"host={self.directory} port={PORT} user=felt dbname={database}"

    def log(self) -> str:
        """Returns what the server said."""
        return (self.directory / "log").read_text(encoding="utf-8", errors="replace")

    def start(self) -> None:
        """Starts the server, and returns when it takes connections."""
        options = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        self._process = self._spawn([str(self.home / "postgres"), "-D", str(self._data), *options])
        ready = [str(self.home / "pg_isready"), "-q", "-h", str(self.directory), "-p", str(PORT)]
        end = time.monotonic() + PATIENCE
        while subprocess.run(ready, check=False).returncode:
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start: {self.log()}")
            time.sleep(0.01)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stops the server.

        SIGQUIT is a crash: nothing is finished, and the next start recovers from the log.
        """
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(PATIENCE)

    def restart(self) -> None:
        """Crashes the server, and starts it again."""
        self.stop()
        self.start()

    def remove(self) -> None:
        """Stops the server and removes what it wrote."""
        self.stop()
        self._owner.shutdown()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _spawn(self, command: list[str]) -> subprocess.Popen[bytes]:
        return self._owner.submit(self._run, command).result()

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self.directory / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.directory,
                user=self._user,
                group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
                extra_groups=None if self._user is None else [],
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
                preexec_fn=_die_with_owner,
            )


def _die_with_owner() -> None:
    """Lets a server stop whose owner was killed; runs in the new process."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)
