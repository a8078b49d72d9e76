"""Starts the daemon again and again without paying for the interpreter each time: `start` on stdin forks one.

The child is the daemon's own `run`, in a process of its own that can be killed at any moment.  It never outlives its
test: it is ended when stdin closes, and the kernel ends it when this process is killed.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
from pathlib import Path

from controller.daemon.main import run

SIGNAL_ON_DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)


def be_the_daemon(config: Path, log: Path, spawner: int) -> None:
    """Becomes the daemon; never returns."""
    ctypes.CDLL(None).prctl(SIGNAL_ON_DEATH_OF_PARENT, signal.SIGKILL)
    if os.getppid() != spawner:  # it died before the kernel knew that it is to tell us
        os._exit(1)
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os._exit(run(config))


def wait_for(child: int) -> None:
    """Waits until the child has ended; ends it when stdin closes before that, for then nobody will."""
    ended = os.pidfd_open(child)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(0, 0)  # a pipe whose other end is closed is told in any case
    if ended not in dict(poll.poll()):
        os.kill(child, signal.SIGKILL)
    os.close(ended)
    os.waitpid(child, 0)


def main() -> None:
    config, log = Path(sys.argv[1]), Path(sys.argv[2])
    spawner, child = os.getpid(), 0
    print("ready", flush=True)
    for _ in sys.stdin:
        if child:
            wait_for(child)  # as a service manager does: the old one is gone before the new one starts
        child = os.fork()
        if child == 0:
            be_the_daemon(config, log, spawner)
        print(child, flush=True)
    if child:
        wait_for(child)


main()
