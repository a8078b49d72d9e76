"""felt run: scripts played on fresh simulated tables."""

from __future__ import annotations

import gc
import sys

import click
import structlog

from controller.errors import step_for
from controller.script.files import Complaint, Status, play_file
from controller.script.play import Played
from controller.script.report import error_json, to_json, to_text


@click.command(name="run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a run, on one line.")
@click.option("--quiet", "-q", is_flag=True, help="Only what failed, and a summary.")
def command(files: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Play scripts on simulated tables.

    Exit status 0: every expectation held; 1: one failed; 2: a script is malformed.  With several scripts the highest
    one counts.
    """
    _no_log()
    gc.freeze()  # what was loaded stays
    worst = Status.OK
    runs = held = 0
    for outcome in (_reported(outcome, as_json) for name in files for outcome in play_file(name)):
        if isinstance(outcome, Complaint):
            worst = max(worst, outcome.status)
            if as_json:
                print(error_json(outcome.script, outcome.line, outcome.message), flush=True)
            else:
                print(f"{outcome.script}:{outcome.line}: {outcome.message}", file=sys.stderr)
                print(f"  -> {outcome.code}: {step_for(outcome.code)}", file=sys.stderr)
            continue
        failed, report = outcome
        runs += 1
        held += not failed
        worst = max(worst, Status.FAILED if failed else Status.OK)
        if as_json or failed or not quiet:
            print(report, flush=as_json)
    if not as_json and (quiet or runs > 1):
        print(f"{held} of {runs} runs hold")
    sys.exit(worst)


def _reported(outcome: Played | Complaint, as_json: bool) -> Complaint | tuple[bool, str]:
    """Returns whether a run failed, and its report; a run that cannot be reported is one that crashed."""
    if isinstance(outcome, Complaint):
        return outcome
    try:
        return bool(outcome.failed), to_json(outcome) if as_json else "\n".join(to_text(outcome)) + "\n"
    except Exception as bug:
        return Complaint(Status.FAILED, outcome.script, 0, f"a defect of the report: {type(bug).__name__}: {bug}")


def _no_log() -> None:
    """Leaves out what the daemon would log: the story of a run is its output."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
