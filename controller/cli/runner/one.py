"""Plays one script, and returns what is told of each of its runs, in a form that goes from process to process."""

from __future__ import annotations

import time
from collections.abc import Iterator

import msgspec

from controller.cli.runner.find import ScriptSource
from controller.cli.runner.select import selection
from controller.script.errors import ScriptMistake
from controller.script.files import UNREADABLE, Complaint, Status, complaint, play_run, read_script
from controller.script.model import Run, Script
from controller.script.play import Failure, Played
from controller.script.report import error_json, to_json, to_text
from controller.script.strict import unexpected_refusals


class Wants(msgspec.Struct, frozen=True):
    """What the caller wants played, and how it is to be told."""

    as_json: bool = False
    quiet: bool = False
    strict: bool = False
    only: str = ""  # an expression of names


class Begins(msgspec.Struct, frozen=True):
    """A run is played now: its number in the script, from 0."""

    run: int
    case: str | None


class Result(msgspec.Struct, frozen=True):
    """What came of one run; of the whole script when that could not be played."""

    script: str
    case: str | None
    status: Status
    report: str = ""  # empty when nothing is to be told
    seconds: float = 0.0
    failed: tuple[Failure, ...] = ()
    complaint: Complaint | None = None


class LeftOut(msgspec.Struct, frozen=True):
    """A run that is not meant."""

    script: str


class SameTitle(msgspec.Struct, frozen=True):
    """A case has the title of an earlier one of its script: both are played, and their names do not tell them apart."""

    script: str
    line: int
    earlier: int  # the line of the first one


Event = Begins | Result | LeftOut | SameTitle


def events(source: ScriptSource, wants: Wants, first: int = 0) -> Iterator[Event]:
    """Plays a script from this run on, and yields what happens."""
    takes = selection(wants.only) if wants.only else None
    script = (
        complaint(source.name, [ScriptMistake(0, source.wrong, "the path of a script")], UNREADABLE)
        if source.wrong
        else read_script(source.name, source.text)
    )
    if isinstance(script, Complaint):
        yield complained(script, wants)
        return
    yield from _same_titles(script) if not first else ()
    for number, run in enumerate(script.runs):
        if number < first:
            continue
        if takes is not None and not takes(run_name(source.name, run.case)):
            yield LeftOut(source.name)
            continue
        yield Begins(number, run.case)
        yield _played(source.name, run, wants)


def _same_titles(script: Script) -> Iterator[SameTitle]:
    lines: dict[str, int] = {}
    for run in script.runs:
        if run.case is not None and lines.setdefault(run.case, run.line) != run.line:
            yield SameTitle(script.name, run.line, lines[run.case])


def run_name(script: str, case: str | None) -> str:
    """Returns the name of a run: its script, and its case."""
    return script if case is None else f"{script}: {case}"


def complained(wrong: Complaint, wants: Wants, case: str | None = None, seconds: float = 0.0) -> Result:
    """Returns the result of a script, or of a run, that was not played or not to its end."""
    report = error_json(wrong.script, wrong.line, wrong.message) if wants.as_json else ""
    return Result(wrong.script, case, wrong.status, report, seconds, complaint=wrong)


def _played(name: str, run: Run, wants: Wants) -> Result:
    begun = time.perf_counter()
    played = play_run(name, run)
    seconds = time.perf_counter() - begun
    if isinstance(played, Complaint):
        return complained(played, wants, run.case, seconds)
    if wants.strict:
        played.failed = sorted([*played.failed, *unexpected_refusals(played)], key=lambda failure: failure.line)
    try:
        report = _report(played, wants)
    except Exception as bug:  # a run that cannot be told is one that crashed
        defect = complaint_of_report(name, bug)
        return complained(defect, wants, run.case, seconds)
    status = Status.FAILED if played.failed else Status.OK
    return Result(name, run.case, status, report, seconds, tuple(played.failed))


def complaint_of_report(name: str, bug: Exception) -> Complaint:
    """Returns what is told when a run was played and cannot be told."""
    return Complaint(Status.FAILED, name, 0, f"a defect of the report: {type(bug).__name__}: {bug}")


def _report(played: Played, wants: Wants) -> str:
    if wants.as_json:
        return to_json(played)
    if wants.quiet and not played.failed:
        return ""
    return "\n".join(to_text(played)) + "\n"
