"""Plays scripts in several processes; a process that ends in the middle ends one run, and another takes its place."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, ForkProcess

import msgspec

from controller.cli.runner.find import ScriptSource
from controller.cli.runner.interrupt import uninterrupted
from controller.cli.runner.one import Begins, Event, LeftOut, Result, SameTitle, Wants, complained, events
from controller.script.files import Complaint, Status


class ScriptEnd(msgspec.Struct, frozen=True):
    """All of a script has been played."""


Happened = tuple[int, Result | LeftOut | SameTitle | ScriptEnd]  # with the place of its script among all


class Job(msgspec.Struct, frozen=True):
    """A script to be played from one of its runs on."""

    place: int
    source: ScriptSource
    first: int = 0


def played(sources: Sequence[ScriptSource], wants: Wants, processes: int) -> Generator[Happened, None, None]:
    """Plays the scripts and yields what happens: in their order in one process, as it comes in several."""
    if processes > 1:
        yield from _Pool(sources, wants, processes).played()
        return
    for place, source in enumerate(sources):
        for event in events(source, wants):
            if not isinstance(event, Begins):
                yield place, event
        yield place, ScriptEnd()


class _Worker:
    """A process that plays one script after the other, and what it is at."""

    def __init__(self, fork: ForkContext, wants: Wants, others: Sequence[Connection]) -> None:
        self.pipe, its_end = fork.Pipe()
        self.process: ForkProcess = fork.Process(target=_work, args=(its_end, wants, [*others, self.pipe]), daemon=True)
        with uninterrupted():  # it inherits that, and has no moment in which Ctrl-C would end it with a traceback
            self.process.start()
        its_end.close()  # so that its death is the end of the pipe
        self.job: Job | None = None
        self.run: Begins | None = None  # of that job

    def give(self, job: Job | None) -> None:
        """Hands it a script; None: there are no more."""
        self.job, self.run = job, None
        try:
            self.pipe.send(job)
        except OSError:
            pass  # it has just died, which its end of the pipe tells

    def end(self) -> None:
        """Ends the process, whatever it is at."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _work(pipe: Connection, wants: Wants, parents: Sequence[Connection]) -> None:
    """Plays what it is given, until there is no more or whoever gives it has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started it
    for end in parents:
        end.close()
    try:
        while (job := pipe.recv()) is not None:
            for event in events(job.source, wants, job.first):
                pipe.send(event)
            pipe.send(ScriptEnd())
    except (EOFError, BrokenPipeError):
        return


class _Pool:
    """Some processes and the scripts that wait for one of them."""

    def __init__(self, sources: Sequence[ScriptSource], wants: Wants, processes: int) -> None:
        self._waiting = deque(Job(place, source) for place, source in enumerate(sources))
        self._wants = wants
        self._processes = min(processes, len(sources))
        self._workers: dict[Connection, _Worker] = {}

    def played(self) -> Iterator[Happened]:
        """Yields what happens, as it comes; every process has ended when this ends."""
        try:
            for _ in range(self._processes):
                self._begin()
            while self._workers:
                for pipe in wait(list(self._workers)):
                    assert isinstance(pipe, Connection)
                    yield from self._take_in(self._workers[pipe])
        finally:
            for worker in self._workers.values():
                worker.end()

    def _begin(self) -> None:
        """Starts a process and hands it the next script, if one waits."""
        if self._waiting:
            worker = _Worker(multiprocessing.get_context("fork"), self._wants, list(self._workers))
            self._workers[worker.pipe] = worker
            worker.give(self._waiting.popleft())

    def _take_in(self, worker: _Worker) -> Iterator[Happened]:
        try:
            event: Event | ScriptEnd = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            yield from self._died(worker)
            return
        job = worker.job
        assert job is not None
        match event:
            case Begins():
                worker.run = event
            case ScriptEnd():
                yield job.place, event
                self._next(worker)
            case _:
                yield job.place, event

    def _next(self, worker: _Worker) -> None:
        if self._waiting:
            worker.give(self._waiting.popleft())
        else:
            worker.give(None)
            del self._workers[worker.pipe]
            worker.process.join()
            worker.pipe.close()

    def _died(self, worker: _Worker) -> Iterator[Happened]:
        """Tells which run a process died of; the next ones of that script are played by another process."""
        del self._workers[worker.pipe]
        worker.process.join()
        worker.pipe.close()
        job, run = worker.job, worker.run
        assert job is not None
        why = f"the process that played it ended: {_end_of(worker.process.exitcode or 0)}"
        case = None if run is None else run.case
        yield job.place, complained(Complaint(Status.FAILED, job.source.name, 0, why), self._wants, case)
        if run is None:
            yield job.place, ScriptEnd()
        else:
            self._waiting.appendleft(Job(job.place, job.source, run.run + 1))
        self._begin()


def _end_of(code: int) -> str:
    """Returns in words how a process ended.

    >>> _end_of(-9), _end_of(3)
    ('SIGKILL', 'exit status 3')
    """
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"
