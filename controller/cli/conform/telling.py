"""How the conformance suite is told: a line or two for each trial, one JSON document, or XML for build servers."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree import ElementTree as Xml

from controller.cli.client import Json
from controller.cli.runner.junit import xml_text
from firmware_bridge.conform.suite import ordered
from firmware_bridge.conform.trial import Trial, TrialResult
from firmware_bridge.conform.untried import UNTRIED
from firmware_bridge.conform.watch import Watch

PAGE: Final = "docs/protocol.md"
_CLEAR: Final = "\r\x1b[K"
_WORDS: Final = {"kept": "kept", "broken": "BROKEN", "untried": "not tried"}
_WIDEST: Final = 100
_LABEL: Final = 17  # characters before what is told


class TrialReport:
    """Tells the results as they come, and counts them; `watch` knows who the device is."""

    def __init__(self, as_json: bool) -> None:
        self.results: list[TrialResult] = []
        self.watch: Watch | None = None
        self._as_json = as_json
        self._terminal = sys.stderr.isatty()
        self._width = min(_WIDEST, shutil.get_terminal_size().columns)

    @property
    def broken(self) -> list[TrialResult]:
        """The promises that were broken."""
        return [result for result in self.results if result.outcome == "broken"]

    def begin(self, trial: Trial) -> None:
        """Shows on a terminal what is tried now."""
        if self._terminal:
            line = f"{len(self.results) + 1} of {len(ordered())}: {trial.name} ..."
            print(_CLEAR + line[: self._width - 1], end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Takes away what is tried now, before something else is shown."""
        if self._terminal:
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    def tell(self, result: TrialResult) -> None:
        """Takes a result, and prints it for people."""
        self.results.append(result)
        self.clear()
        if not self._as_json:
            print("\n".join(self._lines(result)), flush=True)

    def end(self, address: str) -> None:
        """Prints what it comes to."""
        if self._as_json:
            print(json.dumps(self._json(address)))
            return
        identity = self.watch.identity if self.watch is not None else None
        who = (
            f"{identity.family} {identity.model} {identity.serial}, firmware {identity.firmware}, " if identity else ""
        )
        counts = self._counts()
        print(f"\n{who}at {address}:")
        print(f"{counts['kept']} trials kept, {counts['broken']} broken, {counts['untried']} not tried.")
        for paragraph in dict.fromkeys(result.paragraph for result in self.broken):
            print(f"  broken: {paragraph}, see {PAGE}#p{paragraph}")

    def _lines(self, result: TrialResult) -> Iterator[str]:
        label = f"{_WORDS[result.outcome]:<10}{result.paragraph:<6} "
        if result.outcome == "untried":
            yield from self._wrapped(label, f"{result.trial.name}: {result.came}.")
            return
        of_another = result.paragraph not in result.trial.paragraphs
        context = f"While {result.trial.paragraphs[0]} was tried: " if of_another else ""
        yield from self._wrapped(label, context + result.trial.promised)
        yield from self._wrapped("", f"done: {result.trial.done}")
        yield from self._wrapped("", f"came: {result.came}.")

    def _wrapped(self, label: str, text: str) -> list[str]:
        return textwrap.wrap(
            text, self._width, initial_indent=f"{label:<{_LABEL}}", subsequent_indent=" " * _LABEL
        )  # fmt: skip

    def _counts(self) -> dict[str, int]:
        return {name: sum(result.outcome == name for result in self.results) for name in _WORDS}

    def _json(self, address: str) -> Json:
        identity = self.watch.identity if self.watch is not None else None
        return {
            "address": address,
            "device": identity
            and {
                "family": identity.family,
                "model": identity.model,
                "serial": identity.serial,
                "firmware": identity.firmware,
            },
            "conforms": not self.broken,
            **self._counts(),
            "trials": [_trial_json(result) for result in self.results],
            "without_trial": dict(UNTRIED),
        }


def _trial_json(result: TrialResult) -> Json:
    return {
        "trial": result.trial.name,
        "outcome": result.outcome,
        "paragraph": result.paragraph,
        "paragraphs": list(result.trial.paragraphs),
        "promised": result.trial.promised,
        "done": result.trial.done,
        "came": result.came,
        "seconds": round(result.seconds, 3),
    }


def junit(address: str, results: Sequence[TrialResult]) -> bytes:
    """Returns the results as XML, as JUnit began it: a broken promise is a failure, what was not tried is skipped."""
    counts = {
        "name": xml_text(f"felt device conform {address}"),
        "tests": str(len(results)),
        "failures": str(sum(result.outcome == "broken" for result in results)),
        "errors": "0",
        "skipped": str(sum(result.outcome == "untried" for result in results)),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }
    root = Xml.Element("testsuites", counts)
    suite = Xml.SubElement(root, "testsuite", counts)
    for result in results:
        place = f"protocol.{result.paragraph.replace('.', '-')}"
        case = Xml.SubElement(suite, "testcase", classname=place, name=result.trial.name, time=f"{result.seconds:.3f}")
        if result.outcome == "broken":
            failure = Xml.SubElement(case, "failure", message=xml_text(f"{result.paragraph}: {result.came}"))
            failure.text = xml_text(f"{result.trial.promised}\ndone: {result.trial.done}\ncame: {result.came}")
        elif result.outcome == "untried":
            Xml.SubElement(case, "skipped", message=xml_text(result.came))
    Xml.indent(root)
    return bytes(Xml.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"
