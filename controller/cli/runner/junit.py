"""Results in the XML that build servers read, as JUnit began it: a suite for each script, a test case for each run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as Xml

import click

from controller.cli.runner.one import Result
from controller.script.files import Complaint, Status

_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(results: Sequence[Result]) -> bytes:
    """Returns the results as XML; a run that does not hold is a failure, a script that cannot be played an error."""
    root = Xml.Element("testsuites", {"name": "felt run"} | _counts(results))
    for script, group in groupby(results, key=lambda result: result.script):
        runs = list(group)
        suite = Xml.SubElement(root, "testsuite", {"name": xml_text(script)} | _counts(runs))
        for run in runs:
            _add_case(suite, run)
    Xml.indent(root)
    return bytes(Xml.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _counts(results: Sequence[Result]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "failures": str(sum(bool(result.failed) for result in results)),
        "errors": str(sum(result.complaint is not None for result in results)),
        "skipped": "0",
        "time": f"{sum(result.seconds for result in results):.3f}",
    }


def _add_case(suite: Xml.Element, run: Result) -> None:
    name = run.case or Path(run.script).stem
    case = Xml.SubElement(
        suite, "testcase", classname=xml_text(_class(run.script)), name=xml_text(name), time=f"{run.seconds:.3f}"
    )
    case.set("file", xml_text(run.script))
    if run.complaint is not None:
        _add_error(case, run.complaint)
    elif run.failed:
        first = run.failed[0]
        case.set("line", str(first.line))
        failure = Xml.SubElement(case, "failure", message=xml_text(f"line {first.line}: {first.what}: {first.instead}"))
        failure.text = xml_text(
            "\n".join(f"{run.script}:{f.line}: {f.what}\n  NOT SO: {f.instead}" for f in run.failed)
        )


def _add_error(case: Xml.Element, wrong: Complaint) -> None:
    line = f"line {wrong.line}: " if wrong.line else ""
    if wrong.line:
        case.set("line", str(wrong.line))
    kind = "malformed" if wrong.status == Status.MALFORMED else "defect"
    error = Xml.SubElement(case, "error", type=wrong.code, message=xml_text(f"{kind}: {line}{wrong.message}"))
    error.text = xml_text("\n".join(wrong.with_places()))


def _class(script: str) -> str:
    """Returns where a script stands, as build servers group tests.

    >>> _class("tests/rules/004/war.felt")
    'tests.rules.004.war'
    """
    path = Path(script)
    plain = path.with_suffix("") if path.name else path  # "" and "/" have no name
    return ".".join(part for part in plain.parts if part not in ("/", "..")) or script


def xml_text(words: str) -> str:
    """Returns words without the characters that XML does not have."""
    return _NOT_IN_XML.sub("?", words)


def make_room(xml: Path) -> None:
    """Makes the file for the XML: who cannot write it learns that before hours of playing, not after."""
    if not xml.name:
        raise click.UsageError("--junit: this names no file")
    try:
        xml.parent.mkdir(parents=True, exist_ok=True)
        xml.touch()
    except OSError as error:
        raise click.UsageError(f"--junit {xml}: {error.strerror}") from None
