"""felt run: scripts played on fresh simulated tables."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import structlog

from controller.cli.main import STOPPED
from controller.cli.output import whole_lines
from controller.cli.processes import Processes
from controller.cli.runner.find import STDIN, ScriptSource, find
from controller.cli.runner.interrupt import uninterrupted
from controller.cli.runner.junit import junit, make_room
from controller.cli.runner.one import Result, Wants
from controller.cli.runner.pool import played
from controller.cli.runner.progress import Progress
from controller.cli.runner.select import BadExpression, selection
from controller.cli.runner.telling import Telling, slowest, summary
from controller.cli.runner.watch import changed, stamps
from controller.counts import many
from controller.script.files import Status


@click.command(name="run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a run, on one line.")
@click.option("--quiet", "-q", is_flag=True, help="Only what failed, and a summary.")
@click.option("--jobs", "-j", type=Processes(), default=1, metavar="N|auto", help="Play in so many processes.")
@click.option("--only", "-k", default="", metavar="EXPR", help="Only runs with these words in their names.")
@click.option("--strict", is_flag=True, help="A refusal that no line expects fails its run.")
@click.option("--junit", "xml", type=click.Path(path_type=Path, dir_okay=False), help="Write the results as JUnit XML.")
@click.option("--durations", type=click.IntRange(1), metavar="N", help="The N runs that took longest.")
@click.option("--watch", is_flag=True, help="Go on: play again what changes, until Ctrl-C.")
def command(
    files: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    jobs: int,
    only: str,
    strict: bool,
    xml: Path | None,
    durations: int | None,
    watch: bool,
) -> None:
    """Play scripts on simulated tables.

    FILE is a script, a folder (every .felt file below it), a pattern such as 'tests/**/war*.felt', or - for standard
    input.  EXPR has words that stand in the name of a script or a case, with and, or, not and brackets.

    Exit status 0: every expectation held; 1: one failed; 2: a script is malformed; 130: stopped by Ctrl-C.
    With several scripts the highest of 0, 1 and 2 counts.
    """
    if watch and STDIN in files:
        raise click.UsageError("standard input cannot be watched")
    try:
        selection(only) if only else None
    except BadExpression as error:
        raise click.UsageError(f"-k: {error}") from None
    if xml is not None:
        make_room(xml)
    _no_log()
    gc.freeze()  # what was loaded stays
    whole_lines()  # a path with its line is to be found by whatever reads along
    session = RunSession(Wants(as_json, quiet, strict, only), jobs, xml, durations)
    sys.exit(session.watch(files) if watch else session.once(files))


class RunSession:
    """Plays scripts once or again and again, and tells what came of them."""

    def __init__(self, wants: Wants, jobs: int, xml: Path | None, durations: int | None) -> None:
        self._wants = wants
        self._jobs = jobs
        self._xml = xml
        self._durations = durations
        self._results: dict[str, list[Result]] = {}  # the latest, by script

    def once(self, words: Sequence[str]) -> int:
        """Plays the scripts that are meant, and returns the exit status."""
        try:
            sources = find(words)
        except KeyboardInterrupt:
            self._write_xml()
            print("stopped: no script was played yet", file=sys.stderr)
            return STOPPED
        return self.play(sources)

    def play(self, sources: Sequence[ScriptSource]) -> int:
        """Plays the scripts, tells of them, and returns the exit status."""
        progress = Progress(len(sources))
        telling = Telling(len(sources), self._wants, progress)
        stopped = False
        happened = played(sources, self._wants, self._jobs)
        try:
            telling.hear(happened)
        except KeyboardInterrupt:
            happened.close()
            stopped = True
        try:
            telling.tell_rest()
            self._keep(sources, telling.results)
            self._conclude(telling)
        finally:
            self._write_xml()
        if stopped:
            print(
                f"stopped: {telling.ended} of {many(telling.scripts, 'script')} were played to their end",
                file=sys.stderr,
            )
            return STOPPED
        if telling.left_out and not telling.results:
            print(f"-k {self._wants.only}: no run has such a name", file=sys.stderr)
            return Status.MALFORMED
        return telling.worst

    def watch(self, words: Sequence[str]) -> int:
        """Plays the scripts, then again what changes; returns the exit status of how they are when Ctrl-C ends it."""
        now = stamps(words)
        sources = list(now)
        while True:
            if self.play(sources) == STOPPED:
                return STOPPED
            try:
                print(f"watching {many(len(now), 'script')}; Ctrl-C ends it", file=sys.stderr, flush=True)
                sys.stdout.flush()
                sources, now = changed(words, now)
            except KeyboardInterrupt:
                print(file=sys.stderr)
                known = {source.name for source in now}
                left = [r for name, results in self._results.items() if name in known for r in results]
                return max((result.status for result in left), default=Status.OK)

    def _keep(self, sources: Sequence[ScriptSource], results: Sequence[Result]) -> None:
        """Keeps what came of each script, in the place of what came of it before."""
        for source in sources:
            self._results[source.name] = []
        for result in results:
            self._results[result.script].append(result)

    def _conclude(self, telling: Telling) -> None:
        """Tells what all the runs came to."""
        if not self._wants.as_json:
            for line in summary(telling.results, telling.left_out, self._wants.quiet):
                print(line)
        if self._durations is not None:
            for line in slowest(telling.results, self._durations):
                print(line, file=sys.stderr if self._wants.as_json else sys.stdout)

    def _write_xml(self) -> None:
        """Writes the results as XML, if they are wanted so."""
        if self._xml is not None:
            with uninterrupted():
                self._xml.write_bytes(junit([result for results in self._results.values() for result in results]))


def _no_log() -> None:
    """Leaves out what the daemon would log: the story of a run is its output."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
