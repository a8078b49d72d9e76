"""felt run: scripts played on fresh simulated tables."""

from __future__ import annotations

import gc
import sys

import click
import structlog

from controller.simulated.files import Complaint, Status, play_file
from controller.simulated.report import error_json, to_json, to_text


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
    for outcome in (outcome for name in files for outcome in play_file(name)):
        if isinstance(outcome, Complaint):
            worst = max(worst, outcome.status)
            if as_json:
                print(error_json(outcome.script, outcome.line, outcome.message), flush=True)
            else:
                print(f"{outcome.script}:{outcome.line}: {outcome.message}", file=sys.stderr)
            continue
        runs += 1
        held += not outcome.failed
        worst = max(worst, Status.FAILED if outcome.failed else Status.OK)
        if as_json:
            print(to_json(outcome), flush=True)
        elif outcome.failed or not quiet:
            print("\n".join(to_text(outcome)) + "\n")
    if not as_json and (quiet or runs > 1):
        print(f"{held} of {runs} runs hold")
    sys.exit(worst)


def _no_log() -> None:
    """The story of a run is its output; what the daemon would log is left out."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
