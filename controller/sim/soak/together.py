"""Days that several processes live through at once, one each; what came of them is told in the order of the days."""

from __future__ import annotations

import signal
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess

from controller.errors import FeltError
from controller.sim.soak.day import DayPlan, DayResult, live_through, quick_place
from controller.sim.soak.faults import NoSuchFault

LOST = "sim.day-lost"


def lived_together(plans: Iterable[DayPlan], jobs: int) -> Iterator[DayResult]:
    """Yields what came of each day; raises FeltError when a process ends in the middle of one, NoSuchFault as they do.

    Whoever wants no more days ends the generator: then every process ends at once, and leaves nothing behind.
    """
    waiting, results = deque(enumerate(plans)), dict[int, DayResult]()
    running: dict[Connection, tuple[int, ForkProcess]] = {}
    next_day = 0
    with tempfile.TemporaryDirectory(prefix="felt-soak-", dir=quick_place()) as directory:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    number, plan = waiting.popleft()
                    pipe, process = _begun(plan, directory)
                    running[pipe] = number, process
                for ended in wait(list(running)):
                    assert isinstance(ended, Connection)
                    number, process = running[ended]
                    results[number] = _result(ended, number)
                    del running[ended]
                    process.join()
                while next_day in results:
                    yield results.pop(next_day)
                    next_day += 1
        finally:
            for _, process in running.values():
                process.kill()
                process.join()


def _begun(plan: DayPlan, directory: str) -> tuple[Connection, ForkProcess]:
    fork = get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    process = fork.Process(target=_live, args=(theirs, plan, directory), daemon=True)
    process.start()
    theirs.close()  # so that its death is the end of the pipe
    return ours, process


def _live(pipe: Connection, plan: DayPlan, directory: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started it
    try:
        came: DayResult | NoSuchFault = live_through(plan, within=directory)
    except NoSuchFault as error:
        came = error
    pipe.send(came)


def _result(pipe: Connection, number: int) -> DayResult:
    try:
        came: DayResult | NoSuchFault = pipe.recv()
    except EOFError:
        raise FeltError(LOST, f"the process that lived through day {number + 1} of them ended in its middle") from None
    finally:
        pipe.close()
    if isinstance(came, NoSuchFault):
        raise came
    return came
