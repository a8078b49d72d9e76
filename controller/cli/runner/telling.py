"""Tells what came of the runs, in the order of the scripts, whichever was played first."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from controller.cli.runner.interrupt import uninterrupted
from controller.cli.runner.one import LeftOut, Result, SameTitle, Wants, run_name
from controller.cli.runner.pool import Happened, ScriptEnd
from controller.cli.runner.progress import Progress
from controller.errors import step_for
from controller.script.errors import where
from controller.script.files import Complaint, Status


class Telling:
    """Prints results as soon as it is their turn, and keeps all of them."""

    def __init__(self, scripts: int, wants: Wants, progress: Progress) -> None:
        self.results: list[Result] = []  # those that were told
        self.scripts = scripts
        self.ended = 0  # scripts that were played to their end
        self.left_out = 0
        self._bad = 0
        self._wants = wants
        self._progress = progress
        self._turn = 0  # the place of the script that is told
        self._waiting: dict[int, list[Result | SameTitle | ScriptEnd]] = {}  # those of later scripts, by place

    def hear(self, happened: Iterable[Happened]) -> None:
        """Takes in what happens, and tells what comes next."""
        for place, event in happened:
            if isinstance(event, LeftOut):
                self.left_out += 1
                continue
            self.ended += isinstance(event, ScriptEnd)
            self._waiting.setdefault(place, []).append(event)
            with uninterrupted():
                self._tell_in_turn()
            self._bad += isinstance(event, Result) and event.status > Status.OK
            self._progress.show(self.ended, self._bad)

    def tell_rest(self) -> None:
        """Tells what was played out of turn: nobody will play what would come before it."""
        self._progress.clear()
        for place in sorted(self._waiting):
            for event in self._waiting.pop(place):
                self._tell(event)

    @property
    def worst(self) -> Status:
        """The exit status."""
        return max((result.status for result in self.results), default=Status.OK)

    def _tell_in_turn(self) -> None:
        while events := self._waiting.pop(self._turn, None):
            for event in events:
                self._tell(event)
            if not isinstance(events[-1], ScriptEnd):
                return
            self._turn += 1

    def _tell(self, event: Result | SameTitle | ScriptEnd) -> None:
        if isinstance(event, ScriptEnd):
            return
        if isinstance(event, SameTitle):
            self._progress.clear()
            print(
                f"{where(event.script, event.line)}: this case is called as that of line {event.earlier}",
                file=sys.stderr,
            )
            return
        self.results.append(event)
        if event.complaint is not None and not self._wants.as_json:
            self._progress.clear()
            _complain(event.complaint, event.case)
        elif event.report:
            self._progress.clear()
            print(event.report, flush=self._wants.as_json)


def _complain(wrong: Complaint, case: str | None) -> None:
    """Prints every mistake of a script, and what to do."""
    about = "" if case is None else f"case {case}: "
    print(f"{where(wrong.script, wrong.line)}: {about}{wrong.message}", file=sys.stderr)
    for mistake in wrong.with_places()[1:]:
        print(mistake, file=sys.stderr)
    print(f"  -> {wrong.code}: {step_for(wrong.code)}", file=sys.stderr)


def summary(results: Sequence[Result], left_out: int, quiet: bool) -> Iterator[str]:
    """Yields what failed, in one line each, and how many runs hold; nothing for one run that tells enough itself."""
    runs = [result for result in results if result.complaint is None]
    if not quiet and len(runs) <= 1:
        return
    failed = [result for result in runs if result.failed]
    if failed and len(runs) > 1:
        yield "failed:"
    for result in failed if len(runs) > 1 else ():
        first = result.failed[0]
        more = f" (and {len(result.failed) - 1} more)" if len(result.failed) > 1 else ""
        case = "" if result.case is None else f"case {result.case}: "
        yield f"  {result.script}:{first.line}: {case}{first.what}: {first.instead}{more}"
    unplayed = len(results) - len(runs)
    yield ", ".join(
        [
            f"{len(runs) - len(failed)} of {len(runs)} runs hold",
            *([f"{unplayed} not played"] if unplayed else []),
            *([f"{left_out} left out"] if left_out else []),
        ]
    )


def slowest(results: Sequence[Result], count: int) -> Iterator[str]:
    """Yields the runs that took longest, and what all of them took."""
    by_time = sorted(results, key=lambda result: -result.seconds)[:count]
    yield f"slowest {len(by_time)} of {len(results)} runs, in seconds (all: {sum(r.seconds for r in results):.2f}):"
    for result in by_time:
        yield f"  {result.seconds:8.3f}  {run_name(result.script, result.case)}"
