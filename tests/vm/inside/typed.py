"""Types a command at a terminal of its own, and takes what is offered at each question: `typed.py COMMAND [SECRET]`.

A question whose answer is not shown gets the secret.  What is said goes to standard output; the exit status is the
command's.
"""

from __future__ import annotations

import os
import pty
import select
import sys
import termios

QUIET = 2.0  # seconds: whoever has said nothing for so long, and stopped in mid-line, waits for an answer
MOST = 40  # answers


def main(command: str, secret: str = "") -> int:
    """Runs the command and returns its exit status."""
    process, terminal = pty.fork()
    if not process:
        os.execvp("bash", ["bash", "-c", command])
    said, answers = b"", 0
    while True:
        readable, _, _ = select.select([terminal], [], [], QUIET)
        if readable:
            try:
                data = os.read(terminal, 4096)
            except OSError:
                break  # the other side is closed
            if not data:
                break
            said += data
            sys.stdout.write(data.decode(errors="replace"))
            sys.stdout.flush()
        elif said[-2:] in (b": ", b"? ") and answers < MOST:
            answers += 1
            shown = termios.tcgetattr(terminal)[3] & termios.ECHO
            answer = "" if shown else secret
            said = b""
            os.write(terminal, answer.encode() + b"\r")
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
