"""Starts the daemon again and again without paying for the interpreter each time: `start` on stdin forks one.

The child is the daemon's own `run`, in a process of its own that can be killed at any moment.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from controller.daemon.main import run


def main() -> None:
    config, log = Path(sys.argv[1]), Path(sys.argv[2])
    child = 0
    print("ready", flush=True)
    for _ in sys.stdin:
        if child:
            os.waitpid(child, 0)  # as a service manager does: the old one is gone before the new one starts
        child = os.fork()
        if child == 0:
            out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(out, 1)
            os.dup2(out, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os._exit(run(config))
        print(child, flush=True)


main()
